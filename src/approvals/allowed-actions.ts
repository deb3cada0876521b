import { isJsonObject } from '../../core/base/json';
import type { ApprovalAct, ApprovalView } from '../../infra/db/stores/approval-view.store';
import type { CallerInfo, Identity } from '../access/identity';

/** Who looks at a request; without limits where they look by a link. */
export type Viewer = CallerInfo & Partial<Pick<Identity, 'readOnly' | 'mayDecide'>>;

export interface Allowed {
  actions: ApprovalAct[];
  /** Code of why they may not decide. */
  mayNot: string | null;
}

/** What this person may do with a request now by the credential that they show, as the routes would answer them. */
export function allowedTo(view: ApprovalView, who: Viewer): Allowed {
  const actions = view.acts.filter(
    (act) => isWithin(who, act) && (act !== 'edit' || isJsonObject(view.approval.edit_schema)),
  );
  return { actions, mayNot: actions.includes('approve') ? null : whyNot(view, who) };
}

/** As the guard has it for the routes: a key that may not decide may speak. */
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
