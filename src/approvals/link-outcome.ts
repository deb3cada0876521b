import { markup, type Html } from '../pages/html';
import { timeOf } from '../pages/time';
import type { ApprovalDto, DecisionDto, LinkedApprovalDto } from './dto/approval-view.dto';

/** Facts that a person needs before they read the request: what happened, and what they can do. */
export function outcomeOf(link: LinkedApprovalDto): Html {
  return markup`${stateOf(link)}${pausedOf(link.approval)}`;
}

function stateOf(link: LinkedApprovalDto): Html | undefined {
  const { approval, user } = link;
  switch (link.unusable_because) {
    case undefined:
      return link.allowed_decisions.includes('approve') ? undefined : approved(link);
    case 'due_passed':
      return approval.status === 'waiting' ? overdue(approval) : ended(link);
    case 'changed':
      return changed(link);
    case 'used':
      return used(link);
    case 'delegated_away':
      return delegated(link);
    case 'four_eyes':
      return outcome(
        markup`${user} may not decide this: it needs a second person, neither whose run it is nor who edited it last.`,
      );
    case 'not_allowed':
      return outcome(markup`${user} may not decide this any more: the right to do so was taken back.`);
    case 'run_closed':
      return approval.status === 'waiting'
        ? outcome(markup`Nothing is left to decide: the run has ended, or is being cancelled.`)
        : ended(link);
    case 'decided':
      return ended(link);
  }
}

function outcome(what: Html, more: Html | string = ''): Html {
  return markup`<p class="outcome"><strong>${what}</strong>${more}</p>`;
}

/** Time runs on during a pause, and a decision counts. */
function pausedOf({ run_paused: isPaused }: ApprovalDto): Html | undefined {
  if (isPaused !== true) return undefined;
  return outcome(
    markup`The run is paused.`,
    ' A decision counts all the same, and the time for it runs on; what follows from it waits until the run is resumed.',
  );
}

/**
 * Result for a person who has approved: they may still reject. The approval in their name may come from their service
 * account.
 */
function approved({ approval, user }: LinkedApprovalDto): Html {
  const mine = approval.decisions.findLast(
    ({ actor, decision, state, superseded_at: superseded }) =>
      actor === user && decision === 'approve' && state === 'counted' && superseded === undefined,
  );
  const who = mine === undefined ? 'this in their name (by another account of theirs)' : 'this';
  const { quorum, approvals } = approval.rules;
  return outcome(
    markup`${user} has approved ${who} already${onTime(mine?.created_at)}: that counts, as ${approvals} of the ${quorum} approvals that are needed.`,
    ' All that is left to them is to reject it: that takes the approval back, and the request is rejected at once.',
  );
}

function delegated({ approval, user, delegated_to: to }: LinkedApprovalDto): Html {
  const act = approval.history.findLast(({ kind, actor }) => kind === 'delegated' && actor === user);
  return outcome(
    markup`${user} delegated this${to === undefined ? '' : ` to ${to}`}${onTime(act?.at)}, and decides it no more.`,
    markup` Delegated to oneself it is taken back: <code>POST /approvals/${approval.approvalId}/delegate {"to": "${user}"}</code>. This link works again then.`,
  );
}

function ended({ approval, run_ended: run }: LinkedApprovalDto): Html {
  const { status, decided_by: by, decided_at: at } = approval;
  if (status === 'waiting') return markup``;
  const who = by === undefined || NOBODY.includes(status) ? '' : ` by ${by}`;
  const what =
    status === 'cancelled' && run !== 'cancelled' ? 'The run ended before anybody decided this' : ENDS[status];
  const why = status === 'cancelled' && run !== undefined ? (RUN_ENDS[run] ?? '') : followsOf(approval);
  return markup`${outcome(markup`${what}${who}${onTime(at)}.`, why)}
${decisionsOf(approval)}`;
}

