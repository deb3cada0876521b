import { suggestionOr } from '../../core/base/did-you-mean';
import type { Context } from '../context';
import { playbookTypes } from '../declared-types';
import { CliError, EXIT, type ExitCode } from '../errors';
import type { DryRun } from '../http/types';
import { warningLine } from '../run-outcome';
import { appendValue, type InputOptions, readInputs, readPairs, typedValue } from '../inputs';
import type { Register } from './command';

interface Options extends InputOptions {
  result: string[];
  liveReads?: true;
}

type Step = DryRun['steps'][number];

export const registerTestStep: Register = (program, wrap) => {
  program
    .command('test-step')
    .description('what one step of a playbook would do, without any effect')
    .argument('<playbook>', 'slug or id')
    .argument('<step>', 'its name, or its path in a list, such as each[2]/parse')
    .option('--input <name=value>', 'one input of the playbook', appendValue, [])
    .option('--inputs <file>', 'JSON file with all inputs; - for standard input')
    .option('--result <step=json>', 'result of an earlier step, in place of a made-up one', appendValue, [])
    .option('--live-reads', 'really ask endpoints that only read')
    .action(wrap(testStep));
};

async function testStep(context: Context, playbook: string, name: string, options: Options): Promise<ExitCode> {
  const api = context.api();
  const body = {
    inputs: readInputs(options, await playbookTypes(api, playbook)),
    samples: Object.fromEntries(
      readPairs(options.result, '--result').map(([step, value]) => [step, typedValue(value, undefined)]),
    ),
    live_reads: options.liveReads === true,
  };
  const report = await api.post<DryRun>(`/playbooks/${encodeURIComponent(playbook)}/test`, body);
  const steps = report.steps.filter((step) => step.step_path === name || step.step === name);
  if (steps.length === 0) throw notReached(name, report);
  const { warnings = [] } = report;
  const told = warnings.length === 0 ? { steps } : { steps, warnings };
  context.output.result(told, () => [...steps.map(stepText), ...warnings.map(warningLine)].join('\n'));
  return steps.some(({ status }) => status === 'failed') ? EXIT.failed : EXIT.ok;
}

function notReached(name: string, { steps, code, message }: DryRun): CliError {
  const reached = new Set(steps.map(({ step }) => step));
  const way = suggestionOr(name, reached, `Steps that are: ${[...reached].join(', ')}.`);
  const why = code === undefined ? '' : ` It would end before: ${code}${message === undefined ? '' : `: ${message}`}.`;
  return new CliError(
    'step_not_reached',
    `No step "${name}" is reached with these inputs and results.${why} ${way}`,
    EXIT.failed,
  );
}

function stepText(step: Step): string {
  const { step_path: place, status, reason, message, effect, source, not_live: notLive, error } = step;
  const facts = [
    status,
    ...[message ?? reason].filter((why) => why !== undefined),
    ...(effect === undefined ? [] : [`effect: ${effect}`]),
  ];
  return [
    `${place}: ${facts.join(', ')}`,
    ...(step.inputs === undefined ? [] : [`inputs: ${JSON.stringify(step.inputs, null, 2)}`]),
    ...(notLive === undefined ? [] : [`not read live: ${notLive}`]),
    ...(error === undefined || error === null ? [] : [`error: ${JSON.stringify(error)}`]),
    ...(step.output === undefined
      ? []
      : [`output${source === undefined ? '' : ` (${source})`}: ${JSON.stringify(step.output, null, 2)}`]),
  ].join('\n');
}
