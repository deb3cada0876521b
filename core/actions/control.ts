import { out, opt, req } from './define';
import type { ActionContract } from './types';

export const CONTROL_ACTIONS: ActionContract[] = [
  {
    name: 'end_run',
    group: 'control',
    description:
      'Ends the run here; written as `end` or `fail`. What has begun goes on to its end, nothing else begins.',
    step_type: 'tool',
    inputs: [
      opt('status', 'string', 'How the run ends.', { enum: ['complete', 'partial', 'failed'], default: 'complete' }),
      opt('code', 'string', 'Code of the end, for example `no_filings`.'),
      opt('message', 'string', 'Why it ends, for people.'),
    ],
    params: [],
    outputs: [
      out('status', 'string', 'How the run ends.'),
      out('code', 'string', 'Code of the end.'),
      out('message', 'string', 'Why it ends.'),
    ],
    short: true,
    pure: true,
    effect: 'none',
    available: true,
  },
  {
    name: 'parallel',
    group: 'control',
    description: 'Runs the steps of `parallel_steps` at the same time and waits for all of them.',
    step_type: 'control',
    inputs: [],
    params: [],
    outputs: [
      out('count', 'integer', 'Number of steps.'),
      out('failed_count', 'integer', 'Number of steps that failed.'),
    ],
    dynamic: 'children',
    short: false,
    pure: false,
    effect: 'none',
    available: true,
  },
  {
    name: 'run_playbook',
    group: 'control',
    description:
      'Runs another playbook as a run of its own and waits for its result. Inputs are those of that playbook.',
    step_type: 'control',
    inputs: [],
    params: [
      req('playbook', 'string', 'Id of the playbook.', { literal: true }),
      opt('version', 'string', 'Version of the playbook; the newest where absent.', { literal: true }),
    ],
    outputs: [
      out('runId', 'string', 'Id of the run.'),
      out('status', 'string', 'Status that the run ended with; read it as `{key.result.status}`.'),
      out('outputs', 'object', 'Results of its steps by output key.'),
      out('summary', 'string', 'Its summary.'),
    ],
    open_inputs: true,
    dynamic: 'children',
    short: false,
    pure: false,
    // The child may do anything; what follows a gate treats it as an effect.
    effect: 'none',
    available: true,
  },
];
