import { Injectable } from '@nestjs/common';
import type { ConnectorDefinition } from '../../core/connector/types';
import { EndpointTrials } from '../../infra/connectors/trial/endpoint-trials';
import type { TrialReport } from '../../infra/connectors/trial/endpoint-trials';
import { requireKnownOrigins } from '../../infra/connectors/trial/secret-origins';
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
  ) {}

  /** Of a text that need not be saved. Throws `invalid_connector`, `needs_confirmation`, and what the call throws. */
  async testText(caller: CallerInfo, body: TestConnectorDto): Promise<ConnectorTestReportDto> {
    const { body: definition } = readDefinition(body.source).definition;
    const stored = await this.connectors.get(caller.ownerId, definition.id);
    if (stored !== null) {
      const { body: known } = await this.connectors.resolve(caller.ownerId, stored.id);
      requireKnownOrigins(definition, known);
    }
    return this.call(caller, definition, body);
  }

  /** Of the latest version. Throws `connector_not_found`, and what the call throws. */
  async testSaved(caller: CallerInfo, idOrSlug: string, body: TestEndpointDto): Promise<ConnectorTestReportDto> {
    const { body: definition } = await this.connectors.resolve(caller.ownerId, idOrSlug);
    return this.call(caller, definition, body);
  }

  private call(caller: CallerInfo, definition: ConnectorDefinition, body: TestEndpointDto): Promise<TrialReport> {
    return this.trials.run({
      ownerId: caller.ownerId,
      definition,
      endpoint: body.endpoint,
      inputs: body.inputs ?? {},
      allowEffects: body.allow_effects === true,
    });
  }
}
