import { Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { SeenVersion } from '../../infra/db/row-version';
import { Authenticated } from '../access/rules';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller, type CallerInfo } from '../http/caller';
import { Idempotent, OnceOnly } from '../http/idempotency/idempotent';
import type { Once } from '../http/idempotency/once';
import { IdPipe } from '../http/ids';
import { PageQuery } from '../http/page';
import { ChangesVersion, IfMatch } from '../http/versions';
import { TeamInvitationListDto } from './dto/invitation.dto';
import { TeamDto } from './dto/team.dto';
import { InvitationsService } from './invitations.service';

@ApiTags('teams')
@Controller()
export class TeamInvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  @Authenticated()
  @Get('teams/:teamId/invitations')
  @ApiOperation({ summary: 'Open invitations of a team', description: 'For owners and admins.' })
  @ApiOkResponse({ type: TeamInvitationListDto })
  @ApiProblems(403, 404)
  list(
    @CurrentCaller() caller: CallerInfo,
    @Param('teamId', IdPipe) teamId: string,
    @Query() query: PageQuery,
  ): Promise<TeamInvitationListDto> {
    return this.invitations.ofTeam(caller, teamId, query);
  }

  @Authenticated()
  @Delete('teams/:teamId/invitations/:invitationId')
  @HttpCode(204)
  @ChangesVersion()
  @ApiOperation({ summary: 'Take an invitation into a team back' })
  @ApiNoContentResponse({ description: 'Taken back.' })
  @ApiProblems(403, 404, 412, 428)
  withdraw(
    @CurrentCaller() caller: CallerInfo,
    @Param('teamId', IdPipe) teamId: string,
    @Param('invitationId', IdPipe) id: string,
    @IfMatch() seen: SeenVersion,
  ): Promise<void> {
    return this.invitations.withdraw(caller, { teamId, id }, seen);
  }

  @Authenticated()
  @Get('team-invitations')
  @ApiOperation({ summary: 'Teams that you are invited into' })
  @ApiOkResponse({ type: TeamInvitationListDto })
  @ApiProblems()
  mine(@CurrentCaller() caller: CallerInfo, @Query() query: PageQuery): Promise<TeamInvitationListDto> {
    return this.invitations.mine(caller, query);
  }

  @Authenticated()
  @Post('team-invitations/:invitationId/accept')
  @HttpCode(200)
  @Idempotent()
  @ApiOperation({
    summary: 'Join a team that you are invited into',
    description: 'From then on its agents answer to their handles for you, and approvals that name the team ask you.',
  })
  @ApiOkResponse({ type: TeamDto })
  @ApiProblems(404, 422)
  accept(
    @CurrentCaller() caller: CallerInfo,
    @Param('invitationId', IdPipe) id: string,
    @OnceOnly() once: Once,
  ): Promise<TeamDto> {
    return this.invitations.accept(caller, id, once);
  }

  @Authenticated()
  @Post('team-invitations/:invitationId/decline')
  @HttpCode(204)
  @Idempotent()
  @ApiOperation({ summary: 'Do not join a team that you are invited into' })
  @ApiNoContentResponse({ description: 'Declined.' })
  @ApiProblems(404, 422)
  decline(
    @CurrentCaller() caller: CallerInfo,
    @Param('invitationId', IdPipe) id: string,
    @OnceOnly() once: Once,
  ): Promise<void> {
    return this.invitations.decline(caller, id, once);
  }
}
