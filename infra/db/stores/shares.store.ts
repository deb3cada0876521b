import { randomUUID } from 'node:crypto';
import { AppError } from '../../../core/errors/app-error';
import { owner, type Database, type Sql } from '../database';
import { checkSeen, versionTag, type SeenVersion } from '../row-version';
import { json } from '../clean-params';
import { isDenied, mapConflict } from './conflicts';
import { openPage, sortsOf, type Page, type PageRequest } from './page';
import type { AvailableAgent, ShareFields, ShareRow, TeamAgentRow, TeamRole } from './profile-types';
import { lockSeen } from './seen-row';
import { assignments, setClause } from './set-clause';
import { refusal } from './team-refusals';

const NEWEST_SHARE = sortsOf({ created_at: { column: 's.created_at', type: 'timestamptz', id: 's.id' } })[
  '-created_at'
];
const FIELDS = ['team_file_access', 'team_post_access', 'journal_visibility', 'is_active'];
const SELECT = `select s.id, s.profile_id, s.owner_id, s.team_id, t.name as team_name, s.team_file_access, s.team_post_access,
    s.journal_visibility, s.is_active, s.row_version, s.created_at, s.updated_at
  from agent_team_shares s join teams t on t.id = s.team_id`;
/** Agents that the caller may call: their own, and those shared with their teams. */
const AVAILABLE = `select p.id as agent_profile_id, p.handle, p.name, p.icon, p.owner_id, null::uuid as team_id,
      null as team_name, 0 as rank, p.created_at as since
    from agent_profiles p where p.owner_id = $1 and p.deleted_at is null and p.is_active
  union all
  select p.id, p.handle, p.name, p.icon, p.owner_id, s.team_id, t.name, 1, s.created_at
    from agent_team_shares s join agent_profiles p on p.id = s.profile_id join teams t on t.id = s.team_id
    where s.team_id in (select app_my_teams()) and s.owner_id <> $1 and s.is_active and p.deleted_at is null and p.is_active`;

/** Shares of profiles with teams: the only truth about what a team may use. */
export class SharesStore {
  constructor(private readonly database: Database) {}

  /** The profile is the caller's, who may share with this team. Throws `already_shared`. */
  async share(
    ownerId: string,
    at: SharePlace,
    fields: ShareFields,
    sql: Sql = this.database.as(owner(ownerId)),
  ): Promise<ShareRow> {
    const set = assignments(fields, FIELDS, []);
    const work = sql.query(
      `insert into agent_team_shares (id, profile_id, owner_id, team_id${set.columns.map((name) => `, ${name}`).join('')})
        values ($1, $2, $3, $4${set.columns.map((_column, index) => `, $${index + 5}`).join('')})`,
      [randomUUID(), at.profileId, ownerId, at.teamId, ...set.params],
    );
    await mapConflict(work, alreadyShared);
    return required(sql, at);
  }

  /**
   * Changes a share of an own profile. Throws `share_not_found`, `team_role_required`, and for `seen` as `checkSeen`.
   */
  async update(ownerId: string, at: SharePlace, fields: ShareFields, seen: SeenVersion): Promise<ShareRow> {
    const set = assignments(fields, FIELDS, []);
    const where = 'profile_id = $1 and team_id = $2 and owner_id = $3';
    const params = [at.profileId, at.teamId, ownerId];
    return this.database.tx(owner(ownerId), async (sql) => {
      if (await lockSeen(sql, { table: 'agent_team_shares', where, params }, seen)) {
        const text = `update agent_team_shares set ${setClause(set, 4)} updated_at = clock_timestamp() where ${where}`;
        await orRoleRequired(sql.query(text, [...params, ...set.params]));
      }
      return required(sql, at);
    });
  }

  /**
   * Another's, by an owner or admin of the team: it may do less, never more. Throws `share_not_found`,
   * `team_role_required`, `only_narrower`, and for `seen` as `checkSeen`.
   */
  async narrow(callerId: string, at: SharePlace, fields: ShareFields, seen: SeenVersion): Promise<ShareRow> {
    return this.database.tx(owner(callerId), async (sql) => {
      const share = await required(sql, at);
      checkSeen(share, seen);
      const [row] = await sql.query<{ outcome: string }>('select app_narrow_share($1, $2, $3, $4) as outcome', [
        at.profileId,
        at.teamId,
        json(fields),
        share.row_version,
      ]);
      // Share changed since it was read: the caller has to read it again.
      if (row?.outcome === 'stale') checkSeen(share, []);
      if (row?.outcome !== 'ok') throw refusal(row?.outcome ?? 'share_not_found');
      return required(sql, at);
    });
  }

