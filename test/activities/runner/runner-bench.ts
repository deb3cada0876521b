import { Compute } from '../../../activities/runner/compute';
import { runUnits } from '../../../activities/runner/run-units';
import type { Action, ActionTable } from '../../../activities/actions/types';
import type { RunnerDeps } from '../../../activities/runner/types';
import type { UnitCall } from '../../../core/engine/commands';
import { PostgresBlobs } from '../../../infra/blob/postgres-blobs';
import { ApprovalsStore } from '../../../infra/db/stores/approvals.store';
import { StepHotPath } from '../../../infra/db/stores/step-hot-path.store';
import { createLogger } from '../../../infra/log/logger';
import type { RunUnitsInput, RunUnitsResult } from '../../../workflows/types';
import { OWNER, seedRun, testDatabase, type TestDatabase } from '../../db/db-fixture';

const echo: Action = (call) => Promise.resolve({ output: { ...call.inputs } });

/** The runner of units on a real database, without Temporal: one run at a time. */
export class RunnerBench {
  private database: TestDatabase | undefined;
  private readonly compute = new Compute();
  private runId = '';

  readonly open = async (): Promise<TestDatabase> => (this.database = await testDatabase());

  readonly close = async (): Promise<void> => {
    await this.compute.close();
    await this.database?.close();
  };

  /** The run that units belong to from now on. */
  readonly newRun = async (): Promise<string> => (this.runId = await seedRun(this.db.database));

  readonly depsWith = (actions: ActionTable): RunnerDeps => ({
    steps: new StepHotPath(this.db.database),
    approvals: new ApprovalsStore(this.db.database),
    blobs: new PostgresBlobs(this.db.database),
    actions: { echo, ...actions },
    compute: this.compute,
    log: createLogger({ name: 'test', level: 'fatal' }),
    quarantineAfter: 2,
    workerLostAfter: 8,
  });

  readonly unit = (path: string, more: Partial<UnitCall> = {}): UnitCall => ({
    path,
    name: path,
    key: path,
    effectKey: `${this.runId}/${path}`,
    tryNo: 1,
    action: 'echo',
    inputs: {},
    params: {},
    refs: {},
    timeoutMs: 60_000,
    valueLimit: 1_048_576,
    ...more,
  });

  readonly input = (units: UnitCall[]): RunUnitsInput => ({
    runId: this.runId,
    ownerId: OWNER,
    versionId: '',
    units,
    queue: 'main',
    clock: { now: '2026-01-01T00:00:00Z', today: '2026-01-01', time_zone: 'UTC' },
    connectors: {},
    playbook: 'p',
    transitions: { events: [], approvals: [] },
  });

  readonly run = (deps: RunnerDeps, units: UnitCall[], worker = 'w1'): Promise<RunUnitsResult> =>
    runUnits(deps, this.input(units), {
      worker,
      attempt: 1,
      signal: new AbortController().signal,
      beat: () => undefined,
    });

  readonly starts = async (path: string): Promise<{ starts: number; released: number }[]> =>
    this.db.admin.query('select starts, released from step_attempts where run_id = $1 and step_path = $2', [
      this.runId,
      path,
    ]);

  private get db(): TestDatabase {
    if (this.database === undefined) throw new Error('The bench is not open.');
    return this.database;
  }
}
