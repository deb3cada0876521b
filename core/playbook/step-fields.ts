import type { StepPlan } from './types';

/** Fields that a step of each kind may have. */
export type StepKind = StepPlan['kind'];
/** Written form of a step. `end` stands for a tool step that ends the run. */
export type StepShape = StepKind | 'end';

const COMMON = [
  'name',
  'description',
  'step_type',
  'output_key',
  'condition',
  'depends_on',
  'on_error',
  'retry_count',
  'retry_delay_seconds',
  'retry_on',
  'optional',
];
/** Fields about failures: an end that fails ends the run. */
const OF_FAILURES = ['on_error', 'retry_count', 'retry_delay_seconds', 'retry_on', 'optional'];
const GATE = [
  'prompt',
  'preview_from',
  'preview_limit',
  'timeout_minutes',
  'on_reject',
  'on_timeout',
  'approvers',
  'quorum',
  'four_eyes',
  'link_only',
  'remind_after_minutes',
  'escalate_after_minutes',
  'escalate_to',
];

const OWN: Readonly<Record<StepShape, readonly string[]>> = {
  tool: ['action', 'inputs', 'params', 'timeout_seconds', 'undo'],
  llm_task: ['action', 'inputs', 'params', 'output_schema', 'timeout_seconds', 'undo'],
  approval: GATE,
  parallel: ['action', 'parallel_steps'],
  for_each: ['for_each'],
  loop: ['loop'],
  route: ['route'],
  run_playbook: ['action', 'playbook', 'version', 'inputs', 'params', 'undo'],
  end: ['end', 'fail'],
};

/** Fields of tool actions that may stand beside `params` instead of in it. */
const FOLDED = ['connector', 'endpoint', 'operations'];

export function allowedFields(kind: StepShape): string[] {
  const common = kind === 'end' ? COMMON.filter((field) => !OF_FAILURES.includes(field)) : COMMON;
  return [...common, ...OWN[kind]];
}

/** Every field that some step may have. */
export const STEP_FIELDS: readonly string[] = [...new Set([...COMMON, ...Object.values(OWN).flat(), ...FOLDED])];

/** Names of the kinds in a sentence. */
export const KIND_NAMES: Readonly<Record<StepShape, string>> = {
  tool: 'a tool step',
  llm_task: 'an llm_task step',
  approval: 'an approval step',
  parallel: 'a parallel step',
  for_each: 'a for_each step',
  loop: 'a loop step',
  route: 'a route step',
  run_playbook: 'a run_playbook step',
  end: 'an end step',
};

/** Kinds that a field belongs to, for the hint. */
export function ownersOf(field: string): string {
  const owners = (Object.keys(OWN) as StepShape[]).filter((kind) => OWN[kind].includes(field));
  return owners.length === 0 ? 'tool steps' : owners.map((kind) => KIND_NAMES[kind].replace(/^an? /, '')).join(', ');
}
