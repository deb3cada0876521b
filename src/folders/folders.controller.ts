import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { SeenVersion } from '../../infra/db/row-version';
import { Authenticated } from '../access/rules';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller, type CallerInfo } from '../http/caller';
import type { VersionedBody } from '../http/etag';
import { Idempotent, OnceOnly } from '../http/idempotency/idempotent';
import type { Once } from '../http/idempotency/once';
import { IdPipe } from '../http/ids';
import { ChangesVersion, IfMatch, ReadsVersion, ShowsVersion } from '../http/versions';
import { ChangeFolderDto, FolderDto, FolderListDto, FolderListQuery, NewFolderDto } from './dto/folder.dto';
import { FoldersService } from './folders.service';

@ApiTags('documents')
@Controller('folders')
export class FoldersController {
  constructor(private readonly folders: FoldersService) {}

  @Authenticated()
  @Get()
  @ApiOperation({ summary: 'Folders of one level, by name' })
  @ApiOkResponse({ type: FolderListDto })
  @ApiProblems(404)
  list(@CurrentCaller() caller: CallerInfo, @Query() query: FolderListQuery): Promise<FolderListDto> {
    return this.folders.list(caller, query);
  }

  @Authenticated()
  @Post()
  @ApiOperation({ summary: 'Make a folder' })
  @ApiCreatedResponse({ type: FolderDto })
  @Idempotent()
  @ShowsVersion()
  @ApiProblems(404, 409)
  create(
    @CurrentCaller() caller: CallerInfo,
    @Body() body: NewFolderDto,
    @OnceOnly() once: Once,
  ): Promise<VersionedBody<FolderDto>> {
    return this.folders.create(caller, body, once);
  }

  @Authenticated()
  @Get(':folderId')
  @ApiOperation({ summary: 'One folder' })
  @ApiOkResponse({ type: FolderDto })
  @ReadsVersion()
  @ApiProblems(404)
  get(
    @CurrentCaller() caller: CallerInfo,
    @Param('folderId', IdPipe) folderId: string,
  ): Promise<VersionedBody<FolderDto>> {
    return this.folders.get(caller, folderId);
  }

  @Authenticated()
  @Patch(':folderId')
  @ApiOperation({ summary: 'Rename a folder, or move it with all that lies in it' })
  @ApiOkResponse({ type: FolderDto })
  @ChangesVersion()
  @ShowsVersion()
  @ApiProblems(404, 409)
  change(
    @CurrentCaller() caller: CallerInfo,
    @Param('folderId', IdPipe) folderId: string,
    @Body() body: ChangeFolderDto,
    @IfMatch() seen: SeenVersion,
  ): Promise<VersionedBody<FolderDto>> {
    return this.folders.change(caller, folderId, body, seen);
  }

  @Authenticated()
  @Delete(':folderId')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a folder that holds nothing' })
  @ApiNoContentResponse({ description: 'Removed.' })
  @ChangesVersion()
  @ApiProblems(404, 409)
  remove(
    @CurrentCaller() caller: CallerInfo,
    @Param('folderId', IdPipe) folderId: string,
    @IfMatch() seen: SeenVersion,
  ): Promise<void> {
    return this.folders.remove(caller, folderId, seen);
  }
}
