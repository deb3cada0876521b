import type { ApprovalLink } from '../../infra/db/stores/approval-links.store';
import {
  LINK_DECISIONS,
  UNUSABLE_BECAUSE,
  type ApprovalDto,
  type LinkDecision,
  type UnusableBecause,
} from './dto/approval-view.dto';

export interface LinkUse {
  /** Decisions that its person can make with it now. */
  decisions: LinkDecision[];
  /** Reason why there are none. */
  why?: UnusableBecause;
}

/** Use of a link as a press of its buttons would meet it. `approval`: as the person of the link sees it, with their rights. */
export function useOf(link: Pick<ApprovalLink, 'digest' | 'used_at'>, approval: ApprovalDto): LinkUse {
  const why = whyUnusable(link, approval);
  if (why !== undefined) return { decisions: [], why };
  return { decisions: LINK_DECISIONS.filter((decision) => approval.allowed_actions.includes(decision)) };
}

/** A link that was used for what is not shown any more says that it was changed: what it decided counts no more. */
function whyUnusable(
  link: Pick<ApprovalLink, 'digest' | 'used_at'>,
  { status, due_passed: isOver, digest, allowed_actions: actions, may_not_because: refused }: ApprovalDto,
): UnusableBecause | undefined {
  if (status === 'cancelled') return 'run_closed';
  if (status === 'timed_out' || isOver === true) return 'due_passed';
  if (status !== 'waiting') return 'decided';
  const isChanged = digest !== link.digest;
  if (link.used_at !== null && !isChanged) return 'used';
  if (!LINK_DECISIONS.some((decision) => actions.includes(decision)))
    return UNUSABLE_BECAUSE.find((code) => code === refused) ?? 'not_allowed';
  return isChanged ? 'changed' : undefined;
}
