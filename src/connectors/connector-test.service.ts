import { Injectable } from '@nestjs/common';
import type { ConnectorDefinition } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import { boundDefinition, boundSecretName, boundSecrets, requireAllowed } from '../../connectors/call/binding';
import { EndpointTrials } from '../../connectors/trial/endpoint-trials';
import type { Trial, TrialReport } from '../../connectors/trial/endpoint-trials';
import { confirmedSecrets } from '../../connectors/auth/confirmation';
import { secretsOfNamedHosts } from '../../connectors/auth/unsaved-secrets';
import type { SecretGuard } from '../../connectors/call/secret-guard';
import { ConnectorBindingsStore } from '../../infra/db/stores/connector-bindings.store';
import { ConnectorsStore } from '../../infra/db/stores/definitions.store';
import { AuditStore } from '../../infra/db/stores/identity/audit.store';
import { ProfileConnectorsStore } from '../../infra/db/stores/profile-connectors.store';
import { ProfilesStore } from '../../infra/db/stores/profiles.store';
import type { Identity } from '../access/identity';
import { callerHooks } from '../audit/caller-hooks';
import { readDefinition } from './read-definition';
import type { ConnectorTestReportDto, TestConnectorDto, TestEndpointDto, TestSavedDto } from './dto/connector-test.dto';

/** Calls of single endpoints, to see what they give. Without a run; records and states are those of any call. */
@Injectable()
export class ConnectorTestService {
  constructor(
    private readonly connectors: ConnectorsStore<ConnectorDefinition>,
    private readonly trials: EndpointTrials,
    private readonly bindings: ConnectorBindingsStore,
    private readonly profiles: ProfilesStore,
    private readonly bound: ProfileConnectorsStore,
    private readonly audit: AuditStore,
  ) {}

  /**
   * Tests a text that need not be saved. Throws `invalid_connector`, `needs_confirmation`, and the faults of the call.
   */
  async testText(caller: Identity, body: TestConnectorDto): Promise<ConnectorTestReportDto> {
    const { body: definition } = readDefinition(body.source).definition;
    const stored = await this.connectors.get(caller.ownerId, definition.id);
    const guard: SecretGuard =
      stored === null
        ? (secrets) => secretsOfNamedHosts(secrets, definition)
        : this.confirmed(caller, stored.latest_version_id, definition);
    return this.call(caller, { definition, guard }, body);
  }

  /**
   * Tests the latest version, as it is or as a profile uses it. Throws `connector_not_found`, `needs_confirmation`, the
   * faults of the call, and for a profile `profile_not_found`, `not_profile_owner`, `binding_not_found`,
   * `binding_removed`, `endpoint_not_allowed`.
   */
  async testSaved(caller: Identity, idOrSlug: string, body: TestSavedDto): Promise<ConnectorTestReportDto> {
    const version = await this.connectors.resolve(caller.ownerId, idOrSlug);
    const { body: pinned, id: versionId, slug } = version;
    if (body.profile_id === undefined) {
      return this.call(caller, { definition: pinned, guard: this.confirmed(caller, versionId, pinned) }, body);
    }
    await this.profiles.requireOwn(caller.ownerId, body.profile_id);
    const place = { profileId: body.profile_id, connectorId: version.definition_id };
    const binding = await this.bound.require(caller.ownerId, place);
    if (!binding.is_enabled) throw switchedOff(slug);
    requireAllowed(binding, slug, body.endpoint);
    // The rule of a run: the binding's place has to be confirmed for the binding's secret.
    const definition = boundDefinition(pinned, binding);
    const sentAs = (named: string): string => boundSecretName(pinned, named, binding.credentials);
    const use = { ownerId: caller.ownerId, versionId, definition, stored: pinned, sentAs };
    const guard: SecretGuard = (secrets) =>
      confirmedSecrets(boundSecrets(secrets, pinned, binding), this.bindings, use);
    return this.call(caller, { definition, guard }, body);
  }

  private confirmed({ ownerId }: Identity, versionId: string, definition: ConnectorDefinition): SecretGuard {
    return (secrets) => confirmedSecrets(secrets, this.bindings, { ownerId, versionId, definition });
  }

  private call(
    caller: Identity,
    { definition, guard }: Pick<Trial, 'definition' | 'guard'>,
    body: TestEndpointDto,
  ): Promise<TrialReport> {
    return this.trials.run({
      ownerId: caller.ownerId,
      definition,
      guard,
      hooks: callerHooks(this.audit, caller),
      endpoint: body.endpoint,
      inputs: body.inputs ?? {},
      allowEffects: body.allow_effects === true,
    });
  }
}

function switchedOff(connector: string): AppError {
  return new AppError(
    'binding_removed',
    `The profile does not use the connector \`${connector}\` now: its binding is switched off. Switch it on, or test without the profile.`,
    { category: 'forbidden' },
  );
}
