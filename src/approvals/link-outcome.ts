import { markup, type Html } from '../pages/html';
import { timeOf } from '../pages/time';
import type { ApprovalDto, DecisionDto, LinkedApprovalDto } from './dto/approval-view.dto';

/** What a link that decides nothing any more says first: what happened, and where it helps, what to do. */
export function outcomeOf(link: LinkedApprovalDto): Html {
  switch (link.unusable_because) {
    case undefined:
      return markup``;
    case 'due_passed':
      return overdue(link.approval);
    case 'changed':
      return changed(link);
    case 'used':
      return used(link);
    case 'decided':
      return ended(link.approval);
  }
}

function ended(approval: ApprovalDto): Html {
  const { status, decided_by: by, decided_at: at, on_reject: onReject } = approval;
  if (status === 'waiting') return markup``;
  const who = by === undefined || NOBODY.includes(status) ? '' : ` by ${by}`;
  const follows = status === 'rejected' ? (onReject === 'stop' ? ' The run stopped.' : ' The run went on.') : '';
  return markup`<p class="outcome"><strong>${ENDS[status]}${who}${onTime(at)}.</strong>${follows}</p>
${decisionsOf(approval)}`;
}

const ENDS: Record<Exclude<ApprovalDto['status'], 'waiting'>, string> = {
  approved: 'This was approved',
  rejected: 'This was rejected',
  timed_out: 'Nobody decided this in time: its time was over',
  cancelled: 'This was cancelled with its run',
  auto_approved: 'This was approved by the policy of its run, without a person',
};
const NOBODY: readonly string[] = ['timed_out', 'auto_approved'];

/** Everybody whose decision counts, with their words. One alone is named above already. */
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

function overdue({ due_at: due }: ApprovalDto): Html {
  return markup`<p class="outcome"><strong>Nothing is left to decide: the time for this request is over${since(due)}.</strong></p>`;
}

function changed({ approval, asked_by: asker }: LinkedApprovalDto): Html {
  const edit = approval.history.findLast(({ kind }) => kind === 'edited');
  const by = edit === undefined ? undefined : markup` by ${edit.actor}${onTime(edit.at)}`;
  return markup`<p class="outcome"><strong>This request was changed${by}, after this link was made: the link decides nothing any more.</strong>
Below it stands as it is now. To decide it, ask ${asker} for a new link, or sign in with the command line and look at it there: <code>af approvals ${approval.approvalId}</code>.</p>`;
}

function used({ approval, user }: LinkedApprovalDto): Html {
  const mine = approval.decisions.findLast(({ via, actor }) => via === 'link' && actor === user);
  const what =
    mine === undefined
      ? markup`This link was used: it is for one decision.`
      : markup`This link was used: ${user} ${DONE[mine.decision]}${onTime(mine.created_at)}. ${STATES[mine.state] ?? ''}`;
  const { quorum, approvals } = approval.rules;
  const others = quorum > 1 ? ` ${approvals} of the ${quorum} approvals that are needed are there.` : '';
  return markup`<p class="outcome"><strong>${what}</strong>${others}</p>${mine === undefined ? undefined : wordsOf(mine)}`;
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
