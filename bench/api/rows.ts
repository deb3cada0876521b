import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

/** Number of runs in the lists that are read. */
export const OWN_RUNS = 50_000;
const TEAMS = 20;
export const TEAM_RUNS = OWN_RUNS / TEAMS;
const APPROVAL_EVERY = 5;

/** Profile, team and playbook of some of the rows: values for filters. */
export interface Rows {
  profileId: string;
  teamId: string;
  playbookId: string;
}

const PEOPLE = `insert into users (id, handle, display_name) values ($1, 'bench-profiles', 'P'), ($2, 'bench-colleague', 'C')`;

const SHARED = `with t as (insert into teams (id, owner_id, name) select gen_random_uuid(), $1, 'T' from generate_series(1, $2::integer) returning id),
    p as (insert into agent_profiles (id, owner_id, handle, name)
      select gen_random_uuid(), $1, 'bench-' || n, 'P' from generate_series(1, $2::integer) n returning id),
    m as (insert into team_members (team_id, user_id, role) select t.id, u, 'member' from t cross join unnest(array[$1, $3]::uuid[]) u)
  insert into agent_team_shares (id, profile_id, owner_id, team_id, journal_visibility)
    select gen_random_uuid(), p.id, $1, t.id, 'full' from (select id, row_number() over () n from t) t
      join (select id, row_number() over () n from p) p using (n)`;

const OWN_PROFILE = `insert into agent_profiles (id, owner_id, handle, name) values ($1, $2, 'bench-own', 'P')`;
const OWN_TEAM = `insert into team_members (team_id, user_id, role)
  select team_id, $1, 'member' from agent_team_shares where owner_id = $2 order by id limit 1 returning team_id`;

/** Every hundredth run failed. Runs are a second apart, so that the order of a page is unique. */
const RUNS = `insert into runs (id, owner_id, playbook_id, playbook_version_id, playbook_slug, playbook_name, root_run_id, inputs,
    run_context, approval_policy, clock, status, created_at, started_at, finished_at, profile_id, profile_owner_id, team_id)
  select r.id, $1::uuid, p.id, p.latest_version_id, p.slug, p.name, r.id, '{}', 'interactive', 'require', '{}',
      case when r.n % 100 = 0 then 'failed' else 'complete' end,
      now() - make_interval(secs => r.n), now() - make_interval(secs => r.n), now()`;
const FROM = `from (select gen_random_uuid() as id, n from generate_series(1, ${OWN_RUNS}) n) r cross join playbooks p`;
const OF_PLAYBOOK = 'where p.owner_id = $2 and p.slug = $3';

/** Half that belongs to the owner; one run in twenty belongs to a profile of theirs. */
const OWN = `${RUNS}, case when r.n % ${TEAMS} = 0 then $4::uuid end, case when r.n % ${TEAMS} = 0 then $1::uuid end, null
  ${FROM} ${OF_PLAYBOOK}`;
/** Half that belongs to a busy colleague, spread over the teams. */
const COLLEAGUES = `${RUNS}, s.profile_id, s.owner_id, s.team_id ${FROM}
  join (select *, row_number() over (order by id) - 1 as no from agent_team_shares where owner_id = $4) s on s.no = r.n % ${TEAMS}
  ${OF_PLAYBOOK}`;

/** Requests that are all decided: an open request needs a run with a workflow, and none of these has one. */
const APPROVALS = `insert into approvals (id, run_id, owner_id, step_path, step_name, status, prompt, on_reject, on_timeout, requested_at,
    decided_at, decided_by)
  select gen_random_uuid(), id, owner_id, 'gate', 'gate', case when no % 10 = 0 then 'rejected' else 'approved' end, 'Go on?',
    'stop', 'stop', created_at, created_at, 'bench'
  from (select id, owner_id, created_at, row_number() over (order by created_at) as no from runs where owner_id = $1 and playbook_slug = $2) r
  where no % ${APPROVAL_EVERY} = 0`;

/** Inserts 100,000 runs that have ended, half of them the owner's. `slug`: a playbook of theirs that the store has. */
export async function insertRows(ownerUrl: string, ownerId: string, slug: string): Promise<Rows> {
  const sql = new Client({ connectionString: ownerUrl });
  await sql.connect();
  try {
    // References are right by construction and need no check; a busy machine needs more than the usual time limit.
    await sql.query('set session_replication_role = replica; set statement_timeout = 0');
    const [profiles, colleague, profileId] = [randomUUID(), randomUUID(), randomUUID()];
    await sql.query(PEOPLE, [profiles, colleague]);
    await sql.query(SHARED, [profiles, TEAMS, colleague]);
    await sql.query(OWN_PROFILE, [profileId, ownerId]);
    const { rows: teams } = await sql.query<{ team_id: string }>(OWN_TEAM, [ownerId, profiles]);
    await sql.query(OWN, [ownerId, ownerId, slug, profileId]);
    await sql.query(COLLEAGUES, [colleague, ownerId, slug, profiles]);
    await sql.query(APPROVALS, [ownerId, slug]);
    // Statistics are collected now: otherwise the server would do it while something is measured.
    for (const table of ['runs', 'approvals']) await sql.query(`vacuum (analyze) ${table}`);
    const { rows: playbooks } = await sql.query<{ id: string }>(
      'select id from playbooks where owner_id = $1 and slug = $2',
      [ownerId, slug],
    );
    return { profileId, teamId: teams[0]?.team_id ?? '', playbookId: playbooks[0]?.id ?? '' };
  } finally {
    await sql.end();
  }
}
