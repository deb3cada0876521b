import { randomUUID } from 'node:crypto';
import type { Context } from '../context';
import { EXIT, type ExitCode } from '../errors';
import type { Run, RunControl, RunStarted } from '../http/types';
import type { Register } from './command';
import { playbookTypes, stepTypes } from '../declared-types';
import type { Api } from '../http/api';
import { appendValue, givesInputs, type InputOptions, readInputs, readPairs, typedValue } from '../inputs';
import { wholeRunId } from '../run-id';
import { followStarted, type FollowOptions } from './run';

const ACTS = {
  cancel: { does: 'end a run; a step that is under way is told to stop', said: 'is to end' },
  pause: { does: 'begin no further step of a run', said: 'is to pause' },
  resume: { does: 'go on with a paused run', said: 'is to go on' },
} as const;

interface RetryOptions extends InputOptions, FollowOptions {
  fromStep?: string;
  with: string[];
}

export const registerRunActs: Register = (program, wrap) => {
  for (const [name, { does, said }] of Object.entries(ACTS)) {
    program
      .command(name)
      .description(does)
      .argument('<runId>')
      .action(wrap((context, runId: string) => control(context, runId, { name, said })));
  }
  program
    .command('retry')
    .description('run again what did not succeed, as a new run; what succeeded before it is taken over')
    .argument('<runId>')
    .option('--from-step <name>', 'top-level step to begin with; default: the first that did not succeed')
    .option(
      '--input <name=value>',
      'an edited input of that step: text where it takes text, else read as JSON where it is JSON',
      appendValue,
      [],
    )
    .option('--inputs <file>', 'JSON file with the edited inputs of that step; - for standard input')
    .option(
      '--with <name=value>',
      'another input of the playbook: all of it begins again, the other inputs stay',
      appendValue,
      [],
    )
    .option('--follow', 'show the steps and wait for the end')
    .option('--approve', 'follow, and approve every request')
    .action(wrap(retry));
};

async function control(context: Context, runId: string, act: { name: string; said: string }): Promise<ExitCode> {
  const api = context.api();
  const answer = await api.post<RunControl>(`/runs/${await wholeRunId(api, runId)}/${act.name}`, {});
  context.output.result(answer, ({ status }) => `Run ${runId} ${act.said}.\nstatus: ${status}`);
  return EXIT.ok;
}

/** The key makes a repeated retry of the same call harmless. */
async function retry(context: Context, runId: string, options: RetryOptions): Promise<ExitCode> {
  const api = context.api();
  const whole = await wholeRunId(api, runId);
  const body = {
    from_step: options.fromStep,
    inputs: givesInputs(options) ? await editedInputs(api, whole, options) : undefined,
    with: await otherInputs(api, whole, options.with),
  };
  const path = `/runs/${whole}/retry`;
  const started = await api.post<RunStarted>(path, body, { 'idempotency-key': randomUUID() });
  return followStarted(context, started, options);
}

async function editedInputs(api: Api, runId: string, options: RetryOptions): Promise<Record<string, unknown>> {
  if (options.input.length === 0) return readInputs(options);
  return readInputs(options, await stepTypes(api, await api.get<Run>(`/runs/${runId}`), options.fromStep));
}

/** Reads inputs by the types that the run's own version of the playbook declares. */
async function otherInputs(api: Api, runId: string, pairs: string[]): Promise<Record<string, unknown> | undefined> {
  if (pairs.length === 0) return undefined;
  const { playbook } = await api.get<Run>(`/runs/${runId}`);
  const types = await playbookTypes(api, playbook.slug, playbook.version_no?.toString());
  return Object.fromEntries(
    readPairs(pairs, '--with').map(([name, value]) => [name, typedValue(value, types.get(name))]),
  );
}
