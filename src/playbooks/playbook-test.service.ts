import { Inject, Injectable } from '@nestjs/common';
import { shorten } from '../../core/base/shorten';
import type { ConnectorDefinition } from '../../core/connector/types';
import { checkNames } from '../../core/dry-run/check-names';
import { dryRun } from '../../core/dry-run/dry-run';
import type { DryApproval, DryDecision, LiveRead } from '../../core/dry-run/types';
import { AppError } from '../../core/errors/app-error';
import { LiveReads } from '../../connectors/call/live-reads';
import { confirmedSecrets } from '../../connectors/auth/confirmation';
import type { SecretGuard } from '../../connectors/call/secret-guard';
import { ConnectorBindingsStore } from '../../infra/db/stores/connector-bindings.store';
import { ConnectorsStore, PlaybooksStore } from '../../infra/db/stores/definitions.store';
import { AuditStore } from '../../infra/db/stores/identity/audit.store';
import { traitsOf } from '../../infra/temporal/run-input';
import type { Identity } from '../access/identity';
import type { ApiSettings } from '../app/settings';
import { SETTINGS } from '../app/tokens';
import { callerHooks } from '../audit/caller-hooks';
import { checkTimeZone, resolveClock } from '../runs/run-clock';
import { checkInputs } from '../runs/run-inputs';
import { withoutNulls } from '../shared/views';
import { DRY_DECISIONS, type TestApprovalDto, type TestPlaybookDto, type TestReportDto } from './dto/playbook-test.dto';
import { definitionsFor } from './owner-catalogue';
import { warningsOf } from '../shared/run-warning.dto';

const MOST_READS = 20;
const LIVE_MS = 30_000;

/** Dry runs of playbooks. They write the records of calls alone, and send nothing unless the caller allows reads. */
@Injectable()
export class PlaybookTestService {
  constructor(
    private readonly playbooks: PlaybooksStore,
    private readonly connectors: ConnectorsStore<ConnectorDefinition>,
    private readonly reads: LiveReads,
    private readonly bindings: ConnectorBindingsStore,
    private readonly audit: AuditStore,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  /** Throws `playbook_not_found`, `version_not_found`, `invalid_inputs`, `invalid_time_zone`, `invalid_samples`, `invalid_decisions`. */
  async test(caller: Identity, idOrSlug: string, body: TestPlaybookDto): Promise<TestReportDto> {
    const timeZone = checkTimeZone(body.time_zone ?? this.settings.timeZone);
    const { body: plan } = await this.playbooks.resolve(caller.ownerId, idOrSlug, body.version);
    const inputs = checkInputs(plan, { inputs: body.inputs ?? {} });
    const stores = { connectors: this.connectors, playbooks: this.playbooks };
    const catalogue = await definitionsFor(stores, caller.ownerId, plan);
    const request = {
      inputs,
      clock: resolveClock(new Date(), timeZone, undefined),
      samples: body.samples ?? {},
      decisions: checkDecisions(body.decisions ?? {}),
      ...(body.query === undefined ? {} : { query: body.query }),
    };
    checkNames(plan, request);
    const live = body.live_reads === true ? { live: this.reader(caller) } : {};
    const report = await dryRun(plan, { catalogue, traits: traitsOf(plan), ...live }, request);
    const warnings = warningsOf(plan, this.settings.models, (slug) => catalogue.playbook(slug));
    return { ...report, ...warnings, approvals: report.approvals.map(approvalOf) };
  }

  /** One test asks so often and so long, then stand-ins do. Secrets go only where those of a run would. */
  private reader(caller: Identity): LiveRead {
    const { ownerId } = caller;
    const hooks = callerHooks(this.audit, caller);
    const signal = AbortSignal.timeout(LIVE_MS);
    let left = MOST_READS;
    return async ({ connector, endpoint, inputs }) => {
      left -= 1;
      if (left < 0) return { notLive: `a test reads at most ${MOST_READS} times` };
      if (signal.aborted) return { notLive: `a test reads for at most ${LIVE_MS / 1000} seconds` };
      const { body: definition, id: versionId } = await this.connectors.resolve(ownerId, connector);
      if (definition.type !== 'rest_api' && definition.type !== 'graphql')
        return {
          notLive: `connectors of type ${definition.type} are not read in tests; those of type rest_api and graphql are`,
        };
      const guard: SecretGuard = (secrets) =>
        confirmedSecrets(secrets, this.bindings, { ownerId, versionId, definition });
      try {
        return {
          ok: true,
          output: await this.reads.read({ ownerId, definition, endpoint, inputs, signal, guard, hooks }),
        };
      } catch (error) {
        if (error instanceof AppError) return { ok: false, error: { code: error.code, message: error.message } };
        if (signal.aborted)
          return { ok: false, error: { code: 'step_timeout', message: 'The test has waited long enough.' } };
        throw error;
      }
    };
  }
}

function checkDecisions(decisions: { [gate: string]: DryDecision }): { [gate: string]: DryDecision } {
  const wrong = Object.entries(decisions).find(([, decision]) => !DRY_DECISIONS.includes(decision));
  if (wrong === undefined) return decisions;
  throw new AppError(
    'invalid_decisions',
    `The decision on "${shorten(wrong[0], 100)}" must be one of ${DRY_DECISIONS.join(', ')}.`,
    { category: 'validation' },
  );
}

function approvalOf({ preview_total, ...approval }: DryApproval): TestApprovalDto {
  return { ...approval, ...withoutNulls({ preview_total }) };
}
