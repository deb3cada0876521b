import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { WorkflowNotFoundError } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { isTerminal } from '../../core/base/run-status';
import { Redactor } from '../../infra/secrets/redactor';
import { openEnds } from './open-ends';
import type { Stack } from './stack';
import type { Seen, Witness } from './witness';

export interface LedgerOptions {
  witness?: Witness;
  /** Number of distinct effects that W must have seen for a run; runs that are not named are not counted. */
  effects?: ReadonlyMap<string, number>;
  /** Checks these runs and their children alone; default: all. */
  runs?: readonly string[];
}

interface RunLine {
  id: string;
  status: string;
  status_code: string | null;
  waits: unknown[];
  root_run_id: string;
}

/**
 * The check that ends every fault case, after the fault. Gives everything that is wrong; empty = all is well:
 * 1. acknowledged requests are in the database; 2. W holds one distinct key for each effect, and as many effects as
 * expected; nothing is open in a run that has ended; 3. no run is "running" without a task behind it; 4. database and history agree; 5. the secret is nowhere.
 */
export async function checkLedger(stack: Stack, options: LedgerOptions = {}): Promise<string[]> {
  const all = await stack.admin.query<RunLine>(
    'select id, status, status_code, waits, root_run_id from runs order by created_at',
  );
  const known = new Set(all.map((run) => run.id));
  const lost = [...stack.api.acknowledged].filter((id) => !known.has(id)).map((id) => `acknowledged run ${id} is lost`);
  const runs = all.filter((run) => options.runs?.includes(run.root_run_id) ?? true);
  const states: string[] = [];
  for (const run of runs) states.push(...(await settledProblems(stack, run)));
  states.push(...(await openProblems(stack, options.runs)));
  return [
    ...lost,
    ...(options.witness ? effectProblems(options.witness.seen, options.effects ?? new Map()) : []),
    ...states,
    ...(await canaryPlaces(stack, runs)),
  ];
}

/** The body names the effect (run, step, item); the key is the product's identity of it. */
function effectProblems(seen: readonly Seen[], expected: ReadonlyMap<string, number>): string[] {
  const keyed = seen.filter((request) => request.key !== '');
  const problems = [
    ...pairs(
      keyed,
      (request) => `${request.path} ${JSON.stringify(request.body)}`,
      (request) => request.key,
    ),
    ...pairs(
      keyed,
      (request) => request.key,
      (request) => request.bodyHash,
    ),
  ];
  for (const [runId, count] of expected) {
    const keys = new Set(keyed.filter((request) => request.key.startsWith(`${runId}/`)).map((request) => request.key));
    if (keys.size !== count) problems.push(`run ${runId}: ${keys.size} effects reached W, expected ${count}`);
  }
  return problems;
}

function pairs(seen: readonly Seen[], of: (request: Seen) => string, to: (request: Seen) => string): string[] {
  const found = new Map<string, Set<string>>();
  for (const request of seen) found.set(of(request), (found.get(of(request)) ?? new Set()).add(to(request)));
  return [...found]
    .filter(([, values]) => values.size > 1)
    .map(([name, values]) => `${name} has ${[...values].join(' and ')}`);
}

const SETTLE_MS = 60_000;
const REASONED = ['waiting_approval', 'waiting_budget', 'needs_attention', 'paused'];
/** Database status → status of the closed workflow. */
const CLOSED: Record<string, string> = {
  complete: 'COMPLETED',
  partial: 'COMPLETED',
  rejected: 'COMPLETED',
  suppressed: 'COMPLETED',
  timed_out: 'COMPLETED',
  failed: 'FAILED',
  cancelled: 'CANCELLED',
};
/** Codes of runs whose history was closed from outside; the row has the code. */
const FROM_OUTSIDE = [
  'workflow_terminated',
  'workflow_missing',
  'workflow_timed_out',
  'workflow_failed',
  'workflow_closed',
];