  /** Ends a share, by its owner or by an owner or admin of the team. Throws `share_not_found`, and as `checkSeen`. */
  async unshare(callerId: string, at: SharePlace, seen: SeenVersion): Promise<void> {
    await this.database.tx(owner(callerId), async (sql) => {
      const share = await required(sql, at);
      checkSeen(share, seen);
      // A caller with the right to delete alone cannot lock it: a change in between makes it another row.
      const [gone] = await sql.query(
        `delete from agent_team_shares where id = $1 and row_version = $2
          and (owner_id = $3 or app_team_role(team_id) in ('owner', 'admin')) returning id`,
        [share.id, share.row_version, callerId],
      );
      if (gone === undefined) {
        checkSeen(await required(sql, at), [versionTag(share)]);
      }
    });
  }

  /** Teams of the caller's that may use the profile, the earliest share first, and their role in each. `teamId`: only that one. */
  async usable(
    callerId: string,
    profileId: string,
    teamId: string | null,
  ): Promise<{ team_id: string; role: TeamRole }[]> {
    return this.database.query<{ team_id: string; role: TeamRole }>(
      owner(callerId),
      `select s.team_id, m.role from agent_team_shares s join team_members m on m.team_id = s.team_id and m.user_id = $1
        where s.profile_id = $2 and s.is_active and ($3::uuid is null or s.team_id = $3)
        order by s.created_at, s.team_id`,
      [callerId, profileId, teamId],
    );
  }

  /** Lists shares of an own profile, newest first. */
  async ofProfile(ownerId: string, profileId: string, request: PageRequest): Promise<Page<ShareRow>> {
    const page = openPage(`shares/${profileId}`, request, NEWEST_SHARE);
    const rows = await this.database.query<ShareRow>(
      owner(ownerId),
      `${SELECT} where s.profile_id = $1 and s.owner_id = $2 and ${page.after('$3', '$4')} order by ${page.order} limit $5`,
      [profileId, ownerId, ...page.position, page.take],
    );
    return page.of(rows);
  }

  /** Shares with a team of the caller, newest first. */
  async ofTeam(callerId: string, teamId: string, request: PageRequest): Promise<Page<TeamAgentRow>> {
    const page = openPage(`team-agents/${teamId}`, request, NEWEST_SHARE);
    const rows = await this.database.query<TeamAgentRow>(
      owner(callerId),
      `select s.id, p.id as agent_profile_id, p.handle, p.name, p.description, p.icon, p.is_active, p.owner_id,
          m.display_name as owner_name, s.team_file_access, s.team_post_access, s.journal_visibility, s.created_at
        from agent_team_shares s join agent_profiles p on p.id = s.profile_id and p.deleted_at is null
          left join app_team_people($1) m on m.user_id = s.owner_id
        where s.team_id = $1 and s.is_active and ${page.after('$2', '$3')} order by ${page.order} limit $4`,
      [teamId, ...page.position, page.take],
    );
    return page.of(rows);
  }

  /** One's own first, then those of one's teams; the earliest share where several have the handle. */
  async resolve(callerId: string, handle: string, teamId?: string): Promise<AvailableAgent | null> {
    const [row] = await this.database.query<AvailableAgent>(
      owner(callerId),
      `select agent_profile_id, handle, name, icon, owner_id, team_id, team_name from (${AVAILABLE}) a
        where handle = $2 and ($3::uuid is null or team_id = $3) order by rank, since, agent_profile_id limit 1`,
      [callerId, handle, teamId ?? null],
    );
    return row ?? null;
  }

  /** Completes typed text: handles and names that begin so. */
  async available(callerId: string, begin: string, limit: number): Promise<AvailableAgent[]> {
    return this.database.query<AvailableAgent>(
      owner(callerId),
      `select agent_profile_id, handle, name, icon, owner_id, team_id, team_name from (${AVAILABLE}) a
        where starts_with(lower(handle), lower($2)) or starts_with(lower(name), lower($2))
        order by rank, handle, team_name, agent_profile_id limit $3`,
      [callerId, begin, limit],
    );
  }
}

export interface SharePlace {
  profileId: string;
  teamId: string;
}

async function required(sql: Sql, at: SharePlace): Promise<ShareRow> {
  const [row] = await sql.query<ShareRow>(`${SELECT} where s.profile_id = $1 and s.team_id = $2`, [
    at.profileId,
    at.teamId,
  ]);
  if (row === undefined) {
    throw new AppError('share_not_found', 'This profile is not shared with this team.', { category: 'not_found' });
  }
  return row;
}

function alreadyShared(): AppError {
  return new AppError('already_shared', 'This profile is shared with this team already. Change that share with PUT.', {
    category: 'conflict',
  });
}

/** The policy asks whether the owner of the share may still bring something into the team. */
async function orRoleRequired<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isDenied(error) ? refusal('forbidden') : error;
  }
}
