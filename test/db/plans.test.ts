import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { runsQuery, type RunFilter } from '../../infra/db/stores/runs-query';
import { runViewOf } from '../../infra/db/stores/run-view.store';
import { RunsStore } from '../../infra/db/stores/runs.store';
import { OWNER, seedPlaybook, STRANGER, testDatabase, type TestDatabase } from './db-fixture';
import { lookedAt, type Looked } from './kept-plan';

/** 100,000 runs: 50,000 of OWNER, 2,500 in each of 20 teams, all of one busy colleague; STRANGER has none. */
const MEMBER = '00000000-0000-4000-8000-000000000003';
const COLLEAGUE = '00000000-0000-4000-8000-000000000004';
const TEAMS = 20;
const LIMIT = 50;

let db: TestDatabase;
let runs: RunsStore;
const profileOwner = randomUUID();
let team: { team_id: string; profile_id: string };

beforeAll(async () => {
  db = await testDatabase();
  runs = new RunsStore(db.database);
  await db.admin.query(
    `insert into users (id, handle, display_name) values ($1, 'member', 'M'), ($2, 'colleague', 'C')`,
    [MEMBER, COLLEAGUE],
  );
  await seedTeams();
  await seedRuns(OWNER, 50_000, 'null, null, null');
  await seedRuns(COLLEAGUE, 50_000, 's.profile_id, s.owner_id, s.team_id');
  await db.admin.query('analyze runs');
  [team] = (await db.admin.query('select team_id, profile_id from agent_team_shares order by id limit 1')) as [
    typeof team,
  ];
}, 300_000);
afterAll(() => db.close());

/** The first user's profiles, each shared with a team of MEMBER and COLLEAGUE. */
async function seedTeams(): Promise<void> {
  await db.admin.query(`insert into users (id, handle, display_name) values ($1, 'profiles', 'P')`, [profileOwner]);
  await db.admin.query(
    `with t as (insert into teams (id, owner_id, name) select gen_random_uuid(), $1, 'T' from generate_series(1, $2) returning id),
      p as (insert into agent_profiles (id, owner_id, handle, name)
        select gen_random_uuid(), $1, 'p-' || n, 'P' from generate_series(1, $2) n returning id),
      m as (insert into team_members (team_id, user_id, role)
        select t.id, u, 'member' from t cross join unnest(array[$1, $3, $4]::uuid[]) u)
    insert into agent_team_shares (id, profile_id, owner_id, team_id, journal_visibility)
      select gen_random_uuid(), p.id, $1, t.id, 'full' from (select id, row_number() over () n from t) t
        join (select id, row_number() over () n from p) p using (n)`,
    [profileOwner, TEAMS, MEMBER, COLLEAGUE],
  );
}

/** Every hundredth failed; a second apart, so that a page has one order. */
async function seedRuns(ownerId: string, count: number, profile: string): Promise<void> {
  const playbook = await seedPlaybook(db.database, ownerId);
  await db.admin.tx(async (sql) => {
    // Rows exist for all references; a busy machine needs more time.
    await sql.query('set local session_replication_role = replica');
    await sql.query('set local statement_timeout = 0');
    await sql.query(
      `insert into runs (id, owner_id, playbook_id, playbook_version_id, playbook_slug, playbook_name, root_run_id, inputs,
        run_context, approval_policy, clock, status, created_at, started_at, profile_id, profile_owner_id, team_id)
      select r.id, $1, $2, $3, 'p', 'P', r.id, '{}', 'interactive', 'require', '{}',
          case when r.n % 100 = 0 then 'failed' else 'complete' end,
          now() - make_interval(secs => r.n), now(), ${profile}
        from (select gen_random_uuid() as id, n from generate_series(1, $4::integer) n) r
        left join (select *, row_number() over (order by id) - 1 as no from agent_team_shares) s on s.no = r.n % $5::integer`,
      [ownerId, playbook.playbookId, playbook.versionId, count, TEAMS],
    );
  });
}

function looked(callerId: string, filter: RunFilter): Promise<Looked> {
  const { statement, reading } = runsQuery(callerId, { limit: LIMIT, ...filter });
  return lookedAt(db.database, callerId, 'runs', statement, reading);
}

async function lastCursor(callerId: string, at: string): Promise<string | undefined> {
  const [row] = await db.admin.query<{ id: string; created_at: string }>(
    `select id, created_at from runs where ${at} order by created_at, id offset 20 limit 1`,
  );
  const { page } = runsQuery(callerId, { limit: 1 });
  return page.of([row as { id: string; created_at: string }, { id: randomUUID() }]).next_cursor ?? undefined;
}

describe('a run among 100,000', () => {
  it('is read without reading others', async () => {
    const [row] = await db.admin.query<{ id: string }>('select id from runs where owner_id = $1 limit 1', [OWNER]);
    const statements = runViewOf(OWNER, row?.id ?? '', { limit: 1000, withInputs: true });
    for (const statement of statements.slice(0, 3)) {
      const { rows, whole } = await lookedAt(db.database, OWNER, 'runs', statement, 'view');
      expect({ whole, few: rows <= 1 ? 'yes' : `${rows} rows` }).toEqual({ whole: false, few: 'yes' });
    }
  });
});

