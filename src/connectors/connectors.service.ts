import { Injectable } from '@nestjs/common';
import { endpointInputs, endpointOutputs } from '../../core/connector/outputs';
import type { ConnectorDefinition, Endpoint } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import { readConnector } from '../../infra/connectors/read-connector';
import { ConnectorsStore } from '../../infra/db/stores/definitions.store';
import type { DefinitionRow, VersionRow } from '../../infra/db/stores/definition-types';
import type { CallerInfo } from '../http/caller';
import { PageQuery } from '../http/page';
import { contentHash, formatOf, sourceText } from '../shared/definition-source';
import { orAbsent, pageBody } from '../shared/views';
import type {
  ConnectorDto,
  ConnectorListDto,
  ConnectorSavedDto,
  ConnectorSchemaDto,
  ConnectorSummaryDto,
} from './dto/connector.dto';

@Injectable()
export class ConnectorsService {
  constructor(private readonly connectors: ConnectorsStore<ConnectorDefinition>) {}

  /** Creates the connector, or a new version of it. Throws `invalid_connector` with every problem. */
  async save(caller: CallerInfo, source: string | Record<string, unknown>): Promise<ConnectorSavedDto> {
    const text = sourceText(source);
    const { definition, problems } = readConnector(text);
    if (definition === undefined) {
      throw new AppError('invalid_connector', 'The connector has problems; each says where and what to do.', {
        category: 'validation',
        problems,
      });
    }
    const saved = await this.connectors.save(caller.ownerId, {
      slug: definition.id,
      name: definition.name,
      kind: definition.type,
      content_hash: contentHash(text),
      source_format: formatOf(text),
      source: text,
      body: definition,
      ...orAbsent({ description: definition.description ?? null, declared_version: definition.version ?? null }),
    });
    return { ...(await this.detail(caller, saved.definition)), created: saved.new_version, warnings: problems };
  }

  async list(caller: CallerInfo, query: PageQuery): Promise<ConnectorListDto> {
    return pageBody(await this.connectors.list(caller.ownerId, query), summaryOf);
  }

  /** Throws `connector_not_found`; so does `schema`. */
  async get(caller: CallerInfo, idOrSlug: string): Promise<ConnectorDto> {
    return this.detail(caller, await this.connectors.require(caller.ownerId, idOrSlug));
  }

  /** What each endpoint takes and gives. */
  async schema(caller: CallerInfo, idOrSlug: string): Promise<ConnectorSchemaDto> {
    const { body, slug } = await this.connectors.resolve(caller.ownerId, idOrSlug);
    const endpoints = Object.entries<Endpoint>(body.endpoints).map(([name, endpoint]) => ({
      name,
      ...orAbsent({ description: endpoint.description ?? null }),
      effect: 'effect' in endpoint ? endpoint.effect : 'none',
      inputs: endpointInputs(body, name),
      outputs: endpointOutputs(body, name),
    }));
    return { connector: slug, type: body.type, endpoints };
  }

  private async detail(caller: CallerInfo, row: DefinitionRow): Promise<ConnectorDto> {
    const version = (await this.connectors.version(
      caller.ownerId,
      row.latest_version_id,
    )) as VersionRow<ConnectorDefinition>;
    return {
      ...summaryOf(row),
      version_id: version.id,
      content_hash: version.content_hash,
      source_format: version.source_format,
      source: version.source,
    };
  }
}

function summaryOf(row: DefinitionRow): ConnectorSummaryDto {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    type: row.kind ?? '',
    origin: row.origin,
    latest_version_no: row.version_no,
    created_at: row.created_at,
    updated_at: row.updated_at,
    ...orAbsent({ description: row.description }),
  };
}
