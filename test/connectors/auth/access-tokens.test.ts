import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AccessTokens } from '../../../connectors/auth/access-tokens';
import type { ConnectorDefinition } from '../../../core/connector/types';
import { SealedTokens } from '../../../connectors/auth/sealed-tokens';
import { KeyRing } from '../../../infra/crypto/key-ring';
import { Database } from '../../../infra/db/database';
import { AccessTokensStore } from '../../../infra/db/stores/access-tokens.store';
import { SecretMask } from '../../../infra/secrets/secret-mask';
import { connectorDeps, testContext, callEndpoint } from '../../support/connector-deps';
import { restEndpoint } from '../http-definitions';
import { sendJson, startHttpSource, type HttpSource } from '../../support/http-source';
import { loginUrl } from '../../support/postgres';
import { waitUntil } from '../../support/wait-until';
import { OWNER, STRANGER, testDatabase, type TestDatabase } from '../../db/db-fixture';

const ring = new KeyRing([{ id: 'k1', bytes: Buffer.alloc(32, 7) }]);
let db: TestDatabase;
/** A second worker's own connections. */
let second: Database;
let source: HttpSource;
let issued = 0;
const valid = new Set<string>();
/** Held until the token service may answer. */
let gate: Promise<void> = Promise.resolve();

beforeAll(async () => {
  db = await testDatabase();
  second = await Database.connect({ url: loginUrl(db.url), poolSize: 4 });
  source = await startHttpSource((request, response) => {
    if (request.url !== '/token') {
      const token = (request.headers.authorization ?? '').replace('Bearer ', '');
      return sendJson(response, [{ ok: true }], valid.has(token) ? 200 : 401);
    }
    const token = `canary-token-${(issued += 1)}`;
    valid.add(token);
    void gate.then(() => sendJson(response, { access_token: token, expires_in: 3600 }));
  });
});
afterAll(async () => {
  await source.close();
  await second.close();
  await db.close();
});
beforeEach(async () => {
  source.seen.splice(0);
  gate = Promise.resolve();
  await db.admin.query('delete from access_tokens');
});

const worker = (database: Database, keys = ring): AccessTokens =>
  new AccessTokens(new SealedTokens(new AccessTokensStore(database), keys, new SecretMask()));
const asked = (): number => source.seen.filter(({ url }) => url === '/token').length;
const rows = () =>
  db.admin.query<{ ciphertext: Buffer | null; token_id: string | null }>(
    'select token_id, ciphertext from access_tokens',
  );

async function call(tokens: AccessTokens, ownerId = OWNER): Promise<unknown> {
  const definition = {
    schema: 1,
    id: 'wire',
    name: 'Wire',
    type: 'rest_api',
    connection: {
      base_url: source.url,
      headers: {},
      timeout_seconds: 10,
      auth: {
        type: 'oauth2_client_credentials',
        token_url: `${source.url}/token`,
        in: 'header',
        secret: { secret: 'KEY' },
      },
    },
    endpoints: { e: restEndpoint() },
  } as ConnectorDefinition;
  const deps = connectorDeps({
    allow: [{ host: '127.0.0.1', port: source.port }],
    secrets: { resolve: () => Promise.resolve({ value: 'client:canary-secret', allowedHosts: ['*'], version: 'v1' }) },
    tokens,
  });
  try {
    return await callEndpoint(deps, { definition, endpoint: 'e', inputs: {}, context: testContext({ ownerId }) });
  } finally {
    await deps.egress.close();
  }
}

describe('access tokens of several workers', () => {
  it('many calls of two workers at once fetch one token', async () => {
    let open = (): void => undefined;
    gate = new Promise((resolve) => {
      open = resolve;
    });
    const workers = [worker(db.database), worker(second)];
    const calls = Array.from({ length: 12 }, (_, index) => call(workers[index % 2]!));
    await waitUntil('a call of the token service', () => asked() > 0);
    open();
    await Promise.all(calls);
    expect(asked()).toBe(1);
    expect(source.seen).toHaveLength(13);
  });
  it('one that starts later takes the token that is there', async () => {
    await call(worker(db.database));
    await call(worker(second));
    expect(asked()).toBe(1);
  });
  it('a refused token is fetched once more, for all', async () => {
    const [one, two] = [worker(db.database), worker(second)];
    await call(one);
    await call(two);
    valid.clear();
    await call(one);
    await call(two);
    expect(asked()).toBe(2);
  });
  it('whoever holds the claim and is lost holds up the others until its lease is over', async () => {
    const slot = { ownerId: OWNER, key: 's' };
    const shared = new SealedTokens(new AccessTokensStore(db.database), ring, new SecretMask());
    const [lost, next] = [randomUUID(), randomUUID()];
    expect(await shared.claim(slot, lost)).toBe('claimed');
    expect(await shared.claim(slot, next)).toBe('busy');
    await db.admin.query(`update access_tokens set lease_until = clock_timestamp() - interval '1 second'`);
    expect(await shared.claim(slot, next)).toBe('claimed');
    await shared.put(slot, lost, { id: lost, value: 'too-late', seconds: 60 });
    expect(await shared.claim(slot, randomUUID())).toBe('busy');
    await shared.put(slot, next, { id: next, value: 'in-time', seconds: 60 });
    expect(await shared.claim(slot, randomUUID())).toMatchObject({ id: next, value: 'in-time' });
    await shared.drop(slot, lost);
    expect(await shared.claim(slot, randomUUID())).toMatchObject({ id: next });
  });
  it('a service that fails lets the next one try at once', async () => {
    const slot = { ownerId: OWNER, key: 's' };
    const [one, two] = [worker(db.database), worker(second)];
    const signal = new AbortController().signal;
    await expect(one.get(slot, () => Promise.reject(new Error('down')), signal)).rejects.toThrow('down');
    expect(await two.get(slot, () => Promise.resolve({ value: 't', seconds: 60 }), signal)).toMatchObject({
      value: 't',
    });
  });
});

describe('what is stored', () => {
  it('is encrypted, belongs to one owner, and opens for nobody else', async () => {
    await call(worker(db.database));
    const [row] = await rows();
    expect(row!.ciphertext!.toString('latin1')).not.toContain('canary');
    await call(worker(db.database), STRANGER);
    expect(asked()).toBe(2);
    await db.admin.query(
      `update access_tokens a set ciphertext = b.ciphertext, token_id = b.token_id from access_tokens b
        where a.owner_id = $1 and b.owner_id = $2`,
      [STRANGER, OWNER],
    );
    await call(worker(second), STRANGER);
    expect(asked()).toBe(3);
  });
  it('is fetched anew when its master key is gone', async () => {
    await call(worker(db.database));
    await call(worker(second, new KeyRing([{ id: 'k2', bytes: Buffer.alloc(32, 9) }])));
    expect(asked()).toBe(2);
  });
  it('is deleted long after it has expired', async () => {
    const store = new AccessTokensStore(db.database);
    await store.claim(OWNER, 'old', randomUUID());
    await db.admin.query(`update access_tokens set lease_until = clock_timestamp() - interval '2 days'`);
    await call(worker(db.database));
    expect(await rows()).toHaveLength(1);
  });
});
