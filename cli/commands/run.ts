import { randomUUID } from 'node:crypto';
import type { Context } from '../context';
import { playbookTypes } from '../declared-types';
import { EXIT, type ExitCode } from '../errors';
import type { Api } from '../http/api';
import type { RunStarted } from '../http/types';
import { appendValue, type InputOptions, readInputs } from '../inputs';
import { exitCodeOfRun, runLines, warningLine, reasonLines } from '../run-outcome';
import { fetchReport } from '../run-report';
import { watchRun } from '../watch-run';
import type { Register } from './command';

export interface FollowOptions {
  follow?: boolean;
  approve?: boolean;
}

interface RunOptions extends InputOptions, FollowOptions {
  query?: string;
  playbookVersion?: string;
  timeZone?: string;
  context?: string;
}

export const registerRun: Register = (program, wrap) => {
  program
    .command('run')
    .description('start a playbook')
    .argument('<playbook>', 'slug or id')
    .option(
      '--input <name=value>',
      'one input: text where the playbook declares text, else read as JSON where it is JSON',
      appendValue,
      [],
    )
    .option('--inputs <file>', 'JSON file with all inputs; - for standard input')
    .option('--query <text>', 'the question in plain words')
    .option('--playbook-version <version>', 'default: the latest')
    .option('--time-zone <zone>', 'IANA zone in which {today} is taken')
    .option('--context <context>', 'interactive, background, scheduled or monitor')
    .option('--follow', 'show the steps and wait for the end')
    .option('--approve', 'follow, and approve every request')
    .action(wrap(run));
};

async function run(context: Context, playbook: string, options: RunOptions): Promise<ExitCode> {
  return followStarted(context, await startRun(context.api(), playbook, options), options);
}

/** Says which run began, and watches it where that is wanted. */
export async function followStarted(context: Context, started: RunStarted, options: FollowOptions): Promise<ExitCode> {
  const api = context.api();
  const warned = (started.warnings ?? []).map(warningLine);
  if (!options.follow && !options.approve) {
    context.output.result(started, ({ runId, status }) => [`run: ${runId}`, `status: ${status}`, ...warned].join('\n'));
    return EXIT.ok;
  }
  const { output } = context;
  output.note([`run: ${started.runId}`, ...warned].join('\n'));
  const jsonEvents = output.json ? (event: unknown) => output.jsonLine(event) : undefined;
  const closed = await watchRun(api, started.runId, { approve: options.approve === true, jsonEvents });
  if (output.json) output.jsonLine(closed);
  else output.note([...reasonLines(closed), runLines(closed, await fetchReport(api, started.runId))].join('\n'));
  return exitCodeOfRun(closed);
}

/** The key makes a repeated start of the same call harmless. */
async function startRun(api: Api, playbook: string, options: RunOptions): Promise<RunStarted> {
  const types = options.input.length === 0 ? undefined : await playbookTypes(api, playbook, options.playbookVersion);
  const body = {
    playbook,
    inputs: readInputs(options, types),
    query: options.query,
    version: options.playbookVersion,
    time_zone: options.timeZone,
    run_context: options.context,
  };
  return await api.post<RunStarted>('/runs', body, { 'idempotency-key': randomUUID() });
}
