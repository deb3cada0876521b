import { SYSTEM, type Database } from '../../database';

export interface SigningKeyRow {
  kid: string;
  /** SubjectPublicKeyInfo in base64. */
  public_key: string;
  private_key: Buffer;
  /** The master key that the private part is encrypted under. */
  key_id: string;
  created_at: string;
  retired_at: string | null;
}

/** Keys that access tokens are signed with: the newest that is not retired signs, all of them are read. */
export class SigningKeysStore {
  constructor(private readonly database: Database) {}

  /** Newest first. */
  async list(): Promise<SigningKeyRow[]> {
    const rows = await this.database.query<Omit<SigningKeyRow, 'private_key'> & { private_key: string }>(
      SYSTEM,
      `select kid, public_key, encode(private_key, 'base64') as private_key, key_id, created_at, retired_at
         from signing_keys order by created_at desc, kid`,
    );
    return rows.map((row) => ({ ...row, private_key: Buffer.from(row.private_key, 'base64') }));
  }

  /** Puts it in front; those before it sign no more, and are forgotten once all that they signed has expired. */
  async replace(
    key: Pick<SigningKeyRow, 'kid' | 'public_key' | 'private_key' | 'key_id'>,
    keepSeconds: number,
  ): Promise<void> {
    await this.database.tx(SYSTEM, async (sql) => {
      await sql.query(`delete from signing_keys where retired_at < clock_timestamp() - make_interval(secs => $1)`, [
        keepSeconds,
      ]);
      await sql.query(`update signing_keys set retired_at = clock_timestamp() where retired_at is null`);
      await sql.query(`insert into signing_keys (kid, public_key, private_key, key_id) values ($1, $2, $3, $4)`, [
        key.kid,
        key.public_key,
        key.private_key,
        key.key_id,
      ]);
    });
  }
}
