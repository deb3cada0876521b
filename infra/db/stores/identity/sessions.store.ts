import { owner, type Database, type Sql } from '../../database';
import { limitOf, pageOf, positionOf, type Page, type PageRequest } from '../page';

export interface SessionRow {
  id: string;
  kind: 'browser' | 'token';
  client: string | null;
  peer: string;
  created_at: string;
  last_seen_at: string;
  expires_at: string;
}

const COLUMNS = 'id, kind, client, peer, created_at, last_seen_at, expires_at';

export class SessionsStore {
  constructor(private readonly database: Database) {}

  /** Those that can still be used. */
  async list(ownerId: string, request: PageRequest): Promise<Page<SessionRow>> {
    const limit = limitOf(request);
    const at = positionOf(request);
    const rows = await this.database.query<SessionRow>(
      owner(ownerId),
      `select ${COLUMNS} from sessions where owner_id = $1 and revoked_at is null and expires_at > clock_timestamp()
          and ($2::timestamptz is null or (created_at, id) < ($2, $3::uuid))
        order by created_at desc, id desc limit $4`,
      [ownerId, at?.at ?? null, at?.id ?? null, limit + 1],
    );
    return pageOf(rows, limit, (row) => row.created_at);
  }

  /** False where there is no such session that could be used. */
  async revoke(
    ownerId: string,
    id: string,
    why: string,
    sql: Sql = this.database.as(owner(ownerId)),
  ): Promise<boolean> {
    const rows = await sql.query(
      `update sessions set revoked_at = clock_timestamp(), revoked_why = $3
        where owner_id = $1 and id = $2 and revoked_at is null returning 1`,
      [ownerId, id, why],
    );
    return rows.length > 0;
  }
}
