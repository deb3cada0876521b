import { randomUUID } from 'node:crypto';
import type { Api } from './http/api';
import type { DecisionAnswer } from './http/types';

export interface DecisionRequest {
  approvalId: string;
  decision: 'approve' | 'reject';
  /** Digest of the shown request; a changed request is refused. */
  digest?: string;
  /** Id of a decision that is sent again. */
  decisionId?: string;
  instructions?: string;
  edits?: object;
}

export async function decide(api: Api, request: DecisionRequest): Promise<DecisionAnswer> {
  const { approvalId, decision, decisionId = randomUUID(), instructions, edits, digest } = request;
  const body = { decisionId, instructions, edits, digest };
  return await api.post<DecisionAnswer>(`/approvals/${encodeURIComponent(approvalId)}/${decision}`, body);
}
