import { owner, type Database, type Sql } from '../../database';
import { openPage, type Page, type PageRequest } from '../page';

export interface ApiKeyRow {
  id: string;
  owner_id: string;
  name: string;
  prefix: string;
  scopes: string[] | null;
  read_only: boolean;
  may_decide: boolean;
  objects: string[] | null;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
}

export type NewApiKey = Omit<ApiKeyRow, 'created_at' | 'last_used_at'> & { hash: string };

const COLUMNS =
  'id, owner_id, name, prefix, scopes, read_only, may_decide, objects, created_at, expires_at, last_used_at';

/** Keys by their hash. The caller that makes a key shows it once; this store never has it. */
export class ApiKeysStore {
  constructor(private readonly database: Database) {}

  tx<T>(ownerId: string, fn: (sql: Sql) => Promise<T>): Promise<T> {
    return this.database.tx(owner(ownerId), fn);
  }

  async add(key: NewApiKey, sql: Sql = this.database.as(owner(key.owner_id))): Promise<ApiKeyRow> {
    const [row] = await sql.query<ApiKeyRow>(
      `insert into api_keys (id, owner_id, name, prefix, hash, scopes, read_only, may_decide, objects, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${COLUMNS}`,
      [
        key.id,
        key.owner_id,
        key.name,
        key.prefix,
        key.hash,
        key.scopes,
        key.read_only,
        key.may_decide,
        key.objects,
        key.expires_at,
      ],
    );
    return row as ApiKeyRow;
  }

  /** Lists keys that were not revoked, expired ones too. */
  async list(ownerId: string, request: PageRequest): Promise<Page<ApiKeyRow>> {
    const page = openPage(`api keys of ${ownerId}`, request);
    const rows = await this.database.query<ApiKeyRow>(
      owner(ownerId),
      `select ${COLUMNS} from api_keys where owner_id = $1 and revoked_at is null
          and ${page.after('$2', '$3')}
        order by ${page.order} limit $4`,
      [ownerId, ...page.position, page.take],
    );
    return page.of(rows);
  }

  async get(ownerId: string, id: string): Promise<ApiKeyRow | null> {
    const [row] = await this.database.query<ApiKeyRow>(
      owner(ownerId),
      `select ${COLUMNS} from api_keys where owner_id = $1 and id = $2 and revoked_at is null`,
      [ownerId, id],
    );
    return row ?? null;
  }

  /** False where there is none, or it was revoked. */
  async revoke(ownerId: string, id: string, sql: Sql = this.database.as(owner(ownerId))): Promise<boolean> {
    const rows = await sql.query(
      `update api_keys set revoked_at = clock_timestamp() where owner_id = $1 and id = $2 and revoked_at is null
       returning 1`,
      [ownerId, id],
    );
    return rows.length > 0;
  }

  /** Ends every key of this name. */
  async revokeNamed(ownerId: string, name: string, sql: Sql): Promise<void> {
    await sql.query(
      `update api_keys set revoked_at = clock_timestamp() where owner_id = $1 and name = $2 and revoked_at is null`,
      [ownerId, name],
    );
  }
}
