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
import { CreateProfileDto, DuplicateProfileDto, ProfileDto, ProfileListDto, UpdateProfileDto } from './dto/profile.dto';
import { ProfilesService } from './profiles.service';

@ApiTags('profiles')
@Controller('profiles')
export class ProfilesController {
  constructor(private readonly profiles: ProfilesService) {}

  @Authenticated()
  @Post()
  @Idempotent()
  @ShowsVersion()
  @ApiOperation({ summary: 'Make an agent profile', description: 'The `handle` is unique among your own profiles.' })
  @ApiCreatedResponse({ type: ProfileDto })
  @ApiProblems(409, 422)
  create(
    @CurrentCaller() caller: CallerInfo,
    @Body() body: CreateProfileDto,
    @OnceOnly() once: Once,
  ): Promise<VersionedBody<ProfileDto>> {
    return this.profiles.create(caller, body, once);
  }

  @Authenticated()
  @Get()
  @ApiOperation({ summary: 'Your profiles, newest first', description: 'Those of your teams: `/available-agents`.' })
  @ApiOkResponse({ type: ProfileListDto })
  @ApiProblems()
  list(@CurrentCaller() caller: CallerInfo, @Query() query: PageQuery): Promise<ProfileListDto> {
    return this.profiles.list(caller, query);
  }

  @Authenticated()
  @Get(':id')
  @ReadsVersion()
  @ApiOperation({ summary: 'A profile of yours, or one that is shared with a team of yours' })
  @ApiOkResponse({ type: ProfileDto })
  @ApiProblems(404)
  get(@CurrentCaller() caller: CallerInfo, @Param('id', IdPipe) id: string): Promise<VersionedBody<ProfileDto>> {
    return this.profiles.get(caller, id);
  }

  @Authenticated()
  @Put(':id')
  @ChangesVersion()
  @ShowsVersion()
  @ApiOperation({ summary: 'Change a profile', description: 'Fields that are left out stay as they are.' })
  @ApiOkResponse({ type: ProfileDto })
  @ApiProblems(403, 404, 409, 412, 428)
  update(
    @CurrentCaller() caller: CallerInfo,
    @Param('id', IdPipe) id: string,
    @Body() body: UpdateProfileDto,
    @IfMatch() seen: SeenVersion,
  ): Promise<VersionedBody<ProfileDto>> {
    return this.profiles.update(caller, id, body, seen);
  }

  @Authenticated()
  @Delete(':id')
  @HttpCode(204)
  @ChangesVersion()
  @ApiOperation({
    summary: 'Delete a profile',
    description: 'Its shares end and its handle is free. Runs in flight go on; its journal stays.',
  })
  @ApiNoContentResponse({ description: 'Removed.' })
  @ApiProblems(403, 404, 412, 428)
  remove(
    @CurrentCaller() caller: CallerInfo,
    @Param('id', IdPipe) id: string,
    @IfMatch() seen: SeenVersion,
  ): Promise<void> {
    return this.profiles.remove(caller, id, seen);
  }

  @Authenticated()
  @Post(':id/duplicate')
  @Idempotent()
  @ShowsVersion()
  @ApiOperation({
    summary: 'Copy a profile of yours under another handle',
    description: 'With its connectors and skills; shared with nobody.',
  })
  @ApiCreatedResponse({ type: ProfileDto })
  @ApiProblems(403, 404, 409, 422)
  duplicate(
    @CurrentCaller() caller: CallerInfo,
    @Param('id', IdPipe) id: string,
    @Body() body: DuplicateProfileDto,
    @OnceOnly() once: Once,
  ): Promise<VersionedBody<ProfileDto>> {
    return this.profiles.duplicate(caller, id, body, once);
  }
}
