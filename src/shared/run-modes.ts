import type { ApprovalPolicy, RunContext } from '../../core/playbook/types';

/** Circumstances under which a run may be started. */
export const RUN_CONTEXTS = [
  'interactive',
  'background',
  'scheduled',
  'monitor',
] as const satisfies readonly RunContext[];
/** Answers to the question whether gates wait for a person. */
export const APPROVAL_POLICIES = ['require', 'auto_approve'] as const satisfies readonly ApprovalPolicy[];
