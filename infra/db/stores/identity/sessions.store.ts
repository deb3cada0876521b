import { owner, type Database, type Sql } from '../../database';
import { openPage, type Page, type PageRequest } from '../page';

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

  /** Lists sessions that can still be used. */
  async list(ownerId: string, request: PageRequest): Promise<Page<SessionRow>> {
    const page = openPage('sessions', request);
    const rows = await this.database.query<SessionRow>(
      owner(ownerId),
      `select ${COLUMNS} from sessions where owner_id = $1 and revoked_at is null and expires_at > clock_timestamp()
          and ${page.after('$2', '$3')}
        order by ${page.order} limit $4`,
      [ownerId, ...page.position, page.take],
    );
    return page.of(rows);
  }

  async isOpen(ownerId: string, id: string): Promise<boolean> {
    const rows = await this.database.query(
      owner(ownerId),
      'select 1 from sessions where owner_id = $1 and id = $2 and revoked_at is null',
      [ownerId, id],
    );
    return rows.length > 0;
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
