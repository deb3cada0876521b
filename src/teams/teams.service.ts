import { Injectable } from '@nestjs/common';
import type { SeenVersion } from '../../infra/db/row-version';
import type { TeamAgentRow, TeamMemberRow, TeamRow } from '../../infra/db/stores/profile-types';
import { SharesStore } from '../../infra/db/stores/shares.store';
import { TeamsStore } from '../../infra/db/stores/teams.store';
import type { CallerInfo } from '../http/caller';
import { versioned, type VersionedBody } from '../http/etag';
import type { Once } from '../http/idempotency/once';
import type { PageQuery } from '../http/page';
import { changesOf } from '../shared/changes';
import { withoutNulls, pageBody } from '../shared/views';
import type {
  ChangeMemberDto,
  CreateTeamDto,
  TeamAgentDto,
  TeamAgentListDto,
  TeamDto,
  TeamListDto,
  TeamMemberDto,
  TeamMemberListDto,
  UpdateTeamDto,
} from './dto/team.dto';
import { teamView } from './team-views';

/** Teams. One without the caller as a member is 404; with too low a role it is 403 `team_role_required`. */
@Injectable()
export class TeamsService {
  constructor(
    private readonly teams: TeamsStore,
    private readonly shares: SharesStore,
  ) {}

  create(caller: CallerInfo, body: CreateTeamDto, once: Once): Promise<VersionedBody<TeamDto>> {
    const { name } = body;
    return once.tx(async (sql) =>
      shownTeam(await this.teams.create(caller.ownerId, { ...changesOf(body), name }, sql)),
    );
  }

  async list(caller: CallerInfo, query: PageQuery): Promise<TeamListDto> {
    return pageBody(await this.teams.list(caller.ownerId, query), teamView);
  }

  /** Throws `team_not_found`. */
  async get(caller: CallerInfo, teamId: string): Promise<VersionedBody<TeamDto>> {
    return shownTeam(await this.teams.require(caller.ownerId, teamId));
  }

  /** Throws `team_not_found`, `team_role_required`, `precondition_failed`. */
  async update(
    caller: CallerInfo,
    teamId: string,
    body: UpdateTeamDto,
    seen: SeenVersion,
  ): Promise<VersionedBody<TeamDto>> {
    return shownTeam(await this.teams.update(caller.ownerId, teamId, changesOf(body), seen));
  }

  /** Throws as `update`. What was shared with the team is shared no more. */
  remove(caller: CallerInfo, teamId: string, seen: SeenVersion): Promise<void> {
    return this.teams.remove(caller.ownerId, teamId, seen);
  }

  /** Throws `team_not_found`. */
  async agents(caller: CallerInfo, teamId: string, query: PageQuery): Promise<TeamAgentListDto> {
    await this.teams.require(caller.ownerId, teamId);
    return pageBody(await this.shares.ofTeam(caller.ownerId, teamId, query), agentView);
  }

  /** Throws `team_not_found`. */
  async members(caller: CallerInfo, teamId: string, query: PageQuery): Promise<TeamMemberListDto> {
    return pageBody(await this.teams.members(caller.ownerId, teamId, query), memberView);
  }

  /** Throws `team_not_found`, `member_not_found`, `team_role_required`, `last_owner`, `precondition_failed`. */
  async changeMember(
    caller: CallerInfo,
    at: { teamId: string; userId: string },
    body: ChangeMemberDto,
    seen: SeenVersion,
  ): Promise<VersionedBody<TeamMemberDto>> {
    const member = { user: at.userId, role: body.role };
    return shownMember(await this.teams.changeMember(caller.ownerId, at.teamId, member, seen));
  }

  /** Throws as `changeMember`. Everybody may leave. */
  removeMember(caller: CallerInfo, at: { teamId: string; userId: string }, seen: SeenVersion): Promise<void> {
    return this.teams.removeMember(caller.ownerId, at.teamId, at.userId, seen);
  }
}

function shownTeam(row: TeamRow): VersionedBody<TeamDto> {
  return versioned(teamView(row), row);
}

function shownMember(row: TeamMemberRow): VersionedBody<TeamMemberDto> {
  return versioned(memberView(row), row);
}

function memberView({ id, row_version: _version, ...shown }: TeamMemberRow): TeamMemberDto {
  return { user_id: id, ...shown };
}

function agentView(row: TeamAgentRow): TeamAgentDto {
  const { id: _share, description, icon, owner_name, created_at, ...shown } = row;
  return { ...shown, shared_at: created_at, ...withoutNulls({ description, icon, owner_name }) };
}
