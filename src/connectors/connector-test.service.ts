import { Injectable } from '@nestjs/common';
import type { ConnectorDefinition } from '../../core/connector/types';
import { EndpointTrials } from '../../infra/connectors/trial/endpoint-trials';
import type { Trial, TrialReport } from '../../infra/connectors/trial/endpoint-trials';
import { confirmedSecrets } from '../../infra/connectors/runtime/confirmation';
import { secretsOfNamedHosts } from '../../infra/connectors/runtime/unsaved-secrets';
import type { SecretGuard } from '../../infra/connectors/types';
import { ConnectorBindingsStore } from '../../infra/db/stores/connector-bindings.store';
import { ConnectorsStore } from '../../infra/db/stores/definitions.store';
import type { CallerInfo } from '../http/caller';
import { readDefinition } from './read-definition';
import type { ConnectorTestReportDto, TestConnectorDto, TestEndpointDto } from './dto/connector-test.dto';

/** Calls of single endpoints, to see what they give. No run, no row. */
@Injectable()
export class ConnectorTestService {
  constructor(
    private readonly connectors: ConnectorsStore<ConnectorDefinition>,
    private readonly trials: EndpointTrials,
    private readonly bindings: ConnectorBindingsStore,
  ) {}

  /** Of a text that need not be saved. Throws `invalid_connector`, `needs_confirmation`, and what the call throws. */
  async testText(caller: CallerInfo, body: TestConnectorDto): Promise<ConnectorTestReportDto> {
    const { body: definition } = readDefinition(body.source).definition;
    const stored = await this.connectors.get(caller.ownerId, definition.id);
    const guard: SecretGuard =
      stored === null
        ? (secrets) => secretsOfNamedHosts(secrets, definition)
        : this.confirmed(caller, stored.latest_version_id, definition);
    return this.call(caller, { definition, guard }, body);
  }

  /** Of the latest version. Throws `connector_not_found`, `needs_confirmation`, and what the call throws. */
  async testSaved(caller: CallerInfo, idOrSlug: string, body: TestEndpointDto): Promise<ConnectorTestReportDto> {
    const { body: definition, id: versionId } = await this.connectors.resolve(caller.ownerId, idOrSlug);
    return this.call(caller, { definition, guard: this.confirmed(caller, versionId, definition) }, body);
  }

  private confirmed({ ownerId }: CallerInfo, versionId: string, definition: ConnectorDefinition): SecretGuard {
    return (secrets) => confirmedSecrets(secrets, this.bindings, { ownerId, versionId, definition });
  }

  private call(
    caller: CallerInfo,
    { definition, guard }: Pick<Trial, 'definition' | 'guard'>,
    body: TestEndpointDto,
  ): Promise<TrialReport> {
    return this.trials.run({
      ownerId: caller.ownerId,
      definition,
      guard,
      endpoint: body.endpoint,
      inputs: body.inputs ?? {},
      allowEffects: body.allow_effects === true,
    });
  }
}
