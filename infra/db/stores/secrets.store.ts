import { randomUUID } from 'node:crypto';
import { AppError } from '../../../core/errors/app-error';
import { checkSeen, type SeenVersion, type VersionedRow } from '../row-version';
import { owner, SYSTEM, type Database, type Sql } from '../database';
import { openPage, sortsOf, type Page, type PageRequest } from './page';

/** Facts of a secret that may be shown. */
export interface SecretInfo extends VersionedRow {
  name: string;
  allowed_hosts: string[];
  key_id: string;
  version: number;
  created_at: string;
  rotated_at: string | null;
}

export interface StoredCiphertext {
  key_id: string;
  ciphertext: Buffer;
}

export interface SealedSecret extends StoredCiphertext {
  allowed_hosts: string[];
}

export interface FoundSecret extends SealedSecret {
  /** Other for every other value, also of a secret that was deleted and made again. */
  value_version: string;
}

/** A row as the rotation of master keys sees it. */
export interface SecretToReencrypt extends StoredCiphertext {
  id: string;
  owner_id: string;
  name: string;
}

const INFO = 'id, row_version, name, allowed_hosts, key_id, version, created_at, rotated_at';
/** The driver would decode binary columns as text. */
const CIPHERTEXT = `encode(ciphertext, 'base64') as ciphertext`;
const SORTS = sortsOf({ name: { column: 'name', type: 'text' } });

export interface SecretListRequest extends PageRequest {
  sort?: keyof typeof SORTS;
}

/** Ciphertexts by owner and name. Knows neither keys nor values. */
export class SecretsStore {
  constructor(private readonly database: Database) {}

  /** Throws `secret_exists`. */
  async create(
    ownerId: string,
    name: string,
    secret: SealedSecret,
    sql: Sql = this.database.as(owner(ownerId)),
  ): Promise<SecretInfo> {
    const [row] = await sql.query<SecretInfo>(
      `insert into secrets (id, owner_id, name, ciphertext, key_id, allowed_hosts) values ($1, $2, $3, $4, $5, $6)
       on conflict (owner_id, name) do nothing returning ${INFO}`,
      [randomUUID(), ownerId, name, secret.ciphertext, secret.key_id, secret.allowed_hosts],
    );
    if (row === undefined) throw secretExists(name);
    return row;
  }

  /** A new value, and new hosts where some are given. Null for an unknown name. */
  async rotate(
    ownerId: string,
    name: string,
    secret: StoredCiphertext & { allowed_hosts?: string[] },
    sql: Sql = this.database.as(owner(ownerId)),
  ): Promise<SecretInfo | null> {
    const [row] = await sql.query<SecretInfo>(
      `update secrets set ciphertext = $3, key_id = $4, allowed_hosts = coalesce($5::text[], allowed_hosts),
          version = version + 1, rotated_at = clock_timestamp()
        where owner_id = $1 and name = $2 returning ${INFO}`,
      [ownerId, name, secret.ciphertext, secret.key_id, secret.allowed_hosts ?? null],
    );
    return row ?? null;
  }

  async get(ownerId: string, name: string): Promise<SecretInfo | null> {
    const [row] = await this.database.query<SecretInfo>(
      owner(ownerId),
      `select ${INFO} from secrets where owner_id = $1 and name = $2`,
      [ownerId, name],
    );
    return row ?? null;
  }

  /** False for an unknown name. Throws what `checkSeen` throws. */
  async delete(ownerId: string, name: string, seen: SeenVersion): Promise<boolean> {
    return this.database.tx(owner(ownerId), async (sql) => {
      const [row] = await sql.query<VersionedRow>(
        'select id, row_version from secrets where owner_id = $1 and name = $2 for update',
        [ownerId, name],
      );
      if (row === undefined) return false;
      checkSeen(row, seen);
      await sql.query('delete from secrets where id = $1', [row.id]);
      return true;
    });
  }

  /** Lists by name. */
  async list(ownerId: string, request: SecretListRequest = {}): Promise<Page<SecretInfo>> {
    const page = openPage('secrets', request, SORTS[request.sort ?? 'name']);
    const rows = await this.database.query<SecretInfo>(
      owner(ownerId),
      `select ${INFO} from secrets where owner_id = $1 and ${page.after('$2', '$3')} order by ${page.order} limit $4`,
      [ownerId, ...page.position, page.take],
    );
    return page.of(rows);
  }

  async names(ownerId: string, sql: Sql = this.database.as(owner(ownerId))): Promise<string[]> {
    const rows = await sql.query<{ name: string }>(
      'select name from secrets where owner_id = $1 order by name limit 2000',
      [ownerId],
    );
    return rows.map(({ name }) => name);
  }

  async find(ownerId: string, name: string): Promise<FoundSecret | null> {
    const [row] = await this.database.query<Encoded<FoundSecret>>(
      owner(ownerId),
      `select ${CIPHERTEXT}, key_id, allowed_hosts, id || '/' || version as value_version from secrets where owner_id = $1 and name = $2`,
      [ownerId, name],
    );
    return row === undefined ? null : decoded(row);
  }

  /** Rows that are not encrypted under `keyId`, in order of their id, after `afterId`. */
  async underOtherKeys(keyId: string, afterId: string | null, limit: number): Promise<SecretToReencrypt[]> {
    const rows = await this.database.query<Encoded<SecretToReencrypt>>(
      SYSTEM,
      `select id, owner_id, name, ${CIPHERTEXT}, key_id from secrets
        where key_id <> $1 and ($2::uuid is null or id > $2) order by id limit $3`,
      [keyId, afterId, limit],
    );
    return rows.map(decoded);
  }

  /** False when the row was changed or deleted meanwhile. */
  async reencrypt(id: string, before: StoredCiphertext, after: StoredCiphertext): Promise<boolean> {
    const rows = await this.database.query(
      SYSTEM,
      'update secrets set ciphertext = $3, key_id = $4 where id = $1 and ciphertext = $2 returning 1',
      [id, before.ciphertext, after.ciphertext, after.key_id],
    );
    return rows.length > 0;
  }
}

type Encoded<Row> = Omit<Row, 'ciphertext'> & { ciphertext: string };

function decoded<Row>(row: Encoded<Row>): Row {
  return { ...row, ciphertext: Buffer.from(row.ciphertext, 'base64') } as Row;
}

function secretExists(name: string): AppError {
  return new AppError('secret_exists', `There is a secret "${name}" already. Rotate it to give it a new value.`, {
    category: 'conflict',
  });
}
