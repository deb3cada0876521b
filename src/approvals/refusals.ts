import { AppError, type ErrorCategory } from '../../core/errors/app-error';

const REFUSALS: Record<string, { category: ErrorCategory; message: string }> = {
  approval_already_decided: {
    category: 'conflict',
    message: 'Somebody decided this before you. GET the approval to see what counts.',
  },
  run_closed: { category: 'conflict', message: 'The run has ended, so nothing is left to decide.' },
  digest_mismatch: {
    category: 'conflict',
    message: 'The action changed after you saw it. GET the approval again and decide about what it shows now.',
  },
  approval_timed_out: { category: 'conflict', message: 'The time for this decision is over.' },
  not_allowed: { category: 'forbidden', message: 'You may not decide this request.' },
  invalid_edits: {
    category: 'conflict',
    message: 'The edited inputs do not fit the action. Change them and decide with a new decisionId.',
  },
};

/** The answer to a decision that did not count, from the code that its row carries. */
export function refusal(code: string): AppError {
  const known = Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined;
  return new AppError(code, known?.message ?? 'The run refused this decision. GET the approval to see its state.', {
    category: known?.category ?? 'conflict',
  });
}