describe('a list of runs among 100,000', () => {
  const PAGE = LIMIT + 1;

  it('of an owner of 50,000 reads a page, at its beginning and at its end', async () => {
    expect(await looked(OWNER, {})).toEqual({ rows: PAGE, whole: false });
    const cursor = await lastCursor(OWNER, `owner_id = '${OWNER}'`);
    const page = await runs.list(OWNER, { limit: LIMIT, ...(cursor === undefined ? {} : { cursor }) });
    expect([page.items.length, page.next_cursor]).toEqual([20, null]);
    expect(await looked(OWNER, cursor === undefined ? {} : { cursor })).toEqual({ rows: 20, whole: false });
  });

  it('of an owner of none reads nothing', async () => {
    expect(await looked(STRANGER, {})).toEqual({ rows: 0, whole: false });
    expect((await runs.list(STRANGER, {})).items).toEqual([]);
  });

  it('of a member of 20 teams reads a page of each, merged in order', async () => {
    expect(await looked(MEMBER, {})).toEqual({ rows: PAGE * TEAMS, whole: false });
    const first = await runs.list(MEMBER, { limit: LIMIT });
    const next = await runs.list(MEMBER, { limit: LIMIT, ...(first.next_cursor && { cursor: first.next_cursor }) });
    const times = [...first.items, ...next.items].map((run) => run.created_at);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(new Set([...first.items, ...next.items].map((run) => run.id)).size).toBe(2 * LIMIT);
    const cursor = await lastCursor(MEMBER, 'team_id is not null');
    expect(await looked(MEMBER, cursor === undefined ? {} : { cursor })).toEqual({ rows: 20, whole: false });
  });

  it.each<[string, RunFilter]>([
    ['all', {}],
    ['of a status', { status: ['failed'] }],
    ['of a playbook', { playbook: 'p' }],
    ['of a status, oldest first', { status: ['failed'], sort: 'created_at' }],
  ])('%s: its last page reads what it shows, and follows the one before', async (_name, filter) => {
    const all: string[] = [];
    let asked: RunFilter = { limit: 200, ...filter };
    // Reads rare rows to the end; the last page of all was checked above.
    for (let no = 0; no < 3; no++) {
      const page = await runs.list(OWNER, asked);
      all.push(...page.items.map((run) => run.created_at));
      if (page.next_cursor === null) break;
      asked = { ...asked, cursor: page.next_cursor };
    }
    const inOrder = all.toSorted();
    expect(all).toEqual(filter.sort === undefined ? inOrder.toReversed() : inOrder);
    expect(new Set(all).size).toBe(all.length);
    expect((await looked(OWNER, asked)).rows).toBeLessThanOrEqual(201);
  });

  it('with a filter reads no more than what fits it, or the time it is asked for', async () => {
    const filters: [RunFilter, number][] = [
      [{ status: ['failed'] }, PAGE],
      [{ status: ['cancelled'] }, 0],
      [{ playbook: 'p' }, PAGE],
      [{ playbook: 'none' }, 0],
      [{ playbook: randomUUID() }, 0],
      [{ created_before: new Date(Date.now() - 40_000_000).toISOString() }, PAGE],
      [{ created_after: new Date(Date.now() - 1_000_000).toISOString() }, PAGE],
      [{ sort: 'created_at', created_after: new Date(Date.now() - 40_000_000).toISOString() }, PAGE],
      [
        {
          created_after: new Date(Date.now() - 40_030_000).toISOString(),
          created_before: new Date(Date.now() - 40_000_000).toISOString(),
        },
        PAGE,
      ],
      [{ created_after: new Date(Date.now() + 1_000_000).toISOString() }, 0],
      [{ profile: team.profile_id }, 0],
      [{ sort: 'created_at' }, PAGE],
      [{ sort: 'created_at', status: ['failed'] }, PAGE],
      [{ sort: 'created_at', playbook: 'p' }, PAGE],
      [{ profile: randomUUID() }, 0],
      [{ team: randomUUID() }, 0],
      [{ status: ['failed'], playbook: 'p' }, 100 * PAGE],
      [{ status: ['failed', 'cancelled'], created_before: new Date().toISOString() }, 100 * PAGE],
    ];
    for (const [filter, rows] of filters) {
      const { rows: read, whole } = await looked(OWNER, filter);
      expect({ filter, whole, fits: read <= rows ? 'yes' : `${read} rows` }).toEqual({
        filter,
        whole: false,
        fits: 'yes',
      });
    }
    // Profile's owner, the run's owner and a viewer each read what they see, as far as the page needs.
    for (const caller of [MEMBER, COLLEAGUE, profileOwner]) {
      const { rows, whole } = await looked(caller, { profile: team.profile_id });
      expect({ caller, whole, fits: rows <= 2 * PAGE ? 'yes' : `${rows} rows` }).toEqual({
        caller,
        whole: false,
        fits: 'yes',
      });
    }
    // Callers with many runs outside the team, or of other teams, read none of those.
    for (const caller of [OWNER, MEMBER, COLLEAGUE, profileOwner]) {
      const { rows, whole } = await looked(caller, { team: team.team_id });
      // Own rows are in the branch of their owner's teams as well.
      expect({ caller, whole, fits: rows <= 2 * PAGE ? 'yes' : `${rows} rows` }).toEqual({
        caller,
        whole: false,
        fits: 'yes',
      });
    }
  });
});
