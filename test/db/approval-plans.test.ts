import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ApprovalViewStore, previousOf } from '../../infra/db/stores/approval-view.store';
import { approvalsQuery } from '../../infra/db/stores/approvals-query';
import { ApprovalsStore, type ApprovalFilter } from '../../infra/db/stores/approvals.store';
import { OWNER, seedPlaybook, STRANGER, testDatabase, type TestDatabase } from './db-fixture';
import { lookedAt } from './kept-plan';

/** 10,000 requests of OWNER, one a run, of two playbooks in turn; the newest 20 wait and every fiftieth timed out. */
const REQUESTS = 10_000;
const WAITING = 20;
const LIMIT = 50;
const PAGE = LIMIT + 1;

let db: TestDatabase;
let approvals: ApprovalsStore;
beforeAll(async () => {
  db = await testDatabase();
  approvals = new ApprovalsStore(db.database);
  const [a, b] = [await seedPlaybook(db.database), await seedPlaybook(db.database)];
  await db.admin.tx(async (sql) => {
    // Rows exist for all references; a busy machine needs more time.
    await sql.query('set local session_replication_role = replica');
    await sql.query('set local statement_timeout = 0');
    await sql.query(
      `insert into runs (id, owner_id, playbook_id, playbook_version_id, playbook_slug, playbook_name, root_run_id, inputs,
        run_context, approval_policy, clock, status, created_at)
      select r.id, $1, case when n % 2 = 0 then $2::uuid else $4::uuid end, case when n % 2 = 0 then $3::uuid else $5::uuid end,
          'p', 'P', r.id, '{}', 'interactive', 'require', '{}', case when n <= $6 then 'waiting_approval' else 'complete' end,
          now() - make_interval(secs => n)
        from (select gen_random_uuid() as id, n from generate_series(1, $7::integer) n) r`,
      [OWNER, a.playbookId, a.versionId, b.playbookId, b.versionId, WAITING, REQUESTS],
    );
    await sql.query(
      `insert into approvals (id, run_id, owner_id, step_path, step_name, status, prompt, on_reject, on_timeout, requested_at,
        decided_at, decided_by)
      select gen_random_uuid(), r.id, r.owner_id, case when no = 1 then 'first' else 'gate' end, 'gate',
          case when no <= $2 then 'waiting' when no % 50 = 0 then 'timed_out' else 'approved' end, 'Go on?', 'stop', 'stop',
          created_at, case when no > $2 then created_at end, case when no > $2 then 'ann' end
        from (select *, row_number() over (order by created_at desc) as no from runs where owner_id = $1) r`,
      [OWNER, WAITING],
    );
  });
  await db.admin.query('analyze runs');
  await db.admin.query('analyze approvals');
}, 300_000);
afterAll(() => db.close());

async function idOf(where: string): Promise<string> {
  const [row] = await db.admin.query<{ id: string }>(
    `select id from approvals where ${where} order by requested_at limit 1`,
  );
  return row?.id ?? '';
}

describe('a list of requests among 10,000', () => {
  // A page is found by its ids, and each of them is then read once more.
  it.each<[string, ApprovalFilter, number]>([
    ['all', {}, 2 * PAGE],
    ['oldest first', { sort: 'requested_at' }, 2 * PAGE],
    ['those that wait', { status: ['waiting'] }, 2 * WAITING],
    ['a status that is rare', { status: ['timed_out'] }, 2 * PAGE],
    ['a status that nothing has', { status: ['cancelled'] }, 0],
  ])('%s: reads what it shows', async (_name, filter, most) => {
    const { rows, whole } = await lookedAt(
      db.database,
      OWNER,
      'approvals',
      approvalsQuery(OWNER, { limit: LIMIT, ...filter }).statement,
      'list',
    );
    expect({ whole, fits: rows <= most ? 'yes' : `${rows} rows` }).toEqual({ whole: false, fits: 'yes' });
  });

  it('of somebody who has none, and of one run', async () => {
    const none = await lookedAt(db.database, STRANGER, 'approvals', approvalsQuery(STRANGER, {}).statement, 'list');
    expect(none).toEqual({ rows: 0, whole: false });
    const [{ run_id } = { run_id: '' }] = await db.admin.query<{ run_id: string }>(
      'select run_id from approvals limit 1',
    );
    const filter = { runId: run_id, limit: LIMIT };
    expect((await approvals.list(OWNER, filter)).items).toMatchObject([{ run_id }]);
    const { rows } = await lookedAt(db.database, OWNER, 'approvals', approvalsQuery(OWNER, filter).statement, 'list');
    expect(rows).toBeLessThanOrEqual(2);
  });

  it('walks from one end to the other and back, each once', async () => {
    for (const sort of ['requested_at', '-requested_at'] as const) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await approvals.list(OWNER, {
          sort,
          status: ['timed_out'],
          limit: LIMIT,
          ...(cursor && { cursor }),
        });
        seen.push(...page.items.map(({ requested_at: at }) => at));
        cursor = page.next_cursor ?? undefined;
      } while (cursor !== undefined);
      const inOrder = seen.toSorted();
      expect(seen).toEqual(sort === 'requested_at' ? inOrder : inOrder.toReversed());
      expect(seen).toHaveLength(REQUESTS / 50);
    }
  });
});

describe('how somebody decided at the same gate before', () => {
  it('is the newest decision of the same playbook, found without reading the rest', async () => {
    const id = await idOf(`status = 'waiting' and step_path = 'gate'`);
    const { previous, approval } = await new ApprovalViewStore(db.database).require(OWNER, id);
    const [expected] = await db.admin.query<{ id: string }>(
      `select a.id from approvals a join runs r on r.id = a.run_id
        where a.step_path = 'gate' and a.status = 'approved' and a.requested_at < $1
          and r.playbook_id = (select playbook_id from runs where id = $2)
        order by a.requested_at desc limit 1`,
      [approval.requested_at, approval.run_id],
    );
    expect(previous?.id).toBe(expected?.id);
    const { rows, whole } = await lookedAt(db.database, OWNER, 'approvals', previousOf(OWNER, id), 'view');
    expect({ whole, few: rows <= 2 * WAITING ? 'yes' : `${rows} rows` }).toEqual({ whole: false, few: 'yes' });
  });

  it('is nothing at a gate that is new, and nothing is read for it', async () => {
    const id = await idOf(`step_path = 'first'`);
    expect((await new ApprovalViewStore(db.database).require(OWNER, id)).previous).toBeNull();
    const { rows } = await lookedAt(db.database, OWNER, 'approvals', previousOf(OWNER, id), 'view');
    expect(rows).toBeLessThanOrEqual(3);
  });

  it('is shown to nobody else', async () => {
    const id = await idOf(`step_path = 'gate'`);
    const views = new ApprovalViewStore(db.database);
    await expect(views.require(STRANGER, id)).rejects.toMatchObject({ code: 'approval_not_found' });
    await expect(views.require(OWNER, randomUUID())).rejects.toMatchObject({ code: 'approval_not_found' });
    await expect(views.require(OWNER, 'no id')).rejects.toMatchObject({ code: 'approval_not_found' });
  });
});
