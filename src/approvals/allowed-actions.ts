import { isJsonObject } from '../../core/base/json';
import type { ApprovalAct, ApprovalView } from '../../infra/db/stores/approval-view.store';
import type { CallerInfo, Identity } from '../access/identity';

/** Viewer of a request; a link has no limits of a key. */
export type Viewer = CallerInfo & Partial<Pick<Identity, 'readOnly' | 'mayDecide'>>;

export interface Allowed {
  actions: ApprovalAct[];
  /** Code of why they may not decide. */
  mayNot: string | null;
}

/** Acts on a request that this person may do now with their credential, by the rules of the routes. */
export function allowedTo(view: ApprovalView, who: Viewer): Allowed {
  const actions = view.acts.filter(
    (act) => isWithin(who, act) && (act !== 'edit' || isJsonObject(view.approval.edit_schema)),
  );
  return { actions, mayNot: actions.includes('approve') ? null : whyNot(view, who) };
}

/** Rule of the guard: a key that may not decide may comment. */
function isWithin({ readOnly = false, mayDecide = true }: Viewer, act: ApprovalAct): boolean {
  return !readOnly && (mayDecide || act === 'comment');
}

function whyNot({ approval, refused, acts }: ApprovalView, { readOnly, mayDecide }: Viewer): string | null {
  if (refused !== null) return refused;
  if (approval.status !== 'waiting') return null;
  if (acts.length === 0) return 'run_closed';
  if (readOnly === true) return 'key_read_only';
  return mayDecide === false ? 'key_may_not_decide' : 'already_approved';
}
