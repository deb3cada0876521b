import { Injectable } from '@nestjs/common';
import type { SeenVersion } from '../../infra/db/row-version';
import { TeamInvitationsStore, type TeamInvitationRow } from '../../infra/db/stores/team-invitations.store';
import { refusal } from '../../infra/db/stores/team-refusals';
import { TeamsStore } from '../../infra/db/stores/teams.store';
import type { CallerInfo } from '../http/caller';
import type { Once } from '../http/idempotency/once';
import type { PageQuery } from '../http/page';
import { pageBody } from '../shared/views';
import type { InviteMemberDto, TeamInvitationDto, TeamInvitationListDto } from './dto/invitation.dto';
import type { TeamDto } from './dto/team.dto';
import { teamView } from './team-views';

/** The way into a team: one invites, the other accepts. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly invitations: TeamInvitationsStore,
    private readonly teams: TeamsStore,
  ) {}

  /** Throws `team_not_found`, `team_role_required`, `user_not_found`, `already_member`. */
  invite(caller: CallerInfo, teamId: string, body: InviteMemberDto, once: Once): Promise<TeamInvitationDto> {
    return once.tx(async (sql) => invitationView(await this.invitations.invite(caller.ownerId, teamId, body, sql)));
  }

  /** Throws `team_not_found`, `team_role_required`. */
  async ofTeam(caller: CallerInfo, teamId: string, query: PageQuery): Promise<TeamInvitationListDto> {
    const { role } = await this.teams.require(caller.ownerId, teamId);
    if (role !== 'owner' && role !== 'admin') throw refusal('forbidden');
    return pageBody(await this.invitations.ofTeam(caller.ownerId, teamId, query), invitationView);
  }

  async mine(caller: CallerInfo, query: PageQuery): Promise<TeamInvitationListDto> {
    return pageBody(await this.invitations.mine(caller.ownerId, query), invitationView);
  }

  /** Throws `invitation_not_found`. Gives the team that the caller is in now. */
  accept(caller: CallerInfo, id: string, once: Once): Promise<TeamDto> {
    return once.tx(async (sql) => {
      const teamId = await this.invitations.answer(caller.ownerId, id, true, sql);
      return teamView(await this.teams.require(caller.ownerId, teamId, sql));
    });
  }

  /** Throws `invitation_not_found`. */
  decline(caller: CallerInfo, id: string, once: Once): Promise<void> {
    return once.tx(async (sql) => {
      await this.invitations.answer(caller.ownerId, id, false, sql);
    });
  }

  /** Throws `team_not_found`, `team_role_required`, `invitation_not_found`, `precondition_failed`. */
  withdraw(caller: CallerInfo, at: { teamId: string; id: string }, seen: SeenVersion): Promise<void> {
    return this.invitations.withdraw(caller.ownerId, at, seen);
  }
}

function invitationView(row: TeamInvitationRow): TeamInvitationDto {
  return { ...row };
}
