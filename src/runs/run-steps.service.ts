import { Inject, Injectable } from '@nestjs/common';
import { shorten } from '../../core/base/shorten';
import type { Json } from '../../core/base/json';
import type { StoredValue } from '../../core/engine/values';
import { AppError } from '../../core/errors/app-error';
import type { Plan, StepPlan } from '../../core/playbook/types';
import type { BlobStore } from '../../infra/blob/blob-store';
import type { CursorScope } from '../../infra/db/stores/cursor';
import { PlaybooksStore } from '../../infra/db/stores/definitions.store';
import { BEFORE_STEPS, RunStepsStore, type StepsOf } from '../../infra/db/stores/run-steps.store';
import type { RunRow } from '../../infra/db/stores/run-types';
import { RunsStore } from '../../infra/db/stores/runs.store';
import { StepsStore, type StepTry } from '../../infra/db/stores/steps.store';
import { BLOBS } from '../app/tokens';
import type { CallerInfo } from '../http/caller';
import { readNumberPlace, writeNumberPlace } from '../shared/positions';
import type { StepListQuery, StepValueQuery } from './dto/run-query.dto';
import type { StepValueDto } from './dto/run-details.dto';
import type { StepListDto, StepRowDto } from './dto/step-view.dto';
import { jsonSlice } from './json-slice';
import { waitsOf } from './run-view';
import { stepViews, type FoldedStep } from './step-view';
import { storedJson } from './stored-json';

const STEPS_PAGE = 200;
/** Pages of the log that one request reads in search of a status. */
const MOST_READS = 5;

/** Step and kind of the value of a slice. */
interface ValuePlace {
  of: 'input' | 'output';
  runId: string;
  stepPath: string;
  tryNo: number | undefined;
}

/** The steps of a run, page by page, and what went in and out of each. */
@Injectable()
export class RunStepsService {
  constructor(
    private readonly runs: RunsStore,
    private readonly log: RunStepsStore,
    private readonly results: StepsStore,
    private readonly playbooks: PlaybooksStore,
    @Inject(BLOBS) private readonly blobs: BlobStore,
  ) {}

  /** Throws `run_not_found`; so do the others. */
  async list(caller: CallerInfo, runId: string, query: StepListQuery): Promise<StepListDto> {
    const run = await this.runs.require(caller.ownerId, runId);
    const { found, next } = await this.find(caller, runId, query);
    const items = await this.rows(caller, run, found);
    return next === undefined
      ? { items }
      : { items, next_cursor: writeNumberPlace(scopeOf(runId, query), next - BEFORE_STEPS) };
  }

  /** The status of a step is not in one row: pages of events are folded and filtered until there are enough steps, or enough was read. */
  private async find(
    caller: CallerInfo,
    runId: string,
    query: StepListQuery,
  ): Promise<{ found: FoldedStep[]; next?: number }> {
    const limit = query.limit ?? STEPS_PAGE;
    const found: FoldedStep[] = [];
    let after = BEFORE_STEPS + (readNumberPlace(scopeOf(runId, query), query.cursor) ?? 0);
    for (let reads = 0; reads < MOST_READS; reads += 1) {
      const page = stepViews(
        await this.log.page(caller.ownerId, runId, { after, limit: limit + 1, of: stepsOf(query.parent) }),
      );
      const full = page.length > limit;
      for (const step of page.slice(0, limit)) {
        after = step.first_seq;
        if (query.status === undefined || step.status === query.status) found.push(step);
        if (found.length === limit) return full || step !== page.at(-1) ? { found, next: after } : { found };
      }
      if (!full) return { found };
    }
    return { found, next: after };
  }

  private async rows(caller: CallerInfo, run: RunRow, steps: readonly FoldedStep[]): Promise<StepRowDto[]> {
    if (steps.length === 0) return [];
    const paths = steps.map((step) => step.step_path);
    const [attempts, children] = await Promise.all([
      this.log.attempts(caller.ownerId, run.id, paths),
      this.log.children(caller.ownerId, run.id, paths),
    ]);
    const attemptsOf = new Map(attempts.map((row) => [row.step_path, row]));
    const waits = new Map(waitsOf(run).map((wait) => [wait.step_path ?? '', wait]));
    return steps.map(({ first_seq: _, ...step }) => {
      const { attempts: count = 0, losses = 0, effects_sent = 0 } = attemptsOf.get(step.step_path) ?? {};
      const wait = waits.get(step.step_path);
      const own = children.filter((child) => child.parent_step_path === step.step_path);
      return {
        ...step,
        attempts: count,
        losses,
        effects_sent,
        ...(wait === undefined ? {} : { wait }),
        children: own.map((child) => ({ runId: child.id, status: child.status, playbook: child.playbook_slug })),
      };
    });
  }