/** The row is written one workflow task before the history closes. */
async function settledProblems(stack: Stack, run: RunLine): Promise<string[]> {
  for (const end = Date.now() + SETTLE_MS; ; await sleep(200)) {
    const problems = await checkRun(stack, run);
    if (problems.length === 0) return problems;
    if (Date.now() > end) return [...problems, await lastOfHistory(stack, run.id)];
  }
}

/** A child ends a moment after the workflow that started it. */
async function openProblems(stack: Stack, roots?: readonly string[]): Promise<string[]> {
  for (const end = Date.now() + SETTLE_MS; ; await sleep(200)) {
    const open = await openEnds(stack.admin, roots ?? null);
    if (open.length === 0 || Date.now() > end) return open;
  }
}

async function checkRun(stack: Stack, run: RunLine): Promise<string[]> {
  const status = await historyStatus(stack, run.id);
  const said = `run ${run.id} is ${run.status}${run.status_code === null ? '' : ` (${run.status_code})`}, its history ${status}`;
  if (FROM_OUTSIDE.includes(run.status_code ?? '')) return status === 'RUNNING' ? [said] : [];
  if (isTerminal(run.status as never)) {
    const coded = run.status !== 'failed' || run.status_code !== null;
    return CLOSED[run.status] === status && coded ? [] : [said];
  }
  if (status !== 'RUNNING') return [said];
  return REASONED.includes(run.status) && run.waits.length > 0 ? [] : [`${said}, and it waits for nothing`];
}

async function historyStatus(stack: Stack, runId: string): Promise<string> {
  try {
    return (await stack.client.workflow.getHandle(`run-${runId}`).describe()).status.name;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'MISSING';
    throw error;
  }
}

/** The end of a history that contradicts its row, and the server's next workflow task. */
async function lastOfHistory(stack: Stack, runId: string): Promise<string> {
  try {
    const handle = stack.client.workflow.getHandle(`run-${runId}`);
    const { raw } = await handle.describe();
    const events = ((await handle.fetchHistory()).events ?? []).slice(-8);
    const types = events.map(({ eventType }) => temporal.api.enums.v1.EventType[eventType ?? 0]);
    return `history of ${runId} ends with ${types.join(', ')}; pending: ${JSON.stringify(raw.pendingWorkflowTask ?? null)}`;
  } catch (error) {
    return `history of ${runId} cannot be read: ${String(error)}`;
  }
}

/** The secret as it is, in hexadecimal, and in base64: the forms that the product itself masks. */
async function canaryPlaces(stack: Stack, runs: readonly RunLine[]): Promise<string[]> {
  const mask = new Redactor([stack.canary]).text;
  const holds = (text: string) => mask(text) !== text;
  const places: string[] = [];
  if (holds(stack.logs())) places.push('a log');
  places.push(...(await canaryInTables(stack, holds)));
  for (const run of runs) if (await inHistory(stack, run.id, holds)) places.push(`the history of run ${run.id}`);
  return places.map((place) => `the canary is in ${place}`);
}

export async function canaryInTables(stack: Pick<Stack, 'admin'>, holds: (text: string) => boolean): Promise<string[]> {
  const { admin } = stack;
  const tables = await admin.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = name.endsWith('.blob_chunks')
      ? (await admin.query<{ data: string }>(`select encode(data, 'base64') as data from ${name}`)).map((row) =>
          gunzipSync(Buffer.from(row.data, 'base64')).toString('utf8'),
        )
      : (await admin.query<{ line: string }>(`select row_to_json(t)::text as line from ${name} t`)).map(
          (row) => row.line,
        );
    if (rows.some(holds)) found.push(`table ${name}`);
  }
  return found;
}

/** The payloads as the server keeps them; offloaded ones are in the blob tables, which are searched too. */
async function inHistory(stack: Stack, runId: string, holds: (text: string) => boolean): Promise<boolean> {
  const history = await stack.client.workflow
    .getHandle(`run-${runId}`)
    .fetchHistory()
    .catch(() => undefined);
  if (history === undefined) return false;
  return holds(Buffer.from(temporal.api.history.v1.History.encode(history).finish()).toString('latin1'));
}
