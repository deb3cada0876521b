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
import { ChangesVersion, IfMatch, ReadsVersion, ShowsVersion } from '../http/versions';
import { CreateTeamDto, TeamAgentListDto, TeamDto, TeamListDto, UpdateTeamDto } from './dto/team.dto';
import { TeamsService } from './teams.service';

@ApiTags('teams')
@Controller('teams')
export class TeamsController {
  constructor(private readonly teams: TeamsService) {}

  @Authenticated()
  @Post()
  @Idempotent()
  @ShowsVersion()
  @ApiOperation({ summary: 'Found a team', description: 'You are its first owner.' })
  @ApiCreatedResponse({ type: TeamDto })
  @ApiProblems(409, 422)
  create(
    @CurrentCaller() caller: CallerInfo,
    @Body() body: CreateTeamDto,
    @OnceOnly() once: Once,
  ): Promise<VersionedBody<TeamDto>> {
    return this.teams.create(caller, body, once);
  }

  @Authenticated()
  @Get()
  @ApiOperation({ summary: 'Your teams, newest first' })
  @ApiOkResponse({ type: TeamListDto })
  @ApiProblems()
  list(@CurrentCaller() caller: CallerInfo, @Query() query: PageQuery): Promise<TeamListDto> {
    return this.teams.list(caller, query);
  }

  @Authenticated()
  @Get(':teamId')
  @ReadsVersion()
  @ApiOperation({ summary: 'A team of yours' })
  @ApiOkResponse({ type: TeamDto })
  @ApiProblems(404)
  get(@CurrentCaller() caller: CallerInfo, @Param('teamId', IdPipe) teamId: string): Promise<VersionedBody<TeamDto>> {
    return this.teams.get(caller, teamId);
  }

  @Authenticated()
  @Put(':teamId')
  @ChangesVersion()
  @ShowsVersion()
  @ApiOperation({
    summary: 'Change a team',
    description: 'Owners and admins. Fields that are left out stay as they are.',
  })
  @ApiOkResponse({ type: TeamDto })
  @ApiProblems(403, 404, 412, 428)
  update(
    @CurrentCaller() caller: CallerInfo,
    @Param('teamId', IdPipe) teamId: string,
    @Body() body: UpdateTeamDto,
    @IfMatch() seen: SeenVersion,
  ): Promise<VersionedBody<TeamDto>> {
    return this.teams.update(caller, teamId, body, seen);
  }

  @Authenticated()
  @Delete(':teamId')
  @HttpCode(204)
  @ChangesVersion()
  @ApiOperation({ summary: 'Delete a team', description: 'Owners. What was shared with it is shared no more.' })
  @ApiNoContentResponse({ description: 'Removed.' })
  @ApiProblems(403, 404, 412, 428)
  remove(
    @CurrentCaller() caller: CallerInfo,
    @Param('teamId', IdPipe) teamId: string,
    @IfMatch() seen: SeenVersion,
  ): Promise<void> {
    return this.teams.remove(caller, teamId, seen);
  }

  @Authenticated()
  @Get(':teamId/agents')
  @ApiOperation({ summary: 'Profiles that are shared with a team of yours, newest share first' })
  @ApiOkResponse({ type: TeamAgentListDto })
  @ApiProblems(404)
  agents(
    @CurrentCaller() caller: CallerInfo,
    @Param('teamId', IdPipe) teamId: string,
    @Query() query: PageQuery,
  ): Promise<TeamAgentListDto> {
    return this.teams.agents(caller, teamId, query);
  }
}
