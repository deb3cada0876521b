import type { RunRow } from '../db/stores/run-types';
import type { FinishAnswer } from '../db/stores/transitions.store';

/** Log of the lines about runs. */
export interface RunLog {
  info(fields: object, message: string): void;
}

type StartedRun = Pick<RunRow, 'id' | 'playbook_slug' | 'owner_id' | 'parent_run_id' | 'retry_of'>;
type EndedRun = Pick<RunRow, 'id' | 'playbook_slug' | 'owner_id' | 'created_at'>;

/** One line as the workflow of a run is started. */
export function logRunStarted(log: RunLog, run: StartedRun): void {
  const { parent_run_id: parent, retry_of: retryOf } = run;
  log.info(
    {
      event: 'run.started',
      ...names(run),
      ...(parent !== null && { parentRunId: parent }),
      ...(retryOf !== null && { retryOf }),
    },
    'run started',
  );
}

interface End {
  status: string;
  code?: string | undefined;
}

/** One line for a run that an answer says has ended now, and one for each that ended with it. */
export function logRunEnds(log: RunLog, run: EndedRun, { closed, children = [] }: FinishAnswer, end: End): void {
  if (!closed) return;
  logRunEnded(log, run, end);
  for (const child of children) logRunEnded(log, child, child);
}

/** `ms` counts from the moment at which it was accepted. */
function logRunEnded(log: RunLog, run: EndedRun, end: End): void {
  const ms = Math.max(0, Date.now() - Date.parse(run.created_at));
  const { status, code } = end;
  log.info({ event: 'run.ended', ...names(run), status, ms, ...(code !== undefined && { code }) }, 'run ended');
}

function names(run: { id: string; playbook_slug: string; owner_id: string }): object {
  return { runId: run.id, playbook: run.playbook_slug, owner: run.owner_id };
}
