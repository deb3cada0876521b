import { randomUUID } from 'node:crypto';
import { SYSTEM, type Database, type Sql } from '../../database';

export type LinkPurpose = 'first_admin' | 'sign_in' | 'password_reset';

/** Purpose of a link, while it can be used. */
export interface LinkRow {
  purpose: LinkPurpose | 'invite';
  user_id: string | null;
  handle: string | null;
  /** True when it works on this machine alone. */
  loopback: boolean;
  expires_at: string;
}

export interface NewLink {
  purpose: LinkPurpose;
  userId: string;
  hash: string;
  loopback: boolean;
  seconds: number;
  /** Person who made it for another person: it is valid as long as they have the right. */
  madeBy?: string;
}

/** Single-use links. Knows hashes, never the links. */
export class LinksStore {
  constructor(private readonly database: Database) {}

  /** Earlier links of the user for the same purpose can no longer be used. Gives when the new one expires. */
  async add(link: NewLink, sql?: Sql): Promise<string> {
    const write = async (on: Sql): Promise<string> => {
      await on.query(
        `update one_time_links set used_at = clock_timestamp() where user_id = $1 and purpose = $2 and used_at is null`,
        [link.userId, link.purpose],
      );
      const [row] = await on.query<{ expires_at: string }>(
        `insert into one_time_links (id, purpose, user_id, hash, loopback, expires_at, made_by)
         values ($1, $2, $3, $4, $5, clock_timestamp() + make_interval(secs => $6), $7) returning expires_at`,
        [randomUUID(), link.purpose, link.userId, link.hash, link.loopback, link.seconds, link.madeBy ?? null],
      );
      return row?.expires_at ?? '';
    };
    return sql === undefined ? this.database.tx(SYSTEM, write) : write(sql);
  }

  async find(hash: string): Promise<LinkRow | null> {
    const [row] = await this.database.hot<LinkRow>('select * from af_link($1)', [hash]);
    return row ?? null;
  }

  /** `password`: its hash, where the link sets one. Handle and name: of the first administrator. */
  async use(
    hash: string,
    set: { password: string | null; handle: string | null; name: string | null },
  ): Promise<{ outcome: 'ok' | 'taken' | 'invalid'; user_id: string | null; handle: string | null }> {
    const [row] = await this.database.hot<Awaited<ReturnType<LinksStore['use']>>>(
      'select * from af_use_link($1, $2, $3, $4)',
      [hash, set.password, set.handle, set.name],
    );
    return row ?? { outcome: 'invalid', user_id: null, handle: null };
  }
}
