import { owner, SYSTEM, type Database, type Sql } from '../../database';
import { openPage, type Page, type PageRequest } from '../page';

export interface InviteRow {
  id: string;
  owner_id: string;
  handle: string | null;
  scopes: string[];
  created_at: string;
  expires_at: string;
  accepted_at: string | null;
  accepted_by: string | null;
}

const COLUMNS = 'id, owner_id, handle, scopes, created_at, expires_at, accepted_at, accepted_by';

export class InvitesStore {
  constructor(private readonly database: Database) {}

  async add(
    invite: { id: string; ownerId: string; hash: string; handle: string | null; scopes: string[]; seconds: number },
    sql: Sql,
  ): Promise<InviteRow> {
    const [row] = await sql.query<InviteRow>(
      `insert into invites (id, owner_id, hash, handle, scopes, expires_at)
       values ($1, $2, $3, $4, $5, clock_timestamp() + make_interval(secs => $6)) returning ${COLUMNS}`,
      [invite.id, invite.ownerId, invite.hash, invite.handle, invite.scopes, invite.seconds],
    );
    return row as InviteRow;
  }

  async list(ownerId: string, request: PageRequest): Promise<Page<InviteRow>> {
    const page = openPage('invites', request);
    const rows = await this.database.query<InviteRow>(
      owner(ownerId),
      `select ${COLUMNS} from invites where owner_id = $1 and revoked_at is null
          and ${page.after('$2', '$3')}
        order by ${page.order} limit $4`,
      [ownerId, ...page.position, page.take],
    );
    return page.of(rows);
  }

  async isOpen(ownerId: string, id: string): Promise<boolean> {
    const rows = await this.database.query(
      owner(ownerId),
      'select 1 from invites where owner_id = $1 and id = $2 and revoked_at is null and accepted_at is null',
      [ownerId, id],
    );
    return rows.length > 0;
  }

  /** False where there is none that could still be accepted. */
  async revoke(ownerId: string, id: string): Promise<boolean> {
    const rows = await this.database.query(
      SYSTEM,
      `update invites set revoked_at = clock_timestamp() where owner_id = $1 and id = $2 and revoked_at is null
         and accepted_at is null returning 1`,
      [ownerId, id],
    );
    return rows.length > 0;
  }
}
