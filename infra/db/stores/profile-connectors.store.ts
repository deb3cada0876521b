import { randomUUID } from 'node:crypto';
import { AppError } from '../../../core/errors/app-error';
import { owner, type Database, type Sql } from '../database';
import type { SeenVersion } from '../row-version';
import { isDenied, mapConflict } from './conflicts';
import { refuseMore } from './binding-limit';
import { notFound } from './not-found';
import { CONNECTORS, slugsOf } from './definition-sql';
import type { ConnectorBindingFields, ConnectorBindingRow } from './profile-types';
import { lockSeen } from './seen-row';
import { assignments, setClause } from './set-clause';

const DOCUMENTS = ['credentials', 'config_overrides', 'permissions'];
const WRITABLE = ['connection_id', ...DOCUMENTS, 'is_enabled'];
const SELECT = `select b.id, b.connector_id, c.slug as connector_slug, c.name as connector_name, b.connection_id, b.credentials,
    b.config_overrides, b.permissions, b.is_enabled, b.row_version, b.created_at, b.updated_at
  from profile_connectors b join connectors c on c.id = b.connector_id`;

/** Connectors of a profile, and how it uses them. Covers the owner's own profiles; the caller is checked before. */
export class ProfileConnectorsStore {
  constructor(private readonly database: Database) {}

  async list(ownerId: string, profileId: string): Promise<ConnectorBindingRow[]> {
    return this.database.query<ConnectorBindingRow>(
      owner(ownerId),
      `${SELECT} where b.profile_id = $1 and b.owner_id = $2 order by b.created_at, b.id`,
      [profileId, ownerId],
    );
  }

  /** Throws `binding_not_found`. */
  async require(ownerId: string, at: BindingPlace): Promise<ConnectorBindingRow> {
    return required(this.database.as(owner(ownerId)), ownerId, at);
  }

  /** Throws `connector_not_found`, `connector_bound`, `connection_not_found`, `too_many_bindings`. */
  async bind(
    ownerId: string,
    profileId: string,
    connector: string,
    fields: ConnectorBindingFields,
    sql: Sql = this.database.as(owner(ownerId)),
  ): Promise<ConnectorBindingRow> {
    await refuseMore(sql, 'profile_connectors', profileId);
    const set = assignments(fields, WRITABLE, DOCUMENTS);
    const values = set.columns.map((_column, index) => `, $${index + 5}`).join('');
    const work = sql.query<{ connector_id: string }>(
      `insert into profile_connectors (id, profile_id, owner_id, connector_id${set.columns.map((name) => `, ${name}`).join('')})
        select $1, $2, $3, c.id${values} from connectors c
        where c.owner_id = $3 and c.deleted_at is null and (c.slug = $4 or c.id::text = lower($4))
        order by (c.slug = $4) desc limit 1
        returning connector_id`,
      [randomUUID(), profileId, ownerId, connector, ...set.params],
    );
    const [made] = await refused(mapConflict(work, () => alreadyBound(connector)));
    if (made === undefined) {
      throw notFound('connector', connector, await slugsOf(sql, CONNECTORS, ownerId));
    }
    return required(sql, ownerId, { profileId, connectorId: made.connector_id });
  }

  /** Throws `binding_not_found`, `connection_not_found`, and for `seen` as `checkSeen`. */
  async update(
    ownerId: string,
    at: BindingPlace,
    fields: ConnectorBindingFields,
    seen: SeenVersion,
  ): Promise<ConnectorBindingRow> {
    const set = assignments(fields, WRITABLE, DOCUMENTS);
    return this.database.tx(owner(ownerId), async (sql) => {
      if (await lockSeen(sql, placed(ownerId, at), seen)) {
        const text = `update profile_connectors set ${setClause(set, 4)} updated_at = clock_timestamp() where ${WHERE}`;
        await refused(sql.query(text, [...placed(ownerId, at).params, ...set.params]));
      }
      return required(sql, ownerId, at);
    });
  }

  /** Throws `binding_not_found`, and for `seen` as `checkSeen`. */
  async unbind(ownerId: string, at: BindingPlace, seen: SeenVersion): Promise<void> {
    await this.database.tx(owner(ownerId), async (sql) => {
      if (!(await lockSeen(sql, placed(ownerId, at), seen))) {
        throw notBound(at.connectorId);
      }
      await sql.query(`delete from profile_connectors where ${WHERE}`, placed(ownerId, at).params);
    });
  }
}

export interface BindingPlace {
  profileId: string;
  connectorId: string;
}

const WHERE = 'profile_id = $1 and connector_id = $2 and owner_id = $3';

function placed(ownerId: string, at: BindingPlace): Parameters<typeof lockSeen>[1] {
  return { table: 'profile_connectors', where: WHERE, params: [at.profileId, at.connectorId, ownerId] };
}

async function required(sql: Sql, ownerId: string, at: BindingPlace): Promise<ConnectorBindingRow> {
  const [row] = await sql.query<ConnectorBindingRow>(
    `${SELECT} where b.profile_id = $1 and b.connector_id = $2 and b.owner_id = $3`,
    placed(ownerId, at).params,
  );
  if (row === undefined) {
    throw notBound(at.connectorId);
  }
  return row;
}

function notBound(connectorId: string): AppError {
  return new AppError('binding_not_found', `This profile does not use the connector "${connectorId}".`, {
    category: 'not_found',
  });
}

/** The profile and the connector are the caller's, so what the policy refuses is the connection. */
async function refused<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isDenied(error) || (error as { code?: unknown }).code === '23503') {
      throw new AppError('connection_not_found', 'There is no such connection of yours.', { category: 'not_found' });
    }
    throw error;
  }
}

function alreadyBound(connector: string): AppError {
  return new AppError(
    'connector_bound',
    `This profile uses the connector "${connector}" already. Change that binding.`,
    {
      category: 'conflict',
    },
  );
}
