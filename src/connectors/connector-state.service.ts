import { Injectable } from '@nestjs/common';
import type { ConnectorDefinition } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import { confirmable, type Confirmable } from '../../connectors/auth/confirmation';
import { ConnectorBindingsStore } from '../../infra/db/stores/connector-bindings.store';
import { ConnectorCallsStore, type CallRecord } from '../../infra/db/stores/connector-calls.store';
import { ConnectorsStore } from '../../infra/db/stores/definitions.store';
import type { Identity } from '../access/identity';
import type { CallerInfo } from '../http/caller';
import type { PageQuery } from '../http/page';
import { refuseLimited } from '../identity/refusals';
import { withoutNulls, pageBody } from '../shared/views';
import type {
  ConfirmPlacesDto,
  ConnectorCallDto,
  ConnectorCallListDto,
  ConnectorHealthDto,
  SecretPlacesDto,
} from './dto/connector-state.dto';

/** Health of a connector, its calls, and the places of its secret. Its owner alone sees them. */
@Injectable()
export class ConnectorStateService {
  constructor(
    private readonly connectors: ConnectorsStore<ConnectorDefinition>,
    private readonly records: ConnectorCallsStore,
    private readonly bindings: ConnectorBindingsStore,
  ) {}

  /** Throws `connector_not_found`; so do the others. */
  async health(caller: CallerInfo, idOrSlug: string): Promise<ConnectorHealthDto> {
    const { slug, places } = await this.placesOf(caller, idOrSlug);
    const { breakers, limits, credentials, ...numbers } = await this.records.health(caller.ownerId, slug);
    const health = {
      ...withoutNulls(numbers),
      breakers: breakers.map(withoutNulls),
      limits: limits.map(withoutNulls),
      credentials: credentials.map(withoutNulls),
      secret_places: places,
    };
    return health as ConnectorHealthDto;
  }

  async calls(caller: CallerInfo, idOrSlug: string, query: PageQuery): Promise<ConnectorCallListDto> {
    const { slug } = await this.connectors.require(caller.ownerId, idOrSlug);
    return pageBody(await this.records.calls(caller.ownerId, slug, query), callOf);
  }

  /** Throws `key_is_limited`, `places_changed` when what was looked at is not what the latest version would do, and `no_secret`. */
  async confirm(who: Identity, idOrSlug: string, body: ConfirmPlacesDto): Promise<SecretPlacesDto> {
    refuseLimited(who, 'lets no secret go to new places');
    const { slug, places } = await this.placesOf(who, idOrSlug, body.secret);
    const seen = [...new Set(body.origins)].toSorted();
    if (seen.join('\n') !== places.wanted.join('\n')) {
      throw new AppError(
        'places_changed',
        `The connector would send its secret to ${places.wanted.join(', ') || 'no place'}, which is not what was confirmed. Look at \`secret_places\` of its health and confirm that.`,
        { category: 'conflict', details: { wanted: places.wanted } },
      );
    }
    if (places.secret === undefined) throw noSecret(slug);
    await this.bindings.confirm(who.ownerId, { connector: slug, secret: places.secret, origins: seen });
    return { ...places, known: [...new Set([...places.known, ...seen])].toSorted(), missing: [] };
  }

  /** `secret`: one that a binding gives the connector in place of its own. */
  private async placesOf(
    { ownerId }: CallerInfo,
    idOrSlug: string,
    secret?: string,
  ): Promise<{ slug: string; places: SecretPlacesDto }> {
    const { slug, id: versionId, body: definition } = await this.connectors.resolve(ownerId, idOrSlug);
    const found = await confirmable(this.bindings, { ownerId, versionId, definition }, secret);
    return { slug, places: placesOf(found) };
  }
}

function placesOf(found: Confirmable | undefined): SecretPlacesDto {
  const { connector: _slug, ...places } = found ?? { connector: '', wanted: [], known: [], missing: [] };
  return places;
}

function noSecret(connector: string): AppError {
  return new AppError(
    'no_secret',
    `The connector \`${connector}\` names no secret, so there is nothing to confirm. Name one in its \`connection.auth\`, or say with \`secret\` which one a profile's binding gives it.`,
    { category: 'conflict' },
  );
}

/** The owner and the version are not shown. */
function callOf({
  owner_id: _owner,
  connector: _slug,
  version_id: _version,
  run_id,
  ...call
}: CallRecord): ConnectorCallDto {
  return withoutNulls({ ...call, runId: run_id }) as ConnectorCallDto;
}
