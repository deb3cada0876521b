import { isJsonObject } from '../../core/base/json';
import type { ApprovalView } from '../../infra/db/stores/approval-view.store';
import type { ApprovalAction } from './dto/approval-view.dto';

/** What this person may do with a request now, as the routes would answer him. */
export function allowedActions(view: ApprovalView, userId: string): ApprovalAction[] {
  const { approval, refused, runOpen } = view;
  if (!runOpen || approval.status !== 'waiting') return [];
  const decides: ApprovalAction[] = isJsonObject(approval.edit_schema)
    ? ['approve', 'reject', 'edit']
    : ['approve', 'reject'];
  return [
    ...(refused === null ? decides : []),
    ...(mayDelegate(view, userId) ? (['delegate'] as const) : []),
    // Whoever sees a request may speak.
    'comment',
  ];
}

/** With a right of his own that he has not used. Whoever handed it on may take it back, or hand it to another. */
function mayDelegate(view: ApprovalView, userId: string): boolean {
  if (view.refused === 'delegated_away') return true;
  return view.refused === null && hasOwnRight(view, userId) && !hasAnswered(view, userId);
}

/**
 * Of somebody who may decide: what was handed to him goes no further. Where that meets a right that he has through a team or
 * a scope, the safe answer is given: the route knows better.
 */
function hasOwnRight({ approval, approvers }: ApprovalView, userId: string): boolean {
  const mine = approvers.filter(({ subject }) => subject === `user:${userId}`);
  if (mine.every(({ source }) => source !== 'delegation')) return true;
  if (!approval.named) return approval.owner_id === userId;
  return mine.some(({ source }) => source === 'named' || (source === 'escalation' && approval.escalated_at !== null));
}

function hasAnswered({ decisions }: ApprovalView, userId: string): boolean {
  return decisions.some(
    ({ state, superseded_at: superseded, actor_id: actor, acting_for: actedFor }) =>
      state === 'counted' && superseded === null && (actor === userId || actedFor === userId),
  );
}
