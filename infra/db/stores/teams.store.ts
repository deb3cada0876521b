import { randomUUID } from 'node:crypto';
import { owner, type Database, type Sql } from '../database';
import { checkSeen, type SeenVersion, type VersionedRow } from '../row-version';
import { notFound } from './not-found';
import { openPage, sortsOf, type Page, type PageRequest } from './page';
import { lockSeen } from './seen-row';
import type { TeamMemberRow, TeamRole, TeamRow } from './profile-types';
import { refusal } from './team-refusals';

const SELECT = `select t.id, t.name, t.description, m.role, t.row_version, t.created_at, t.updated_at
  from team_members m join teams t on t.id = m.team_id where m.user_id = $1 and t.deleted_at is null`;

const NEWEST = sortsOf({ created_at: { column: 't.created_at', type: 'timestamptz', id: 't.id' } })['-created_at'];

const PEOPLE = `select m.user_id as id, m.handle, m.display_name, m.role, m.row_version, m.created_at from app_team_people($1) m`;
const BY_ARRIVAL = sortsOf({ created_at: { column: 'm.created_at', type: 'timestamptz', id: 'm.user_id' } }).created_at;

/** Teams and their people. Who may do what is asked of the database afresh, in the transaction that does it. */
export class TeamsStore {
  constructor(private readonly database: Database) {}

  /** The founder is its first owner. */
  async create(
    callerId: string,
    team: { name: string; description?: string | null },
    sql: Sql = this.database.as(owner(callerId)),
  ): Promise<TeamRow> {
    const id = randomUUID();
    await sql.query('select app_create_team($1, $2, $3)', [id, team.name, team.description ?? null]);
    return required(sql, callerId, id);
  }

  async list(callerId: string, request: PageRequest): Promise<Page<TeamRow>> {
    const page = openPage('teams', request, NEWEST);
    const rows = await this.database.query<TeamRow>(
      owner(callerId),
      `${SELECT} and ${page.after('$2', '$3')} order by ${page.order} limit $4`,
      [callerId, ...page.position, page.take],
    );
    return page.of(rows);
  }

  /** Throws `team_not_found`. */
  async require(callerId: string, teamId: string, sql: Sql = this.database.as(owner(callerId))): Promise<TeamRow> {
    return required(sql, callerId, teamId);
  }

  /** Throws `team_not_found`, `team_role_required`, and for `seen` as `checkSeen`. */
  async update(callerId: string, teamId: string, team: TeamFields, seen: SeenVersion): Promise<TeamRow> {
    return this.database.tx(owner(callerId), async (sql) => {
      const { role } = await required(sql, callerId, teamId);
      if (role !== 'owner' && role !== 'admin') {
        throw refusal('forbidden');
      }
      await lockSeen(sql, { table: 'teams', where: 'id = $1 and deleted_at is null', params: [teamId] }, seen);
      await sql.query(
        `update teams set name = coalesce($2, name), description = case when $3 then $4 else description end,
            updated_at = clock_timestamp() where id = $1`,
        [teamId, team.name ?? null, team.description !== undefined, team.description ?? null],
      );
      return required(sql, callerId, teamId);
    });
  }

  /** Throws `team_not_found`, `team_role_required`, and for `seen` as `checkSeen`. */
  async remove(callerId: string, teamId: string, seen: SeenVersion): Promise<void> {
    await this.database.tx(owner(callerId), async (sql) => {
      const team = await required(sql, callerId, teamId);
      checkSeen(team, seen);
      const text = 'select app_delete_team($1, $2) as outcome';
      const [row] = await sql.query<{ outcome: string }>(text, [teamId, team.row_version]);
      mustBeOk(row?.outcome, team);
    });
  }

  /** Lists members in the order in which they came. Throws `team_not_found`. */
  async members(callerId: string, teamId: string, request: PageRequest): Promise<Page<TeamMemberRow>> {
    await this.require(callerId, teamId);
    const page = openPage(`team-members/${teamId}`, request, BY_ARRIVAL);
    const rows = await this.database.query<TeamMemberRow>(
      owner(callerId),
      `${PEOPLE} where ${page.after('$2', '$3')} order by ${page.order} limit $4`,
      [teamId, ...page.position, page.take],
    );
    return page.of(rows);
  }

  /** Throws as `refusal` says, and for `seen` as `checkSeen`. */
  async changeMember(
    callerId: string,
    teamId: string,
    member: { user: string; role: TeamRole },
    seen: SeenVersion,
  ): Promise<TeamMemberRow> {
    return this.database.tx(owner(callerId), async (sql) => {
      const now = await this.seenMember(sql, teamId, { userId: member.user, seen });
      const id = await setMember(sql, { teamId, ...member, seen: now.row_version });
      return memberOf(await peopleOf(sql, teamId), id);
    });
  }

  /** Removes a member, or lets the caller leave. Throws as `refusal` says, and for `seen` as `checkSeen`. */
  async removeMember(callerId: string, teamId: string, userId: string, seen: SeenVersion): Promise<void> {
    await this.database.tx(owner(callerId), async (sql) => {
      const now = await this.seenMember(sql, teamId, { userId, seen });
      const text = 'select app_remove_team_member($1, $2, $3) as outcome';
      const [row] = await sql.query<{ outcome: string }>(text, [teamId, userId, now.row_version]);
      mustBeOk(row?.outcome, now);
    });
  }

  private async seenMember(
    sql: Sql,
    teamId: string,
    { userId, seen }: { userId: string; seen: SeenVersion },
  ): Promise<TeamMemberRow> {
    const people = await peopleOf(sql, teamId);
    if (people.length === 0) {
      throw notFound('team', teamId);
    }
    const member = memberOf(people, userId);
    checkSeen(member, seen);
    return member;
  }
}

export interface TeamFields {
  name?: string;
  description?: string | null;
}

async function required(sql: Sql, callerId: string, teamId: string): Promise<TeamRow> {
  const [row] = await sql.query<TeamRow>(`${SELECT} and t.id = $2`, [callerId, teamId]);
  if (row === undefined) {
    throw notFound('team', teamId);
  }
  return row;
}

function peopleOf(sql: Sql, teamId: string): Promise<TeamMemberRow[]> {
  return sql.query<TeamMemberRow>(PEOPLE, [teamId]);
}

function memberOf(people: TeamMemberRow[], userId: string): TeamMemberRow {
  const row = people.find((each) => each.id === userId);
  if (row === undefined) {
    throw refusal('member_not_found');
  }
  return row;
}

async function setMember(
  sql: Sql,
  change: { teamId: string; user: string; role: TeamRole; seen: number },
): Promise<string> {
  const [answer] = await sql.query<{ outcome: string; member_id: string }>(
    'select outcome, member_id from app_set_team_member($1, $2, $3, $4)',
    [change.teamId, change.user, change.role, change.seen],
  );
  mustBeOk(answer?.outcome, { id: change.user, row_version: change.seen });
  return answer?.member_id ?? '';
}

/** `seen`: the version that the caller's tag was compared with. */
function mustBeOk(outcome: string | undefined, seen: VersionedRow): void {
  if (outcome === 'stale') {
    checkSeen(seen, []);
  }
  if (outcome !== 'ok') {
    throw refusal(outcome ?? 'not_found');
  }
}
