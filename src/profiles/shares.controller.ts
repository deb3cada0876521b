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
import {
  AvailableAgentListDto,
  AvailableAgentsQuery,
  ResolvedHandleDto,
  ResolveHandleQuery,
  ShareDto,
  ShareFieldsDto,
  ShareListDto,
  ShareProfileDto,
} from './dto/share.dto';
import { SharesService } from './shares.service';

@ApiTags('profiles')
@Controller()
export class SharesController {
  constructor(private readonly shares: SharesService) {}

  @Authenticated()
  @Post('profiles/:id/share')
  @Idempotent()
  @ShowsVersion()
  @ApiOperation({ summary: 'Share a profile of yours with a team of yours' })
  @ApiCreatedResponse({ type: ShareDto })
  @ApiProblems(403, 404, 409, 422)
  share(
    @CurrentCaller() caller: CallerInfo,
    @Param('id', IdPipe) id: string,
    @Body() body: ShareProfileDto,
    @OnceOnly() once: Once,
  ): Promise<VersionedBody<ShareDto>> {
    return this.shares.share(caller, id, body, once);
  }

  @Authenticated()
  @Put('profiles/:id/share/:teamId')
  @ChangesVersion()
  @ShowsVersion()
  @ApiOperation({
    summary: 'Change what a team may do with a profile',
    description: 'Fields that are left out stay as they are.',
  })
  @ApiOkResponse({ type: ShareDto })
  @ApiProblems(403, 404, 412, 428)
  update(
    @CurrentCaller() caller: CallerInfo,
    @Param('id', IdPipe) profileId: string,
    @Param('teamId', IdPipe) teamId: string,
    @Body() body: ShareFieldsDto,
    @IfMatch() seen: SeenVersion,
  ): Promise<VersionedBody<ShareDto>> {
    return this.shares.update(caller, { profileId, teamId }, body, seen);
  }

  @Authenticated()
  @Delete('profiles/:id/share/:teamId')
  @HttpCode(204)
  @ChangesVersion()
  @ApiOperation({
    summary: 'Take a profile back from a team',
    description: 'Its owner may, and the owners and admins of the team.',
  })
  @ApiNoContentResponse({ description: 'Removed.' })
  @ApiProblems(403, 404, 412, 428)
  unshare(
    @CurrentCaller() caller: CallerInfo,
    @Param('id', IdPipe) profileId: string,
    @Param('teamId', IdPipe) teamId: string,
    @IfMatch() seen: SeenVersion,
  ): Promise<void> {
    return this.shares.unshare(caller, { profileId, teamId }, seen);
  }

  @Authenticated()
  @Get('profiles/:id/shares')
  @ApiOperation({ summary: 'The teams that a profile of yours is shared with' })
  @ApiOkResponse({ type: ShareListDto })
  @ApiProblems(403, 404)
  list(
    @CurrentCaller() caller: CallerInfo,
    @Param('id', IdPipe) id: string,
    @Query() query: PageQuery,
  ): Promise<ShareListDto> {
    return this.shares.list(caller, id, query);
  }

  @Authenticated()
  @Get('resolve-handle')
  @ApiOperation({
    summary: 'The agent that an @handle names',
    description: 'Your own profiles first, then those of your teams.',
  })
  @ApiOkResponse({ type: ResolvedHandleDto })
  @ApiProblems(404)
  resolve(@CurrentCaller() caller: CallerInfo, @Query() query: ResolveHandleQuery): Promise<ResolvedHandleDto> {
    return this.shares.resolve(caller, query);
  }

  @Authenticated()
  @Get('available-agents')
  @ApiOperation({ summary: 'Agents that you may call, for completion while somebody types' })
  @ApiOkResponse({ type: AvailableAgentListDto })
  @ApiProblems()
  available(@CurrentCaller() caller: CallerInfo, @Query() query: AvailableAgentsQuery): Promise<AvailableAgentListDto> {
    return this.shares.available(caller, query);
  }
}
