import type { Json, JsonObject } from '../../core/base/json';
import { AppError } from '../../core/errors/app-error';
import { evaluateCondition, parseCondition } from '../../core/expr/condition';
import { walkPath } from '../../core/expr/reference';
import type { Sql } from '../../infra/db/database';
import { isDatabaseOutage } from '../../infra/db/outage';
import { alteredRemark } from '../../infra/export/altered-cells';
import { toChat, summaryOf } from './output-chat';
import { toDocument, toFile, toFolder } from './output-documents';
import { toExisting } from './output-append';
import { jobOfPlaybook, jobOfStep } from './output-job';
import { toTable } from './output-table';
import type { Apply, Destination, InvalidDestination, OutputDeps, OutputJob, Prepare } from './output-types';
import type { ActionContext, ActionOutcome, ActionTable } from './types';

const PREPARE = new Map<string, Prepare>([
  ['document', toDocument],
  ['folder', toFolder],
  ['file_export', toFile],
  ['append_to_existing', toExisting],
  ['data_workspace_table', toTable],
  ['chat', toChat],
]);
const NOT_AVAILABLE = ['knowledge_graph', 'data_workspace_db'];

interface ReportEntry extends JsonObject {
  destination: string;
  status: string;
}
type Prepared = { entry: ReportEntry } | { destination: string; apply: Apply };

/**
 * `route_output` (a step) and `$output` (the `output` of a playbook): `{routed_to, success, routing_report, summary?}`.
 * Each destination is separate: one that fails is an entry with code and message, the others continue. Only a failure
 * of the platform (database, blob store) is thrown, and then nothing is recorded.
 */
export function createOutputActions(deps: OutputDeps): ActionTable {
  return {
    route_output: async (call, context) =>
      route(deps, context, jobOfStep(call, context, (await deps.runs.get(context.runId))?.inputs ?? {})),
    $output: (call, context) => route(deps, context, jobOfPlaybook(call, context)),
  };
}

async function route(deps: OutputDeps, context: ActionContext, job: OutputJob): Promise<ActionOutcome> {
  const prepared: Prepared[] = [];
  for (const [index, destination] of job.destinations.entries()) {
    prepared.push(await prepareOne({ deps, context, job }, destination, index));
  }
  return { commit: (sql) => applyAll(sql, job, prepared) };
}

async function prepareOne(
  shared: { deps: OutputDeps; context: ActionContext; job: OutputJob },
  destination: Destination | InvalidDestination,
  index: number,
): Promise<Prepared> {
  const name = destination.type;
  if ('fault' in destination) {
    return { entry: failure(name, destination.fault) };
  }
  const prepare = PREPARE.get(name);
  if (prepare === undefined) {
    return { entry: unknownType(name) };
  }
  try {
    if (!conditionHolds(destination.condition, shared.job)) {
      return { entry: skipped(destination) };
    }
    const effectKey = `${shared.context.effectKey}#${index}`;
    return { destination: name, apply: await prepare({ ...shared, destination, effectKey }) };
  } catch (error) {
    return { entry: failure(name, error) };
  }
}

function skipped({ type, condition, written }: Destination): ReportEntry {
  const text = written ?? (typeof condition === 'string' ? condition : undefined);
  return {
    destination: type,
    status: 'skipped',
    code: 'condition_false',
    message: text === undefined ? 'Its condition is false.' : `Its condition is false: ${text}`,
    details: { reason: 'condition' },
  };
}

function unknownType(name: string): ReportEntry {
  if (NOT_AVAILABLE.includes(name)) {
    return {
      destination: name,
      status: 'not_available',
      code: 'not_available',
      message: `The destination ${name} is not available yet.`,
    };
  }
  const known = [...PREPARE.keys()].join(', ');
  return {
    destination: name,
    status: 'error',
    code: 'unknown_destination',
    message: `There is no destination "${name}". Use one of ${known}.`,
  };
}

/** An expression names `data` and, where the data is a record, its fields. */
function conditionHolds(condition: boolean | string | undefined, job: OutputJob): boolean {
  if (typeof condition !== 'string') {
    return condition ?? true;
  }
  const parsed = parseCondition(condition);
  if (!parsed.ok) {
    throw new AppError(
      'invalid_expression',
      `The condition cannot be read at character ${parsed.problem.offset + 1}: ${parsed.problem.message}`,
      {
        category: 'validation',
      },
    );
  }
  const data: Json = job.report.sections[0]?.value ?? null;
  return evaluateCondition(parsed.value, ({ root, path }) =>
    root === 'data' ? walkPath(data, path) : walkPath(data, [{ kind: 'field', name: root }, ...path]),
  );
}

/** Gives each destination a savepoint: when one fails, only its own writes are undone. */
async function applyAll(sql: Sql, job: OutputJob, prepared: readonly Prepared[]): Promise<Json> {
  const report: ReportEntry[] = [];
  for (const item of prepared) {
    report.push('entry' in item ? item.entry : await applyOne(sql, item));
  }
  const routed = report.filter((entry) => entry.status === 'success').map((entry) => entry.destination);
  const summary = summaryOf(job, routed.includes('chat'));
  return {
    routed_to: routed,
    success: report.every((entry) => entry.status === 'success' || entry.status === 'skipped'),
    routing_report: report,
    ...(summary === undefined ? {} : { summary }),
  };
}

async function applyOne(sql: Sql, item: { destination: string; apply: Apply }): Promise<ReportEntry> {
  await sql.query('savepoint destination');
  try {
    const details = await item.apply(sql);
    await sql.query('release savepoint destination');
    return { destination: item.destination, status: 'success', ...alteredRemark(details), details };
  } catch (error) {
    const entry = failure(item.destination, error);
    await sql.query('rollback to savepoint destination');
    return entry;
  }
}

/** Makes the failure of one destination its entry; any other error is thrown on. */
function failure(destination: string, error: unknown): ReportEntry {
  if (!(error instanceof AppError) || isDatabaseOutage(error)) {
    throw error;
  }
  return { destination, status: 'error', code: error.code, message: error.message };
}
