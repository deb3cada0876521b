import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../core/base/json';
import type { Plan } from '../../core/playbook/types';
import { ConnectorsStore, PlaybooksStore } from '../../infra/db/stores/definitions.store';
import type { VersionRow } from '../../infra/db/stores/definition-types';
import { AuditStore } from '../../infra/db/stores/identity/audit.store';
import { ProfileDefinitionsStore } from '../../infra/db/stores/profile-definitions.store';
import type { NewRun } from '../../infra/db/stores/run-types';
import { RunsStore } from '../../infra/db/stores/runs.store';
import type { ApiSettings } from '../app/settings';
import { SETTINGS } from '../app/tokens';
import type { EntryOf } from '../audit/request-entry';
import type { CallerInfo } from '../http/caller';
import type { RunStartedDto } from './dto/run-view.dto';
import type { StartRunDto } from './dto/start-run.dto';
import { planFacts } from '../../infra/db/stores/plan-facts';
import { bodyHash } from '../http/idempotency/request-hash';
import { checkTimeZone, resolveClock } from './run-clock';
import { RunLauncher } from './run-launcher';
import { pinConnectors } from './pin-connectors';
import { ProfileRuns } from './profile-runs';
import { checkInputs } from './run-inputs';
import { runWarnings } from './run-warnings';

export interface StartRequest {
  /** Idempotency-Key. */
  key: string | undefined;
  /** The run's end is announced for so long. */
  watchSeconds: number | undefined;
  entryOf: EntryOf;
}

export interface StartedRun {
  answer: RunStartedDto;
  created: boolean;
  /** Inputs of a run that this request has made. */
  inputs?: JsonObject;
}

/** POST /runs: everything about the run is decided here, written in one transaction, and only then told to Temporal. */
@Injectable()
export class RunStartService {
  constructor(
    private readonly runs: RunsStore,
    private readonly playbooks: PlaybooksStore,
    private readonly connectors: ConnectorsStore,
    private readonly profileRuns: ProfileRuns,
    private readonly profileDefinitions: ProfileDefinitionsStore,
    private readonly launcher: RunLauncher,
    private readonly audit: AuditStore,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  /**
   * A repeat with the same key and body gives the same run, whatever became of the playbook meanwhile. The entry in the audit
   * trail is written with the row.
   * Throws `playbook_not_found`, `version_not_found`, `invalid_inputs`, `invalid_time_zone`, `idempotency_mismatch`,
   * `payload_too_large`; for a profile as `ProfileRuns.choose`.
   */
  async start(caller: CallerInfo, body: StartRunDto, { key, ...request }: StartRequest): Promise<StartedRun> {
    const idempotency = key === undefined ? undefined : { key, hash: bodyHash(body) };
    const earlier = idempotency && (await this.runs.byKey(caller.ownerId, idempotency));
    const { run, created, ...more } = earlier
      ? { run: earlier, created: false }
      : await this.create(caller, body, { idempotency, ...request });
    // A repeat of a request whose start was lost starts the run as well; a second start is refused and harmless.
    if (run.status === 'pending') {
      this.launcher.launch(run.id, run);
    }
    const answer = { runId: run.id, status: run.status, ...more };
    if (!created) await this.audit.note(request.entryOf(answer));
    return created ? { answer, created, inputs: run.inputs } : { answer, created };
  }

  private async create(
    caller: CallerInfo,
    body: StartRunDto,
    { idempotency, watchSeconds, entryOf }: Omit<StartRequest, 'key'> & { idempotency: NewRun['idempotency'] },
  ): Promise<Awaited<ReturnType<RunsStore['create']>> & Pick<RunStartedDto, 'warnings'>> {
    const timeZone = checkTimeZone(body.time_zone ?? this.settings.timeZone);
    const profile = await this.profileRuns.choose(caller, body);
    const another = profile === undefined || profile.row.owner_id === caller.ownerId ? undefined : profile.row;
    const { version, lastStartedAt } =
      another === undefined
        ? await this.playbooks.resolveToStart(caller.ownerId, body.playbook, body.version)
        : await this.profileRuns.version(caller, another.id, body);
    const inputs = checkInputs(version.body, body);
    const connectors = await pinConnectors(version.body, (slugs) =>
      another === undefined
        ? this.connectors.latest(caller.ownerId, slugs)
        : this.profileDefinitions.latestConnectors(caller.ownerId, another.id, slugs),
    );
    const known = { playbooks: this.playbooks, models: this.settings.models };
    const warnings = await runWarnings(known, caller.ownerId, version.body, another !== undefined);
    const run: NewRun = {
      ...factsOf(version, body, inputs),
      clock: resolveClock(new Date(), timeZone, lastStartedAt ?? undefined),
      connectors,
      invoked_by: caller.via,
      ...(profile === undefined ? {} : { profile: profile.at }),
      ...(idempotency === undefined ? {} : { idempotency }),
      ...(watchSeconds === undefined ? {} : { watch_seconds: watchSeconds }),
    };
    const entry = entryOf({ runId: run.id, status: 'pending', ...warnings });
    return { ...(await this.runs.create(caller.ownerId, run, entry)), ...warnings };
  }
}

/** Facts of a run of this version, before its time is known. */
export function factsOf(
  version: VersionRow<Plan>,
  body: Pick<StartRunDto, 'query' | 'run_context' | 'approval_policy'>,
  inputs: JsonObject,
): Omit<NewRun, 'clock'> {
  const plan = version.body;
  return {
    id: randomUUID(),
    playbook_id: version.definition_id,
    playbook_version_id: version.id,
    playbook_slug: version.slug,
    playbook_name: plan.playbook.name,
    inputs,
    run_context: body.run_context ?? plan.run_context,
    approval_policy: body.approval_policy ?? plan.approval_policy,
    ...planFacts(plan),
    ...(body.query === undefined ? {} : { query: body.query }),
  };
}
