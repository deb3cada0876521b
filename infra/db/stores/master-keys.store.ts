import { SYSTEM, type Database } from '../database';

export interface MasterKeyRow {
  id: string;
  check_value: string;
  created_at: string;
  retired_at: string | null;
}

export interface MasterKeyUse {
  id: string;
  created_at: string;
  retired_at: string | null;
  /** Secrets that are encrypted under it. */
  secrets: number;
}

/** Master keys with which this installation was ever run. */
export class MasterKeysStore {
  constructor(private readonly database: Database) {}

  async list(): Promise<MasterKeyRow[]> {
    return this.database.query<MasterKeyRow>(
      SYSTEM,
      'select id, check_value, created_at, retired_at from master_keys order by created_at, id',
    );
  }

  async add(id: string, checkValue: string): Promise<void> {
    await this.database.query(
      SYSTEM,
      'insert into master_keys (id, check_value) values ($1, $2) on conflict do nothing',
      [id, checkValue],
    );
  }

  async uses(): Promise<MasterKeyUse[]> {
    return this.database.query<MasterKeyUse>(
      SYSTEM,
      `select k.id, k.created_at, k.retired_at, (select count(*) from secrets s where s.key_id = k.id) as secrets
         from master_keys k order by k.created_at, k.id`,
    );
  }

  /** False while a secret, or the key that access tokens are signed with, is encrypted under it. */
  async retire(id: string): Promise<boolean> {
    const rows = await this.database.query(
      SYSTEM,
      `update master_keys set retired_at = coalesce(retired_at, clock_timestamp())
        where id = $1 and not exists (select from secrets where key_id = $1)
          and not exists (select from signing_keys where key_id = $1 and retired_at is null) returning 1`,
      [id],
    );
    return rows.length > 0;
  }
}
