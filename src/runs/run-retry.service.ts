import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { ConnectorsStore, PlaybooksStore } from '../../infra/db/stores/definitions.store';
import { RunRetryStore, type NewRetry } from '../../infra/db/stores/run-retry.store';
import type { PinnedConnectors, VersionRow } from '../../infra/db/stores/definition-types';
import type { RunRow } from '../../infra/db/stores/run-types';
import { RunsStore } from '../../infra/db/stores/runs.store';
import type { JsonObject } from '../../core/base/json';
import { AppError } from '../../core/errors/app-error';
import { isTerminal, type RunStatus } from '../../core/base/run-status';
import type { ApiSettings } from '../app/settings';
import { SETTINGS } from '../app/tokens';
import type { CallerInfo } from '../http/caller';
import type { RetryRunDto } from './dto/run-commands.dto';
import type { RunStartedDto } from './dto/run-view.dto';
import { planRetry, type RetryPlan } from '../../core/playbook/retry-plan';
import type { Plan } from '../../core/playbook/types';
import { editProblem } from '../../infra/approvals/edit-check';
import { editSchemaOf } from '../../infra/approvals/edit-schemas';
import { retryFacts, type RetryReader } from '../../infra/temporal/retry-facts';
import { bodyHash } from '../http/idempotency/request-hash';
import { resolveClock } from './run-clock';
import { checkInputs } from './run-inputs';
import { factsOf } from './run-start.service';
import { RunLauncher } from './run-launcher';
import { runWarnings } from './run-warnings';

/** Checks edited inputs like an approver's edits, also if no step was named. Throws `invalid_inputs`. */
async function checkInputOverride(
  connectors: PinnedConnectors,
  run: Parameters<typeof editSchemaOf>[1],
  plan: Plan,
  { from, inputs: inputOverride }: { from: string | null; inputs: JsonObject | undefined },
): Promise<void> {
  const step = plan.steps.find((each) => each.name === from);
  if (inputOverride === undefined || (step?.kind !== 'tool' && step?.kind !== 'llm_task')) return;
  const problem = editProblem((await editSchemaOf(connectors, run, step)) ?? null, inputOverride);
  if (problem === undefined) return;
  throw new AppError('invalid_inputs', `The inputs do not fit the step "${step.name}": ${problem}`, {
    category: 'validation',
  });
}

interface RetryRequest {
  runId: string;
  body: RetryRunDto;
  idempotency: NewRetry['idempotency'];
}

interface Standing {
  id: string;
  status: RunStatus;
}

interface StepStart extends Pick<RunStartedDto, 'warnings'> {
  run: Standing;
  created: boolean;
}

