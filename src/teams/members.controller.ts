import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { SeenVersion } from '../../infra/db/row-version';
import { Authenticated } from '../access/rules';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller, type CallerInfo } from '../http/caller';
import type { VersionedBody } from '../http/etag';
import { Idempotent, OnceOnly } from '../http/idempotency/idempotent';
import type { Once } from '../http/idempotency/once';
import { IdPipe } from '../http/ids';
import { PageQuery } from '../http/page';
import { ChangesVersion, IfMatch, ShowsVersion } from '../http/versions';
import { InviteMemberDto, TeamInvitationDto } from './dto/invitation.dto';
import { ChangeMemberDto, TeamMemberDto, TeamMemberListDto } from './dto/team.dto';
import { InvitationsService } from './invitations.service';
import { TeamsService } from './teams.service';

@ApiTags('teams')
@Controller('teams/:teamId/members')
export class TeamMembersController {
  constructor(
    private readonly teams: TeamsService,
    private readonly invitations: InvitationsService,
  ) {}

  @Authenticated()
  @Get()
  @ApiOperation({ summary: 'The people of a team of yours, in the order in which they came' })
  @ApiOkResponse({ type: TeamMemberListDto })
  @ApiProblems(404)
  list(
    @CurrentCaller() caller: CallerInfo,
    @Param('teamId', IdPipe) teamId: string,
    @Query() query: PageQuery,
  ): Promise<TeamMemberListDto> {
    return this.teams.members(caller, teamId, query);
  }

  @Authenticated()
  @Post()
  @Idempotent()
  @ApiOperation({
    summary: 'Invite somebody into a team',
    description: 'They are in it when they have accepted. Admins invite members and viewers, owners everybody.',
  })
  @ApiCreatedResponse({ type: TeamInvitationDto })
  @ApiProblems(403, 404, 409, 422)
  invite(
    @CurrentCaller() caller: CallerInfo,
    @Param('teamId', IdPipe) teamId: string,
    @Body() body: InviteMemberDto,
    @OnceOnly() once: Once,
  ): Promise<TeamInvitationDto> {
    return this.invitations.invite(caller, teamId, body, once);
  }

  @Authenticated()
  @Put(':userId')
  @ChangesVersion()
  @ShowsVersion()
  @ApiOperation({ summary: 'Change somebody’s role in a team', description: 'The last owner stays owner (409).' })
  @ApiOkResponse({ type: TeamMemberDto })
  @ApiProblems(403, 404, 409, 412, 428)
  change(
    @CurrentCaller() caller: CallerInfo,
    @Param('teamId', IdPipe) teamId: string,
    @Param('userId', IdPipe) userId: string,
    @Body() body: ChangeMemberDto,
    @IfMatch() seen: SeenVersion,
  ): Promise<VersionedBody<TeamMemberDto>> {
    return this.teams.changeMember(caller, { teamId, userId }, body, seen);
  }

  @Authenticated()
  @Delete(':userId')
  @HttpCode(204)
  @ChangesVersion()
  @ApiOperation({
    summary: 'Take somebody out of a team, or leave it',
    description: 'What they shared with the team is shared no more.',
  })
  @ApiNoContentResponse({ description: 'Removed.' })
  @ApiProblems(403, 404, 409, 412, 428)
  remove(
    @CurrentCaller() caller: CallerInfo,
    @Param('teamId', IdPipe) teamId: string,
    @Param('userId', IdPipe) userId: string,
    @IfMatch() seen: SeenVersion,
  ): Promise<void> {
    return this.teams.removeMember(caller, { teamId, userId }, seen);
  }
}
