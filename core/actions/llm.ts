import { opt } from './define';
import type { ActionContract, FieldSpec } from './types';

const base = {
  group: 'llm',
  step_type: 'llm_task',
  outputs: [],
  dynamic: 'output_schema',
  open_inputs: true,
  short: false,
  pure: false,
  available: true,
} as const;

const modelParams: FieldSpec[] = [
  opt('model', 'string', 'Model as `provider/model`; the configured order where absent.'),
  opt('temperature', 'number', 'Sampling temperature.'),
  opt('max_tokens', 'integer', 'Longest answer in tokens.'),
];

export const LLM_ACTIONS: ActionContract[] = [
  {
    ...base,
    outputs: [],
    name: 'llm_analyze',
    description: 'A model analyses or classifies the inputs and answers by the output schema of the step.',
    inputs: [],
    params: [
      opt('instructions', 'string', 'What the model is to do.'),
      opt('template', 'string', 'Name of a report template.'),
      opt('system_prompt', 'string', 'Role of the model.'),
      ...modelParams,
    ],
    effect: 'none',
  },
  {
    ...base,
    outputs: [],
    name: 'synthesize_report',
    description: 'A model writes a report from the inputs and answers by the output schema of the step.',
    inputs: [],
    params: [
      opt('instructions', 'string', 'What the report is to say.'),
      opt('template', 'string', 'Name of a report template.'),
      opt('system_prompt', 'string', 'Role of the model.'),
      ...modelParams,
    ],
    effect: 'none',
  },
  {
    ...base,
    outputs: [],
    name: 'research_with_tools',
    description: 'A model decides which tools to call, in rounds, and answers by the output schema of the step.',
    inputs: [],
    params: [
      opt('tools', 'string[]', 'Names of the tools the model may call.', { literal: true }),
      opt('system_prompt', 'string', 'What to research and how.'),
      opt('instructions', 'string', 'The question.'),
      opt('max_rounds', 'integer', 'Largest number of rounds of tool calls.', { default: 3 }),
      ...modelParams,
    ],
    // Depends on the tools; core/playbook/effects.ts looks at them.
    effect: 'none',
  },
];
