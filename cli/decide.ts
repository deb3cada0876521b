import { randomUUID } from 'node:crypto';
import { CliError, EXIT } from './errors';
import type { Api } from './http/api';
import type { Approval } from './http/types';

export interface DecisionAnswer {
  approvalId: string;
  decisionId: string;
  state: 'received' | 'counted';
  decision: 'approve' | 'reject';
}

export interface DecisionRequest {
  approvalId: string;
  decision: 'approve' | 'reject';
  instructions?: string;
  edits?: object;
}

/** Decides what the approval shows right now: its digest goes along, so that a request that changed since is refused. */
export async function decide(api: Api, request: DecisionRequest): Promise<DecisionAnswer> {
  const { approvalId, decision, instructions, edits } = request;
  const place = `/approvals/${encodeURIComponent(approvalId)}`;
  const approval = await api.get<Approval>(place);
  const body = { decisionId: randomUUID(), instructions, edits, digest: approval.digest };
  return await api.post<DecisionAnswer>(`${place}/${decision}`, body);
}

/** For one who approves whatever comes: a request that somebody else has decided meanwhile is no failure. */
export async function approveQuietly(api: Api, approvalId: string): Promise<void> {
  try {
    await decide(api, { approvalId, decision: 'approve' });
  } catch (error) {
    const isSettled =
      error instanceof CliError &&
      ['approval_already_decided', 'approval_due_passed', 'run_closed'].includes(error.code);
    if (!isSettled || (error instanceof CliError && error.exitCode === EXIT.unreachable)) throw error;
  }
}
