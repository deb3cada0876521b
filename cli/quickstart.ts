import { randomUUID } from 'node:crypto';
import { type Profile, startProfile } from '../infra/embedded/profile';
import { openApi, type Context } from './context';
import { EXIT, type ExitCode } from './errors';
import type { Run, RunStarted } from './http/types';
import { exitCodeOfRun, runLines } from './run-outcome';
import { fetchReport } from './run-report';
import { stopSignal, untilAborted } from './stop-signal';
import { stopWithMessage } from './up';
import { statusText } from './view/status-text';
import { watchRun } from './watch-run';

/** Needs no model. Its inputs have the shipped filings as their default. */
const EXAMPLE = 'nonprofit-filing-review-deterministic';

export interface QuickstartOptions {
  /** Approve, wait for the end, stop everything. */
  once?: boolean;
}

/** The first ten minutes: the whole profile, the example playbook on real filings, its approval, its report. */
export async function quickstart(context: Context, options: QuickstartOptions): Promise<ExitCode> {
  const signal = stopSignal();
  const { output } = context;
  const once = options.once === true;
  const profile = await startProfile({ say: (line) => output.note(line), signal });
  let ended: Ended | undefined;
  try {
    output.note(profile.joined ? 'Joined the profile that runs already:' : 'Everything runs:');
    output.note(statusText(profile.endpoints()));
    ended = await runExample(context, profile, { once, signal });
    if (ended && !once) show(context, ended);
    if (!once && !profile.joined && !signal.aborted) {
      output.note('\nEverything stays up; Ctrl-C stops it. "npm run af -- --help" shows what else there is.');
      await untilAborted(signal);
    }
  } finally {
    await stopWithMessage(profile, context);
  }
  if (!once) return EXIT.ok;
  // The result is printed last, after all other output: scripts read it there.
  if (ended) show(context, ended);
  return ended ? exitCodeOfRun(ended.run) : EXIT.failed;
}

interface Ended {
  run: Run;
  report?: string;
}

/** Runs the example; undefined when it was interrupted. */
async function runExample(
  context: Context,
  profile: Profile,
  options: { once: boolean; signal: AbortSignal },
): Promise<Ended | undefined> {
  const api = openApi(new URL(profile.endpoints().api.url).origin);
  const started = Date.now();
  const body = { playbook: EXAMPLE, inputs: {} };
  const { runId } = await api.post<RunStarted>('/runs', body, { 'idempotency-key': randomUUID() });
  context.output.note(`\nRunning the playbook ${EXAMPLE} as run ${runId}`);
  const run = await watchRun(api, runId, { approve: options.once, signal: options.signal });
  if (options.signal.aborted) return undefined;
  const report = await fetchReport(api, runId);
  context.output.note(`The run took ${((Date.now() - started) / 1_000).toFixed(1)} s.`);
  return { run, report };
}

function show(context: Context, ended: Ended): void {
  const { run, report } = ended;
  context.output.result({ run: run.runId, status: run.status, report }, () => runLines(run, report));
}
