import { afterAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Database } from '../../../infra/db/database';
import { ConnectorWalls1764288000031 } from './chain/0031-connector-walls';
import { openAdmin, type Admin } from '../../support/admin';
import { freshDatabase } from '../../support/postgres';
import { OWNER } from '../db-fixture';
import { oldChain } from './old-chain';

const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

/** A connector whose versions name these secrets in turn, an hour apart; null: none. */
async function connector(admin: Admin, slug: string, secrets: readonly (string | null)[]): Promise<void> {
  const id = randomUUID();
  await admin.query(`insert into connectors (id, owner_id, slug, name, type) values ($1, $2, $3, $3, 'rest_api')`, [
    id,
    OWNER,
    slug,
  ]);
  for (const [index, secret] of secrets.entries()) {
    const auth = secret === null ? { type: 'none' } : { type: 'bearer_token', secret: { secret } };
    await admin.query(
      `insert into connector_versions (id, connector_id, owner_id, version_no, content_hash, source_format, source, definition, created_at)
        values ($1, $2, $3, $4, $7, 'yaml', 'x', $5, '2026-01-01'::timestamptz + $6 * interval '1 hour')`,
      [randomUUID(), id, OWNER, index + 1, JSON.stringify({ connection: { auth } }), index, randomUUID()],
    );
  }
}

async function confirmed(admin: Admin, slug: string, afterHours: number): Promise<void> {
  await admin.query(
    `insert into connector_confirmations (id, owner_id, connector, origins, confirmed_at)
      values ($1, $2, $3, '{https://example.org}', '2026-01-01'::timestamptz + $4 * interval '1 hour')`,
    [randomUUID(), OWNER, slug, afterHours],
  );
}

it('places that were confirmed before count for the one secret that the connector had named until then', async () => {
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
  await chain.downBefore(ConnectorWalls1764288000031.name);

  await connector(admin, 'one', ['key', 'key', 'other']);
  await confirmed(admin, 'one', 1.5);
  await connector(admin, 'two', ['key', 'other']);
  await confirmed(admin, 'two', 1.5);
  await connector(admin, 'begun-without', [null, 'key']);
  await confirmed(admin, 'begun-without', 1.5);
  await confirmed(admin, 'gone', 1.5);

  await chain.up();
  const known = await admin.query(
    'select connector, secret, first_at = confirmed_at as kept from connector_confirmations order by connector',
  );
  expect(known).toEqual([
    { connector: 'begun-without', secret: 'key', kept: true },
    { connector: 'one', secret: 'key', kept: true },
  ]);

  // Migrates back: the place counts for any secret again.
  await admin.query(
    `insert into connector_confirmations (id, owner_id, connector, secret, origins)
      select $1, owner_id, connector, 'other', origins from connector_confirmations where connector = 'one'`,
    [randomUUID()],
  );
  await chain.downBefore(ConnectorWalls1764288000031.name);
  const places = await admin.query('select connector from connector_confirmations order by connector');
  expect(places).toEqual([{ connector: 'begun-without' }, { connector: 'one' }]);
});