function followsOf({ status, on_reject: onReject, on_timeout: onTimeout }: ApprovalDto): string {
  if (status !== 'rejected' && status !== 'timed_out') return '';
  return (status === 'rejected' ? onReject : onTimeout) === 'stop' ? ' The run stopped.' : ' The run went on.';
}

/** Ends that the first sentence does not name; it names a cancel. */
const RUN_ENDS: Partial<Record<string, string>> = {
  failed: ' It failed.',
  rejected: ' Something else in it was rejected.',
  timed_out: ' The time for another decision in it was over.',
};

const ENDS: Record<Exclude<ApprovalDto['status'], 'waiting'>, string> = {
  approved: 'This was approved',
  rejected: 'This was rejected',
  timed_out: 'Nobody decided this in time: its time was over',
  cancelled: 'This was cancelled with its run',
  auto_approved: 'This was approved by the policy of its run, without a person',
};
const NOBODY: readonly string[] = ['timed_out', 'auto_approved'];

/** Lists people whose decision counts, with their words. A single one is named above already. */
function decisionsOf({ decisions }: ApprovalDto): Html | undefined {
  const counted = decisions.filter(
    ({ state, superseded_at: superseded }) => state === 'counted' && superseded === undefined,
  );
  const [first] = counted;
  if (first === undefined) return undefined;
  return counted.length > 1 ? markup`<ul>${counted.map(decisionOf)}</ul>` : wordsOf(first);
}

function decisionOf({ actor, decision, created_at: at, instructions }: DecisionDto): Html {
  const words = instructions === undefined ? undefined : markup`: <span class="words">“${instructions}”</span>`;
  return markup`<li>${actor} ${DONE[decision]}${onTime(at)}${words}</li>`;
}

function wordsOf({ instructions }: DecisionDto): Html | undefined {
  return instructions === undefined ? undefined : markup`<p class="words">“${instructions}”</p>`;
}

const DONE: Record<DecisionDto['decision'], string> = { approve: 'approved', reject: 'rejected' };

function overdue({ due_at: due, on_timeout: onTimeout }: ApprovalDto): Html {
  return outcome(
    markup`Nothing is left to decide: the time for this request is over${since(due)}.`,
    onTimeout === 'stop' ? ' The run stops.' : ' The run goes on.',
  );
}

function changed({ approval, asked_by: requester }: LinkedApprovalDto): Html {
  const edit = approval.history.findLast(({ kind }) => kind === 'edited');
  const by = edit === undefined ? undefined : markup` by ${edit.actor}${onTime(edit.at)}`;
  return markup`${outcome(
    markup`This request was changed${by}, after this link was made: the link decides nothing any more.`,
    markup`
Below it stands as it is now. To decide it, ask ${requester} for a new link, or sign in with the command line and look at it there: <code>af approvals ${approval.approvalId}</code>.`,
  )}`;
}

function used({ approval, user }: LinkedApprovalDto): Html {
  const mine = approval.decisions.findLast(({ via, actor }) => via === 'link' && actor === user);
  const what =
    mine === undefined
      ? markup`This link was used: it is for one decision.`
      : markup`This link was used: ${user} ${DONE[mine.decision]}${onTime(mine.created_at)}. ${STATES[mine.state] ?? ''}`;
  const { quorum, approvals } = approval.rules;
  const others = quorum > 1 ? ` ${approvals} of the ${quorum} approvals that are needed are there.` : '';
  return markup`${outcome(what, others)}${mine === undefined ? undefined : wordsOf(mine)}`;
}

const STATES: Partial<Record<string, string>> = {
  received: 'It counts as soon as the run is told.',
  counted: 'It counts.',
  refused: 'It did not count.',
};

function onTime(at: string | undefined): Html | undefined {
  return at === undefined ? undefined : markup` on ${timeOf(at)}`;
}

function since(at: string | undefined): Html | undefined {
  return at === undefined ? undefined : markup` since ${timeOf(at)}`;
}
