import { randomUUID } from 'node:crypto';
import { idOf, type Row, type TenantRows } from './tenant-row';

/** Rows that belong to a request for a decision. */
export function approvalMakers(owner_id: string, rows: TenantRows): [table: string, row: () => Row][] {
  const of = (): Row => ({ approval_id: idOf(rows, 'approvals'), owner_id });
  const act = { kind: 'commented', actor: 'a', body: '{}' };
  return [
    ['approval_approvers', () => ({ ...of(), ...approver(owner_id) })],
    ['approval_acts', () => ({ ...of(), id: randomUUID(), ...act })],
    ['approval_links', () => ({ ...of(), id: randomUUID(), ...link(owner_id) })],
  ];
}

function approver(granted_by: string): Row {
  return { subject: `user:${granted_by}`, source: 'named', granted_by, requested_at: '2026-01-01Z' };
}

function link(user_id: string): Row {
  return { user_id, token_hash: randomUUID(), digest: 'd', created_by: user_id };
}
