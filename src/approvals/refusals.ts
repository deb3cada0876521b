import type { JsonObject } from '../../core/base/json';
import { suggestionOr } from '../../core/base/did-you-mean';
import { AppError, type ErrorCategory } from '../../core/errors/app-error';

const REFUSALS: Record<string, { category: ErrorCategory; message: string }> = {
  approval_already_decided: {
    category: 'conflict',
    message: 'Somebody decided this before you. GET the approval to see what counts.',
  },
  run_closed: { category: 'conflict', message: 'The run has ended, so nothing is left to decide.' },
  approval_changed: {
    category: 'conflict',
    message:
      'A decision names the digest of what you saw, and this is not what the approval shows now. GET it, look, and send its `digest`.',
  },
  digest_required: {
    category: 'validation',
    message: 'A decision names the digest of what you saw. GET the approval, look, and send its `digest`.',
  },
  edit_first: {
    category: 'conflict',
    message:
      'Others decide about the same action: POST the edits to /edit, so that all of them see it, and then decide.',
  },
  already_approved: {
    category: 'conflict',
    message: 'You have approved this already; others have to as well. Until they have, you may still reject it.',
  },
  approval_due_passed: {
    category: 'conflict',
    message:
      'This came in after the request’s `due_at`, so it does not count. GET the approval and its run to see what became of it.',
  },
  not_allowed: { category: 'forbidden', message: 'You may not decide this request.' },
  four_eyes: {
    category: 'forbidden',
    message: 'This needs a second person: neither whose run it is nor who edited it last decides.',
  },
  delegated_away: {
    category: 'forbidden',
    message: 'You delegated this to somebody else. Delegate it to yourself to take it back.',
  },
  delegated_to_you: {
    category: 'forbidden',
    message: 'This was delegated to you and cannot be delegated again. Decide it, or ask the person who delegated it.',
  },
  user_deactivated: {
    category: 'forbidden',
    message: 'The account of the person who decided this is not active any more.',
  },
  signal_not_allowed: {
    category: 'forbidden',
    message: 'A signal has no known sender, and this request names its approvers.',
  },
  delegate_excluded: {
    category: 'validation',
    message: 'This person may not decide either: it is their run, or they edited it last.',
  },
  not_an_approver: {
    category: 'validation',
    message: 'A link is for somebody who may decide. Delegate to this person first.',
  },
  link_not_found: { category: 'not_found', message: 'There is no such link.' },
  link_used: { category: 'conflict', message: 'This link was used. GET it to see what became of the request.' },
  link_of_another: { category: 'forbidden', message: 'This link is for another person.' },
  sign_in_first: {
    category: 'unauthenticated',
    message: 'This link decides only in the session of the person that it is for. Sign in and use /decide.',
  },
  invalid_edits: {
    category: 'conflict',
    message: 'The edited inputs do not fit the action. Change them and decide with a new decisionId.',
  },
};

/** Error for a person who does not exist. `known`: people that the caller may know of. */
export function personNotFound(given: string, known: Iterable<string>): AppError {
  const way = suggestionOr(given, known, 'GET /people?q=… finds those that you share a team with.');
  return new AppError('user_not_found', `There is no active user "${given}". ${way}`, { category: 'validation' });
}

/** The answer to a decision that did not count, from the code that its row carries. */
export function refusal(code: string, details: JsonObject = {}): AppError {
  const known = Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined;
  return new AppError(code, known?.message ?? 'The run refused this decision. GET the approval to see its state.', {
    category: known?.category ?? 'conflict',
    details,
  });
}
