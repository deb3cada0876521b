import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callAudit } from '../../infra/connectors/hooks/audit-log';
import { credentialEar } from '../../infra/connectors/runtime/credential-ear';
import { createConnectorRuntime } from '../../infra/connectors/runtime/runtime';
import { ownSystem } from '../../infra/connectors/database/own-system';
import { AuditStore } from '../../infra/db/stores/identity/audit.store';
import { OWNER, STRANGER, testDatabase, type TestDatabase } from './db-fixture';
import { ask, openDirectly, otherDatabase, type OtherDatabase } from './connector-database-fixture';

let db: TestDatabase;
let other: OtherDatabase;
beforeAll(async () => {
  db = await testDatabase();
  other = await otherDatabase();
});
afterAll(async () => {
  await other.close();
  await db.close();
});

describe('what a process of the product adds to calls', () => {
  it('an entry in the audit trail of the owner, for calls that worked and calls that did not', async () => {
    const store = new AuditStore(db.database);
    const hooks = { audit: callAudit(store) };
    const address = other.addressOf('reader');
    await ask('select 1 as n', { address, deps: { hooks }, context: { ownerId: OWNER, effectKey: 'run-7/step' } });
    await ask('select x', { address, deps: { hooks }, context: { ownerId: OWNER } }).catch(() => undefined);
    const { items } = await store.list(OWNER, { limit: 10 });
    expect(items).toMatchObject([
      { action: 'connector.call_failed', object_id: 'other.e' },
      { action: 'connector.called', object_type: 'connector', object_id: 'other.e', actor: 'run:run-7', means: 'run' },
    ]);
    expect((await store.list(STRANGER, { limit: 10 })).items).toEqual([]);
  });

  it('what a server says of a credential: a refusal once, with one word to the owner, and the end of it', async () => {
    const runtime = createConnectorRuntime({ database: db.database, worker: 'w', warn: () => undefined });
    const hooks = { credentials: credentialEar(runtime) };
    const right = other.addressOf('reader');
    const wrong = new URL(right);
    wrong.password = 'not this';
    const call = (address: string) => ask('select 1 as n', { address, deps: { hooks }, context: { ownerId: OWNER } });
    const told = () =>
      db.admin.query<{ body: string }>(
        `select body from notifications where owner_id = $1 and kind = 'connector_auth_failed'`,
        [OWNER],
      );
    try {
      await call(right);
      expect(await runtime.bindings.states(OWNER, 'other')).toEqual([]);
      await expect(call(wrong.href)).rejects.toMatchObject({ code: 'auth_failed' });
      await expect(call(wrong.href)).rejects.toMatchObject({ code: 'auth_failed' });
      expect(await runtime.bindings.states(OWNER, 'other')).toMatchObject([
        { credential: 'DB', state: 'auth_failed', status: null, endpoint: 'e' },
      ]);
      expect(await told()).toEqual([{ body: expect.stringContaining('other.e was answered with SQLSTATE 28P01.') }]);
      await call(right);
      expect(await runtime.bindings.states(OWNER, 'other')).toMatchObject([{ state: 'ok', endpoint: null }]);
    } finally {
      await runtime.close();
    }
  });

  it('the number of our own cluster, which no connector reads', async () => {
    const own = ownSystem(db.database);
    expect(await own()).toMatch(/^\d+$/);
    await expect(
      ask('select 1 as n', {
        address: other.addressOf('reader'),
        deps: { database: { open: openDirectly, ownSystem: own } },
      }),
    ).rejects.toMatchObject({ code: 'egress_denied' });
  });
});
