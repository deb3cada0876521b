import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Database, owner, SYSTEM } from '../../infra/db/database';
import { ApprovalsStore } from '../../infra/db/stores/approvals.store';
import { RunsStore } from '../../infra/db/stores/runs.store';
import { StatementNames } from '../../infra/db/statement-names';
import { loginUrl } from '../support/postgres';
import { waitUntil } from '../support/wait-until';
import { newRun, OWNER, seedPlaybook, STRANGER, testDatabase, type TestDatabase } from './db-fixture';

/** One connection, so that what it keeps can be looked at. */
let db: TestDatabase;
let one: Database;
let bare: Database;
let runOf: Record<string, string>;
beforeAll(async () => {
  db = await testDatabase();
  one = await Database.connect({ url: loginUrl(db.url), poolSize: 1 });
  bare = await Database.connect({ url: loginUrl(db.url), poolSize: 1, preparedStatements: false });
  runOf = { [OWNER]: await seedRunOf(OWNER), [STRANGER]: await seedRunOf(STRANGER) };
});
afterAll(async () => {
  await one.close();
  await bare.close();
  await db.close();
});

async function seedRunOf(ownerId: string): Promise<string> {
  const playbook = await seedPlaybook(db.database, ownerId);
  return (await new RunsStore(db.database).create(ownerId, newRun(playbook))).run.id;
}

interface Kept {
  name: string;
  generic_plans: number;
  custom_plans: number;
}
const KEPT = 'select name, generic_plans, custom_plans from pg_prepared_statements order by 1';
const IDS = { text: 'select id from runs order by id' };
const idsOf = async (database: Database, ownerId: string): Promise<unknown[]> => {
  const [rows] = await database.read<[{ id: string }]>(owner(ownerId), [IDS]);
  return rows.map(({ id }) => id);
};

describe('a view', () => {
  it('shows one moment, whatever is committed between its statements', async () => {
    const id = runOf[OWNER] ?? '';
    const LOCK = 7_305;
    const status = { text: 'select seq from runs where id = $1', params: [id] };
    const view = await db.admin.tx(async (held) => {
      await held.query('select pg_advisory_xact_lock($1)', [LOCK]);
      const reading = db.database.read<[{ seq: number }, unknown, { seq: number }]>(owner(OWNER), [
        status,
        { text: 'select 1 from pg_advisory_xact_lock($1)', params: [LOCK] },
        status,
      ]);
      await waitUntil('the view to wait', async () => {
        const waits = `select 1 from pg_locks where locktype = 'advisory' and objid = $1 and not granted`;
        return (await db.admin.query(waits, [LOCK])).length === 1;
      });
      await db.admin.query('update runs set seq = seq + 1 where id = $1', [id]);
      return { reading };
    });
    const [[before], , [after]] = await view.reading;
    expect(after).toEqual(before);
    const [now] = await db.admin.query<{ seq: string }>(status.text, [id]);
    expect(Number(now?.seq)).toBe((before?.seq ?? 0) + 1);
  });
});

describe('a connection', () => {
  it('keeps what it has planned, one plan for whatever values come', async () => {
    const statement = (id: string) => ({ text: 'select id from runs where id = $1', params: [id] });
    for (let no = 0; no < 4; no++) {
      const [mine, none] = await one.read<[{ id: string }, { id: string }]>(owner(OWNER), [
        statement(runOf[OWNER] ?? ''),
        statement(randomUUID()),
      ]);
      expect([mine.length, none.length]).toEqual([1, 0]);
    }
    const kept = (await one.hot<Kept>(KEPT, [])).filter(({ name }) => name.startsWith('owner_'));
    expect(kept).toEqual([{ name: expect.any(String), generic_plans: 8, custom_plans: 0 }]);
  });

  it('shows everybody their own by the same plan, and the platform all', async () => {
    for (let no = 0; no < 3; no++) {
      expect(await idsOf(one, OWNER)).toEqual([runOf[OWNER]]);
      expect(await idsOf(one, STRANGER)).toEqual([runOf[STRANGER]]);
      const [all] = await one.read<[{ id: string }]>(SYSTEM, [IDS]);
      expect(all.map(({ id }) => id)).toEqual(Object.values(runOf).toSorted());
    }
  });

  it('ends what was set for a reading with it', async () => {
    await idsOf(one, OWNER);
    const [now] = await one.hot(
      `select current_setting('plan_cache_mode') as plans, current_setting('enable_sort') as sort, current_user as who`,
      [],
    );
    expect(now).toEqual({ plans: 'auto', sort: 'on', who: 'af_login' });
  });

  it('says what went wrong first, and takes the next one', async () => {
    const failing = one.read(owner(OWNER), [IDS, { text: 'select 1 / (select 0) as x' }, { text: 'select now()' }]);
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    expect(await idsOf(one, OWNER)).toEqual([runOf[OWNER]]);
  });

  it('plans anew what a migration of a newer process has changed under it', async () => {
    const approvals = new ApprovalsStore(one);
    const look = async (): Promise<unknown> => [
      await approvals.get(OWNER, randomUUID()),
      (await approvals.list(OWNER, {})).items,
    ];
    expect(await look()).toEqual([null, []]);
    await db.admin.query('alter table approvals add column newer text');
    expect(await look()).toEqual([null, []]);
    expect(await look()).toEqual([null, []]);
  });

  it('keeps nothing where a pooler stands between', async () => {
    for (let no = 0; no < 3; no++) expect(await idsOf(bare, STRANGER)).toEqual([runOf[STRANGER]]);
    expect(await bare.hot(KEPT, [])).toEqual([]);
  });
});

describe('names', () => {
  it('are the same for the same text of a role, below their number', () => {
    const names = new StatementNames(2);
    const [first, second] = [names.of('owner', 'select 1'), names.of('system', 'select 1')];
    expect(new Set([first, second, undefined]).size).toBe(3);
    expect(names.of('owner', 'select 1')).toBe(first);
    expect(names.of('owner', 'select 2')).toBeUndefined();
    names.renew(0);
    // Another one has done it meanwhile.
    names.renew(0);
    expect([names.round, names.of('owner', 'select 1') === first]).toEqual([1, false]);
    expect(new StatementNames(0).of('login', 'select 1')).toBeUndefined();
  });
});
