import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callAudit } from '../../connectors/hooks/audit-log';
import { ownSystem } from '../../connectors/kinds/database/own-system';
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

  it('one entry for each of many calls that end together; one that the database refuses keeps no other out', async () => {
    const store = new AuditStore(db.database);
    const audit = callAudit(store);
    const calls = Array.from({ length: 20 }, (_each, no) => ({
      ownerId: no === 7 ? 'nobody' : OWNER,
      connector: 'many',
      endpoint: `e${no}`,
      effectKey: `run-9/${no}`,
      succeeded: true,
    }));
    const outcomes = await Promise.allSettled(calls.map((call) => audit(call)));
    expect(outcomes.flatMap(({ status }, no) => (status === 'rejected' ? [no] : []))).toEqual([7]);
    const { items } = await store.list(OWNER, { limit: 50 });
    const noted = items.map(({ object_id: id }) => id).filter((id) => id?.startsWith('many.') === true);
    expect(noted).toHaveLength(19);
    expect(new Set(noted)).toEqual(
      new Set(calls.filter((_call, no) => no !== 7).map((call) => `many.${call.endpoint}`)),
    );
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
