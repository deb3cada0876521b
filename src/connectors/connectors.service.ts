import { Injectable } from '@nestjs/common';
import { endpointEffect, endpointInputs, endpointOutputs } from '../../core/connector/outputs';
import type { ConnectorDefinition, Endpoint } from '../../core/connector/types';
import type { Problem } from '../../core/errors/problem';
import { readConnector } from '../../connectors/definition/read-connector';
import { secretName } from '../../connectors/auth/secret-origins';
import { ConnectorsStore } from '../../infra/db/stores/definitions.store';
import { checkSeen, type SeenVersion } from '../../infra/db/row-version';
import type { ConnectorFacts, ConnectorRow, SavedDefinition, VersionRow } from '../../infra/db/stores/definition-types';
import type { Identity } from '../access/identity';
import type { CallerInfo } from '../http/caller';
import { versioned, type VersionedBody } from '../http/etag';
import type { Once } from '../http/idempotency/once';
import { refuseLimited } from '../identity/refusals';
import { sourceText, type Source } from '../shared/definition-source';
import { withoutNulls, pageBody } from '../shared/views';
import type {
  ConnectorDto,
  ConnectorListDto,
  ConnectorSavedDto,
  ConnectorSchemaDto,
  ConnectorSummaryDto,
} from './dto/connector.dto';
import type { ConnectorListQuery } from './dto/connector-list.dto';
import type { ConnectorReportDto } from './dto/template.dto';
import { readDefinition } from './read-definition';

@Injectable()
export class ConnectorsService {
  constructor(private readonly connectors: ConnectorsStore<ConnectorDefinition>) {}

  /** Creates the connector, or a new version of it. Throws `invalid_connector` with every problem, and `key_is_limited`. */
  async save(who: Identity, source: Source, once: Once): Promise<VersionedBody<ConnectorSavedDto>> {
    const { definition, warnings } = readDefinition(source);
    return once.tx(async (sql) => {
      const saved = await this.connectors.save(who.ownerId, definition, sql);
      // Checks here, as only now it is certain that the connector is new; an error rolls the row back.
      if (saved.created && isTrusted(definition.body)) refuseLimited(who, BEGINS_NOTHING_TRUSTED);
      return savedOf(saved, warnings);
    });
  }

  /** Adds a version to an existing connector. Throws as `save`, and as the store's `replace`. */
  async replace(
    caller: CallerInfo,
    idOrSlug: string,
    source: Source,
    seen: SeenVersion,
  ): Promise<VersionedBody<ConnectorSavedDto>> {
    // An early check, before the text is read; the one that counts is made under the row's lock.
    checkSeen(await this.connectors.require(caller.ownerId, idOrSlug), seen);
    const { definition, warnings } = readDefinition(source);
    return savedOf(await this.connectors.replace(caller.ownerId, idOrSlug, definition, seen), warnings);
  }

  /** Runs keep the version that they began with. */
  async remove(caller: CallerInfo, idOrSlug: string, seen: SeenVersion): Promise<void> {
    await this.connectors.remove(caller.ownerId, idOrSlug, seen);
  }

  async list(caller: CallerInfo, query: ConnectorListQuery): Promise<ConnectorListDto> {
    return pageBody(await this.connectors.list(caller.ownerId, query), summaryOf);
  }

  /** Throws `connector_not_found`; so does `schema`. */
  async get(caller: CallerInfo, idOrSlug: string): Promise<VersionedBody<ConnectorDto>> {
    const row = await this.connectors.require(caller.ownerId, idOrSlug);
    const version = (await this.connectors.version(caller.ownerId, row.latest_version_id)) as Version;
    return versioned(detailOf(row, version), row);
  }

  /** Every problem of a text; nothing is kept. */
  validate(source: Source): ConnectorReportDto {
    const { definition, problems } = readConnector(sourceText(source));
    return { valid: definition !== undefined, problems };
  }

  /** Checks the latest version: rules may have come since it was saved. Throws `connector_not_found`. */
  async validateSaved(caller: CallerInfo, idOrSlug: string): Promise<ConnectorReportDto> {
    const { source } = await this.connectors.resolve(caller.ownerId, idOrSlug);
    return this.validate(source);
  }

  /** Inputs and outputs of each endpoint. */
  async schema(caller: CallerInfo, idOrSlug: string): Promise<ConnectorSchemaDto> {
    const { body, slug } = await this.connectors.resolve(caller.ownerId, idOrSlug);
    const endpoints = Object.entries<Endpoint>(body.endpoints).map(([name, endpoint]) => ({
      name,
      ...withoutNulls({ description: endpoint.description ?? null }),
      effect: endpointEffect(body, name),
      inputs: endpointInputs(body, name),
      outputs: endpointOutputs(body, name),
    }));
    return { connector: slug, type: body.type, endpoints };
  }
}

type Version = VersionRow<ConnectorDefinition>;

const BEGINS_NOTHING_TRUSTED =
  'begins no connector that names a secret, which would go where the first text says. Write `imported: true` into the text: then its owner confirms the places before anything is sent';

/** True for a first text, whose secret may be sent to its places without a confirmation. */
function isTrusted(first: ConnectorDefinition): boolean {
  return secretName(first) !== undefined && first.imported !== true;
}

function savedOf(
  { definition, version, new_version: created }: SavedDefinition<ConnectorDefinition, ConnectorFacts>,
  warnings: Problem[],
): VersionedBody<ConnectorSavedDto> {
  return versioned({ ...detailOf(definition, version), created, warnings }, definition);
}

function detailOf(row: ConnectorRow, version: Version): ConnectorDto {
  return {
    ...summaryOf(row),
    version_id: version.id,
    content_hash: version.content_hash,
    source_format: version.source_format,
    source: version.source,
  };
}

function summaryOf(row: ConnectorRow): ConnectorSummaryDto {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    type: row.kind ?? '',
    origin: row.origin,
    latest_version_no: row.version_no,
    created_at: row.created_at,
    updated_at: row.updated_at,
    tags: row.tags,
    requires_auth: row.requires_auth,
    auth_fields: row.auth_fields,
    ...withoutNulls({ description: row.description, icon: row.icon, category: row.category }),
  };
}