@Injectable()
export class RunRetryService {
  constructor(
    private readonly runs: RunsStore,
    private readonly playbooks: PlaybooksStore,
    private readonly retries: RunRetryStore,
    private readonly launcher: RunLauncher,
    private readonly connectors: ConnectorsStore,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  /**
   * A repeat with the same key, run and body gives the same retry, whatever became of it.
   * Throws `run_not_found`, `run_is_sub_playbook`, `run_not_closed`, `access_revoked`, `playbook_withdrawn`, `unknown_step`, `inputs_not_editable`, `idempotency_mismatch`.
   */
  async retry(
    caller: CallerInfo,
    runId: string,
    body: RetryRunDto,
    key: string | undefined,
  ): Promise<{ answer: RunStartedDto; created: boolean }> {
    const idempotency = key === undefined ? undefined : { key, hash: bodyHash({ ...body, retry_of: runId }) };
    const earlier = idempotency && (await this.runs.byKey(caller.ownerId, idempotency));
    const { run, created, ...more } = earlier
      ? { run: earlier, created: false }
      : await this.create(caller, { runId, body, idempotency });
    if (run.status === 'pending') {
      this.launcher.launch(run.id);
    }
    return { answer: { runId: run.id, status: run.status, ...more }, created };
  }

  private async create(caller: CallerInfo, request: RetryRequest): Promise<StepStart> {
    const { runId, body, idempotency } = request;
    if (body.with !== undefined) return this.again(caller, request, body.with);
    const plan = await this.plan(caller, runId, body);
    const retry = { id: randomUUID(), idempotency };
    if (await this.retries.create(caller.ownerId, runId, retry, plan)) {
      return { run: { id: retry.id, status: 'pending' }, created: true };
    }
    // Another request with this key was faster.
    const other = idempotency && (await this.runs.byKey(caller.ownerId, idempotency));
    return { run: other ?? (await this.runs.require(caller.ownerId, retry.id)), created: false };
  }

  /** The playbook from its beginning: the same versions and settings, other inputs, its own time. */
  private async again(
    { ownerId, via }: CallerInfo,
    { runId, body, idempotency }: RetryRequest,
    inputs: JsonObject,
  ): Promise<StepStart> {
    if (body.from_step !== undefined || body.inputs !== undefined)
      throw new AppError(
        'conflicting_fields',
        '`with` begins the whole playbook again. `from_step` and `inputs` are for a retry that begins with a step: give one or the other.',
        { category: 'validation' },
      );
    const { run, version } = await this.ended(ownerId, runId);
    const known = { playbooks: this.playbooks, models: this.settings.models };
    const warnings = await runWarnings(known, ownerId, version.body, version.owner_id !== ownerId);
    const made = await this.runs.create(ownerId, {
      ...factsOf(version, factsGiven(run), checkInputs(version.body, { inputs: { ...run.inputs, ...inputs } })),
      clock: resolveClock(
        new Date(),
        run.clock.time_zone,
        (await this.runs.lastExecution(ownerId, run.playbook_id)) ?? undefined,
      ),
      connectors: run.connectors,
      invoked_by: via,
      retry: { of: runId },
      ...(run.profile_id === null ? {} : { profile: { id: run.profile_id, team_id: run.team_id } }),
      ...(idempotency === undefined ? {} : { idempotency }),
    });
    return { ...made, ...warnings };
  }

  /**
   * A run that has ended, and the version that it pinned. One that another run called is carried out under the answers that were
   * given there. Throws `run_not_found`, `run_is_sub_playbook`, `run_not_closed`, or as `refuse`.
   */
  private async ended(ownerId: string, runId: string): Promise<{ run: RunRow; version: VersionRow<Plan> }> {
    const run = await this.runs.require(ownerId, runId);
    if (run.parent_run_id !== null)
      throw new AppError('run_is_sub_playbook', ofItsCaller(run), { category: 'conflict' });
    if (!isTerminal(run.status)) {
      throw new AppError(
        'run_not_closed',
        `The run is ${run.status}. Only a run that has ended can be retried: wait for it, or cancel it first.`,
        {
          category: 'conflict',
        },
      );
    }
    const version = await this.playbooks.version(ownerId, run.playbook_version_id);
    // Versions stay for ever: one that cannot be read belongs to another person, and is no longer shared.
    return version === null ? this.retries.refuse(ownerId, runId) : { run, version };
  }

  private async plan(caller: CallerInfo, runId: string, body: RetryRunDto): Promise<RetryPlan> {
    const { run, version } = await this.ended(caller.ownerId, runId);
    const facts = await retryFacts(this.reader(caller.ownerId), run, version);
    const retry = planRetry({
      ...facts,
      ...(body.from_step === undefined ? {} : { fromStep: body.from_step }),
      ...(body.inputs === undefined ? {} : { inputOverride: body.inputs }),
    });
    await checkInputOverride(this.connectors, { ownerId: caller.ownerId, pins: run.connectors }, version.body, {
      from: retry.from,
      inputs: body.inputs,
    });
    return retry;
  }

  private reader(ownerId: string): RetryReader {
    const { retries, connectors, runs, playbooks } = this;
    const child: RetryReader['child'] = async (id) => {
      const run = await runs.require(ownerId, id);
      const version = await playbooks.version(ownerId, run.playbook_version_id);
      return version === null ? undefined : { run, version };
    };
    return { retries, connectors, child };
  }
}

function ofItsCaller({ parent_step_path: path, root_run_id: root, playbook_slug: slug }: RunRow): string {
  return `The run belongs to the step "${path ?? ''}" of another one, with whose answers and settings it is carried out. Retry run ${root} once it has ended: that goes on in this one, too. To run the playbook ${slug} by itself, start it.`;
}

function factsGiven({ query, run_context, approval_policy }: RunRow): Parameters<typeof factsOf>[1] {
  return { run_context, approval_policy, ...(query === null ? {} : { query }) } as Parameters<typeof factsOf>[1];
}
