import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ConnectorBindingsStore } from '../../infra/db/stores/connector-bindings.store';
import { ConnectorCacheStore, type AnswerPlace, type NewAnswer } from '../../infra/db/stores/connector-cache.store';
import { ConnectorsStore } from '../../infra/db/stores/definitions.store';
import { SecretsStore } from '../../infra/db/stores/secrets.store';
import { OWNER, STRANGER, testDatabase, type TestDatabase } from './db-fixture';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db?.close());

async function version(origin: 'user' | 'catalog', ownerId = OWNER, hash: string = randomUUID()): Promise<string> {
  const store = new ConnectorsStore(db.database);
  const definition = {
    slug: `c-${randomUUID()}`,
    name: 'C',
    kind: 'rest_api',
    content_hash: hash,
    source_format: 'yaml' as const,
    source: 'x',
    body: {},
  };
  const saved =
    origin === 'user' ? await store.save(ownerId, definition) : await store.saveCatalog(ownerId, definition);
  return saved?.version.id ?? '';
}

describe('kept answers', () => {
  const cache = () => new ConnectorCacheStore(db.database);
  const answer = (more: Partial<NewAnswer> = {}): NewAnswer => ({
    connector: 'c',
    endpoint: 'list',
    credential: '',
    credentialVersion: '',
    status: 200,
    headers: { etag: '"1"' },
    url: 'https://api.example/list',
    body: Buffer.from([0, 255, 7]),
    ttlSeconds: 60,
    staleSeconds: 600,
    dropSeconds: 600,
    ownerBytes: 1_000_000,
    ...more,
  });
  const place = (versionId: string, more: Partial<AnswerPlace> = {}): AnswerPlace => ({
    ownerId: OWNER,
    versionId,
    digest: randomUUID(),
    keyless: true,
    ...more,
  });

  it('come back byte by byte, fresh, then usable when the source fails, then not at all', async () => {
    const at = place(await version('user'));
    expect(await cache().find(at)).toBeUndefined();
    await cache().keep(at, answer());
    expect(await cache().find(at)).toMatchObject({
      status: 200,
      headers: { etag: '"1"' },
      body: Buffer.from([0, 255, 7]),
      fresh: true,
      usable: true,
    });
    const older = (seconds: number) =>
      db.admin.query(
        `update connector_cache set stored_at = stored_at - $2 * interval '1 s', fresh_until = fresh_until - $2 * interval '1 s',
          stale_until = stale_until - $2 * interval '1 s', drop_at = drop_at - $2 * interval '1 s' where key like '%' || $1`,
        [at.digest, seconds],
      );
    await older(100);
    const stale = await cache().find(at);
    expect(stale).toMatchObject({ fresh: false, usable: true });
    expect(stale?.age_ms).toBeGreaterThan(99_000);
    await cache().revive(at, { ttlSeconds: 60, staleSeconds: 600, dropSeconds: 600 });
    expect(await cache().find(at)).toMatchObject({ fresh: true });
    await older(1000);
    expect(await cache().find(at)).toBeUndefined();
  });

  it('are shared only without a credential and only by connectors of the catalogue', async () => {
    const hash = randomUUID();
    const digest = randomUUID();
    const [mine, theirs] = [await version('catalog', OWNER, hash), await version('catalog', STRANGER, hash)];
    const other = { ownerId: STRANGER, digest };
    await cache().keep(place(mine, { digest }), answer());
    expect(await cache().find(place(theirs, other))).toMatchObject({ status: 200 });
    expect(await cache().find(place(theirs, { ...other, keyless: false }))).toBeUndefined();
    const own = randomUUID();
    const [a, b] = [await version('user', OWNER, own), await version('user', STRANGER, own)];
    await cache().keep(place(a, { digest }), answer());
    expect(await cache().find(place(b, other))).toBeUndefined();
  });

  it('of one owner stay below their cap: the oldest go', async () => {
    const versionId = await version('user', STRANGER);
    const places = [1, 2, 3].map(() => place(versionId, { ownerId: STRANGER }));
    for (const at of places) await cache().keep(at, answer({ body: Buffer.alloc(40), ownerBytes: 100 }));
    const found = await Promise.all(places.map((at) => cache().find(at)));
    expect(found.map((each) => each !== undefined)).toEqual([false, true, true]);
  });

  it('of one owner go by when they were of use last, not by when they came', async () => {
    const versionId = await version('user', STRANGER);
    const [first, second, third] = [1, 2, 3].map(() => place(versionId, { ownerId: STRANGER })) as [
      AnswerPlace,
      AnswerPlace,
      AnswerPlace,
    ];
    const keep = (at: AnswerPlace) => cache().keep(at, answer({ body: Buffer.alloc(40), ownerBytes: 100 }));
    await keep(first);
    await keep(second);
    await db.admin.query(`update connector_cache set used_at = used_at - interval '2 minutes' where owner_id = $1`, [
      STRANGER,
    ]);
    expect(await cache().find(first)).toBeDefined();
    await keep(third);
    const found = await Promise.all([first, second, third].map((at) => cache().find(at)));
    expect(found.map((each) => each !== undefined)).toEqual([true, false, true]);
  });

  it('that all share: who writes many pushes out their own, and none of the others', async () => {
    await db.admin.query('delete from connector_cache where owner_id is null');
    const hash = randomUUID();
    const [mine, theirs] = [await version('catalog', OWNER, hash), await version('catalog', STRANGER, hash)];
    const keep = (at: AnswerPlace) => cache().keep(at, answer({ body: Buffer.alloc(40), ownerBytes: 200 }));
    const useful = place(theirs, { ownerId: STRANGER });
    await keep(useful);
    const flood = Array.from({ length: 20 }, () => place(mine));
    for (const at of flood) await keep(at);
    expect(await cache().find(useful)).toBeDefined();
    expect(await cache().find(flood[0] as AnswerPlace)).toBeUndefined();
    expect(await cache().find(flood[19] as AnswerPlace)).toBeDefined();
    const held = 'select sum(size)::int as bytes from connector_cache where owner_id is null';
    expect((await db.admin.query<{ bytes: number }>(held))[0]?.bytes).toBeLessThanOrEqual(200);
  });

  it.each(['rotated', 'deleted', 'refused'])('go with their credential: %s', async (how) => {
    const name = `s-${randomUUID()}`;
    const secrets = new SecretsStore(db.database);
    const sealed = { key_id: 'k', ciphertext: Buffer.from('x') };
    await secrets.create(OWNER, name, { ...sealed, allowed_hosts: ['*'] });
    const at = place(await version('user'), { keyless: false });
    await cache().keep(at, answer({ credential: name }));
    await new ConnectorBindingsStore(db.database).refused({
      ownerId: OWNER,
      connector: 'c',
      credential: name,
      status: 403,
      endpoint: 'e',
    });
    expect(await cache().find(at)).toBeDefined();
    if (how === 'rotated') await secrets.rotate(OWNER, name, sealed);
    else if (how === 'deleted') await secrets.delete(OWNER, name, 'any');
    else await cache().drop(OWNER, 'c', name);
    expect(await cache().find(at)).toBeUndefined();
    const states = await new ConnectorBindingsStore(db.database).states(OWNER, 'c');
    expect(states.some(({ credential }) => credential === name)).toBe(how === 'refused');
  });

  it('go with an endpoint that refuses their credential: only its own, only of that version of the secret', async () => {
    const versionId = await version('user');
    const credential = `s-${randomUUID()}`;
    const keep = async (endpoint: string, credentialVersion: string): Promise<AnswerPlace> => {
      const at = place(versionId, { keyless: false });
      await cache().keep(at, answer({ credential, endpoint, credentialVersion }));
      return at;
    };
    const all = [await keep('list', '2'), await keep('list', '1'), await keep('other', '2')];
    await cache().drop(OWNER, 'c', credential, { endpoint: 'list', credentialVersion: '2' });
    const found = await Promise.all(all.map((at) => cache().find(at)));
    expect(found.map((each) => each !== undefined)).toEqual([false, true, true]);
  });

  it('belong to a stored version, or are not kept', async () => {
    const at = place(randomUUID());
    await cache().keep(at, answer());
    expect(await cache().find(at)).toBeUndefined();
  });
});