  /** Input of a step. Throws also `step_value_not_found`; so does `output`. */
  async input(caller: CallerInfo, runId: string, stepPath: string, query: StepValueQuery): Promise<StepValueDto> {
    await this.runs.require(caller.ownerId, runId);
    const row = tryOf(await this.results.triesOf(caller.ownerId, runId, stepPath), query.try_no);
    if (row === undefined || row.input === null) throw notKept(stepPath, 'input');
    return this.slice(
      caller,
      { value: row.input },
      { of: 'input', runId, stepPath, tryNo: row.try_no, cursor: query.cursor },
    );
  }

  /** Output of a step; of one that ran inside the workflow, the part that the run kept. */
  async output(caller: CallerInfo, runId: string, stepPath: string, query: StepValueQuery): Promise<StepValueDto> {
    const run = await this.runs.require(caller.ownerId, runId);
    const row = tryOf(await this.results.triesOf(caller.ownerId, runId, stepPath), query.try_no);
    const stored = row === undefined ? await this.keptAtTheEnd(caller, run, stepPath) : row.output;
    if (stored === undefined || stored === null) throw notKept(stepPath, 'output', row);
    return this.slice(caller, stored, { of: 'output', runId, stepPath, tryNo: row?.try_no, cursor: query.cursor });
  }

  private async keptAtTheEnd(caller: CallerInfo, run: RunRow, stepPath: string): Promise<StoredValue | undefined> {
    if (run.result === null) return undefined;
    const version = await this.playbooks.version(caller.ownerId, run.playbook_version_id);
    const key = version === null ? undefined : keyOf(version.body, stepPath);
    return key !== undefined && Object.hasOwn(run.result, key) ? run.result[key] : undefined;
  }

  private async slice(
    caller: CallerInfo,
    stored: StoredValue,
    { cursor, ...at }: ValuePlace & { cursor: string | undefined },
  ): Promise<StepValueDto> {
    const scope = { list: 'step_value', filters: { ...at, tryNo: at.tryNo ?? null } };
    const from = readNumberPlace(scope, cursor) ?? 0;
    const json = storedJson(stored, (part) => this.blobs.get(caller.ownerId, part.sha256));
    const { text, next } = await jsonSlice(json, from);
    const base = { step_path: at.stepPath, ...(at.tryNo === undefined ? {} : { try_no: at.tryNo }) };
    if (from === 0 && next === undefined) return { ...base, value: JSON.parse(text) as Json };
    return { ...base, text, ...(next === undefined ? {} : { next_cursor: writeNumberPlace(scope, next) }) };
  }
}

function scopeOf(runId: string, { parent, status }: StepListQuery): CursorScope {
  return { list: 'steps', filters: { runId, parent: parent ?? null, status: status ?? null } };
}

function stepsOf(parent: string | undefined): StepsOf {
  if (parent === undefined) return 'all';
  return parent === '' ? 'top' : { parent };
}

function tryOf(tries: readonly StepTry[], tryNo: number | undefined): StepTry | undefined {
  if (tryNo !== undefined) return tries.find((row) => row.try_no === tryNo);
  return tries.find((row) => row.status === 'ok') ?? tries.at(-1);
}

function keyOf(plan: Plan, stepPath: string): string | undefined {
  return plan.steps.find((step: StepPlan) => step.name === stepPath)?.key;
}

function notKept(stepPath: string, what: 'input' | 'output', row?: StepTry): AppError {
  const why =
    row === undefined
      ? 'No activity carried out such a step; one that ran inside the workflow keeps a preview in the list of steps, and its result once the run has ended.'
      : row.status === 'failed'
        ? 'The step failed; the list of steps has its error.'
        : 'There is none yet.';
  return new AppError('step_value_not_found', `There is no ${what} of the step "${shorten(stepPath, 200)}". ${why}`, {
    category: 'not_found',
  });
}
