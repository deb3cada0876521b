import { afterAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Database } from '../../../infra/db/database';
import { migrate } from '../../../infra/db/migrate';
import { Turns1764288000035 } from './chain/0035-turns';
import { openAdmin } from '../../support/admin';
import { freshDatabase } from '../../support/postgres';
import { OWNER } from '../db-fixture';
import { oldChain } from './old-chain';

const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

it('what database connectors and bindings named before their secrets had a place goes on working, but for imported ones', async () => {
  const { url, drop } = await freshDatabase();
  const admin = openAdmin(url);
  const schema = await Database.connect({ url, poolSize: 2 });
  closers.push(
    drop,
    () => admin.close(),
    () => schema.close(),
  );
  const chain = await oldChain(url);
  closers.push(() => chain.close());
  await chain.up();
  await chain.downBefore(Turns1764288000035.name);

  /** A connector whose versions name these secrets in turn. */
  const connector = async (slug: string, secrets: readonly string[], more: { type?: string; imported?: true } = {}) => {
    const id = randomUUID();
    const { type = 'database', ...rest } = more;
    await admin.query(`insert into connectors (id, owner_id, slug, name, type) values ($1, $2, $3, $3, $4)`, [
      id,
      OWNER,
      slug,
      type,
    ]);
    for (const [index, secret] of secrets.entries()) {
      const definition = { ...rest, connection: { auth: { type: 'connection_string', secret: { secret } } } };
      const version = randomUUID();
      await admin.query(
        `insert into connector_versions (id, connector_id, owner_id, version_no, content_hash, source_format, source, definition)
          values ($1, $2, $3, $4, $6, 'yaml', 'x', $5)`,
        [version, id, OWNER, index + 1, JSON.stringify(definition), version],
      );
      await admin.query('update connectors set latest_version_id = $2 where id = $1', [id, version]);
    }
    return id;
  };
  for (const name of ['first', 'second', 'bound'])
    await admin.query(
      `insert into secrets (id, owner_id, name, ciphertext, key_id, allowed_hosts) values ($1, $2, $3, '', 'k', '{*}')`,
      [randomUUID(), OWNER, name],
    );
  const moved = await connector('moved', ['first', 'second']);
  await connector('imported', ['first'], { imported: true });
  await connector('without-secret', ['not-there']);
  await connector('web', ['first'], { type: 'rest_api' });
  const profile = randomUUID();
  await admin.query(`insert into agent_profiles (id, owner_id, handle, name) values ($1, $2, 'p', 'P')`, [
    profile,
    OWNER,
  ]);
  await admin.query(
    `insert into profile_connectors (id, profile_id, owner_id, connector_id, credentials) values ($1, $2, $3, $4, $5)`,
    [randomUUID(), profile, OWNER, moved, JSON.stringify({ secret: { secret: 'bound' } })],
  );

  await chain.up();
  const places = 'select connector, secret, origins from connector_confirmations order by connector, secret';
  expect(await admin.query(places)).toEqual([
    { connector: 'moved', secret: 'bound', origins: ['postgresql'] },
    { connector: 'moved', secret: 'second', origins: ['postgresql'] },
  ]);
  await chain.downBefore(Turns1764288000035.name);
  expect(await admin.query(places)).toEqual([]);
  await chain.up(35);
  await migrate(schema);
  expect(await admin.query(places)).toHaveLength(2);
});
