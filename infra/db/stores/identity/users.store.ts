import { covers, GLOBAL_ADMIN } from '../../../../core/permissions/scopes';
import { SYSTEM, type Database, type Sql } from '../../database';
import { openPage, type Page, type PageRequest } from '../page';

export interface UserRow {
  id: string;
  handle: string;
  display_name: string;
  kind: 'person' | 'service';
  status: 'active' | 'deactivated' | 'anonymised';
  scopes: string[];
  managed_by: string | null;
  created_at: string;
  deactivated_at: string | null;
}

export interface UserFilter extends PageRequest {
  kind?: 'person' | 'service';
  /** Service accounts of one person. */
  managedBy?: string;
}

const COLUMNS = 'id, handle, display_name, kind, status, scopes, managed_by, created_at, deactivated_at';

/** Accounts. Changing them is the platform's own work: the caller of these methods has checked the person's rights. */
export class UsersStore {
  constructor(private readonly database: Database) {}

  /** Account changes belong together with their audit entry. */
  tx<T>(fn: (sql: Sql) => Promise<T>): Promise<T> {
    return this.database.tx(SYSTEM, fn);
  }

  /** `lock`: locks the row against other changes. */
  async get(id: string, sql: Sql = this.database.as(SYSTEM), lock = false): Promise<UserRow | null> {
    const [row] = await sql.query<UserRow>(
      `select ${COLUMNS} from users where id = $1 ${lock ? 'for no key update' : ''}`,
      [id],
    );
    return row ?? null;
  }

  async hasPassword(id: string): Promise<boolean> {
    return (await this.database.query(SYSTEM, 'select 1 from passwords where owner_id = $1', [id])).length > 0;
  }

  async list(filter: UserFilter): Promise<Page<UserRow>> {
    const page = openPage('users', filter);
    const rows = await this.database.query<UserRow>(
      SYSTEM,
      `select ${COLUMNS} from users where ($1::text is null or kind = $1) and ($2::uuid is null or managed_by = $2)
          and ${page.after('$3', '$4')}
        order by ${page.order} limit $5`,
      [filter.kind ?? null, filter.managedBy ?? null, ...page.position, page.take],
    );
    return page.of(rows);
  }

  /** Null where the handle is taken. */
  async addService(
    account: Pick<UserRow, 'id' | 'handle' | 'display_name' | 'scopes'> & { managed_by: string },
    sql: Sql,
  ): Promise<UserRow | null> {
    const [row] = await sql.query<UserRow>(
      `insert into users (id, handle, display_name, kind, scopes, managed_by) values ($1, $2, $3, 'service', $4, $5)
       on conflict (handle) do nothing returning ${COLUMNS}`,
      [account.id, account.handle, account.display_name, account.scopes, account.managed_by],
    );
    return row ?? null;
  }

  async setScopes(id: string, scopes: readonly string[], sql: Sql): Promise<UserRow> {
    const [row] = await sql.query<UserRow>(`update users set scopes = $2 where id = $1 returning ${COLUMNS}`, [
      id,
      [...scopes],
    ]);
    return row as UserRow;
  }

  /** Takes a person's lost scopes from their service accounts, too; invitations of a former administrator end. */
  async narrowGrants(id: string, scopes: readonly string[], sql: Sql): Promise<void> {
    const lost = (each: { scopes: string[] }): boolean => each.scopes.some((scope) => !covers(scopes, scope));
    const accounts = await sql.query<UserRow>(
      `select ${COLUMNS} from users where managed_by = $1 order by id for no key update`,
      [id],
    );
    for (const account of accounts.filter(lost)) {
      await this.setScopes(
        account.id,
        account.scopes.filter((scope) => covers(scopes, scope)),
        sql,
      );
    }
    // Allows only administrators to invite, and to set other people's passwords.
    if (scopes.includes(GLOBAL_ADMIN)) return;
    await sql.query(
      `update one_time_links set used_at = clock_timestamp()
        where made_by = $1 and purpose = 'password_reset' and used_at is null`,
      [id],
    );
    await sql.query(
      `update invites set revoked_at = clock_timestamp()
        where owner_id = $1 and revoked_at is null and accepted_at is null`,
      [id],
    );
  }

  /** Takes the account out of use: its sessions, keys, links and invitations, and its service accounts with theirs. */
  async deactivate(id: string, sql: Sql): Promise<void> {
    const ids = `(select id from users where id = $1 or managed_by = $1)`;
    await sql.query(
      `update users set status = 'deactivated', deactivated_at = clock_timestamp()
        where (id = $1 or managed_by = $1) and status = 'active'`,
      [id],
    );
    await sql.query(
      `update sessions set revoked_at = clock_timestamp(), revoked_why = 'account_deactivated'
        where owner_id in ${ids} and revoked_at is null`,
      [id],
    );
    for (const table of ['api_keys', 'invites']) {
      await sql.query(
        `update ${table} set revoked_at = clock_timestamp() where owner_id in ${ids} and revoked_at is null`,
        [id],
      );
    }
    await sql.query(
      `update one_time_links set used_at = clock_timestamp()
        where (user_id in ${ids} or made_by = $1) and used_at is null`,
      [id],
    );
  }

  async reactivate(id: string, sql: Sql): Promise<void> {
    await sql.query(`update users set status = 'active', deactivated_at = null where id = $1`, [id]);
  }

  /** Removes from a deactivated account everything that shows whose it was. Its acts stay, under its id. */
  async anonymise(id: string, sql: Sql): Promise<void> {
    await sql.query(
      `update users set status = 'anonymised', handle = 'anonymous-' || id, display_name = 'Anonymised account',
         scopes = '{}' where id = $1`,
      [id],
    );
  }

  /** Administrators that are left when `id` no longer is one. Locks them, so that two cannot leave at once. */
  async otherAdministrators(id: string, sql: Sql): Promise<number> {
    const rows = await sql.query(
      `select id from users where status = 'active' and kind = 'person' and scopes @> array[$2]::text[] and id <> $1
        order by id for no key update`,
      [id, GLOBAL_ADMIN],
    );
    return rows.length;
  }
}
