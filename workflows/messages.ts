import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { Json } from '../core/base/json';

/** Decide an approval: the decision is a row, written before. */
export interface DecideInput {
  approvalId: string;
  decisionId: string;
  /** Decision as the row has it, if it has no edits; it is only compared with the row. */
  said?: SaidDecision;
}
export interface SaidDecision {
  decision: 'approve' | 'reject';
  instructions?: string;
  decided_by: string;
  via: string;
  /** Time of receipt, to the millisecond. */
  at: string;
}
export interface DecideResult {
  state: 'counted' | 'refused';
  code?: string;
}
export const decideApprovalUpdate = defineUpdate<DecideResult, [DecideInput]>('decideApproval');

/** Signal with the same content, for people in Temporal Web or on its command line. */
export interface ApprovalSignalInput {
  approvalId: string;
  decision: 'approve' | 'reject';
  instructions?: string;
}
export const approvalSignal = defineSignal<[ApprovalSignalInput]>('approval');

export const pauseSignal = defineSignal('pause');
export const resumeSignal = defineSignal('resume');

export interface ResolveInput {
  stepPath: string;
  outcome: 'done' | 'not_done' | 'repeat';
}
export const resolveSignal = defineSignal<[ResolveInput]>('resolve');

export const stateQuery = defineQuery<Json>('state');
export const progressQuery = defineQuery<string>('progress');
