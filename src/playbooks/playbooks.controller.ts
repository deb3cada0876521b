import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { SeenVersion } from '../../infra/db/row-version';
import { Authenticated } from '../access/rules';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller, type CallerInfo } from '../http/caller';
import { IdOrSlugPipe } from '../http/ids';
import { VersionedBody } from '../http/etag';
import { Idempotent, OnceOnly } from '../http/idempotency/idempotent';
import type { Once } from '../http/idempotency/once';
import { ChangesVersion, IfMatch, ReadsVersion, ShowsVersion } from '../http/versions';
import { GraphQuery, PlaybookSourceDto, ValidationReportDto } from './dto/definition.dto';
import { GraphDto } from './dto/graph.dto';
import { PlaybookListQuery } from './dto/playbook-list.dto';
import { PlaybookDto, PlaybookListDto, PlaybookSavedDto } from './dto/playbook-view.dto';
import { PlaybooksService } from './playbooks.service';

@ApiTags('playbooks')
@Controller('playbooks')
export class PlaybooksController {
  constructor(private readonly playbooks: PlaybooksService) {}

  @Authenticated()
  @Post()
  @ApiOperation({
    summary: 'Create a playbook, or a new version of it',
    description: 'The `id` in the text is its slug. Runs keep the version that they began with.',
  })
  @ApiCreatedResponse({ type: PlaybookSavedDto })
  @Idempotent()
  @ShowsVersion()
  @ApiProblems(413, 415, 422)
  save(
    @CurrentCaller() caller: CallerInfo,
    @Body() body: PlaybookSourceDto,
    @OnceOnly() once: Once,
  ): Promise<VersionedBody<PlaybookSavedDto>> {
    return this.playbooks.save(caller, body.source, once);
  }

  @Authenticated()
  @Post('validate')
  @HttpCode(200)
  @ApiOperation({ summary: 'All problems of a playbook text at once, with places and suggestions' })
  @ApiOkResponse({ type: ValidationReportDto })
  @ApiProblems(413, 415)
  validate(@CurrentCaller() caller: CallerInfo, @Body() body: PlaybookSourceDto): Promise<ValidationReportDto> {
    return this.playbooks.validate(caller, body.source);
  }

  @Authenticated()
  @Post(':id/validate')
  @HttpCode(200)
  @ApiOperation({ summary: 'Check a stored playbook by the rules and connectors of today' })
  @ApiOkResponse({ type: ValidationReportDto })
  @ApiProblems(404)
  validateSaved(
    @CurrentCaller() caller: CallerInfo,
    @Param('id', IdOrSlugPipe) id: string,
  ): Promise<ValidationReportDto> {
    return this.playbooks.validateSaved(caller, id);
  }

  @Authenticated()
  @Get()
  @ApiOperation({ summary: 'Playbooks, newest first' })
  @ApiOkResponse({ type: PlaybookListDto })
  @ApiProblems()
  list(@CurrentCaller() caller: CallerInfo, @Query() query: PlaybookListQuery): Promise<PlaybookListDto> {
    return this.playbooks.list(caller, query);
  }

  @Authenticated()
  @Get(':id')
  @ApiOperation({ summary: 'A playbook by id or slug, with its latest version' })
  @ApiOkResponse({ type: PlaybookDto })
  @ReadsVersion()
  @ApiProblems(404)
  get(@CurrentCaller() caller: CallerInfo, @Param('id', IdOrSlugPipe) id: string): Promise<VersionedBody<PlaybookDto>> {
    return this.playbooks.get(caller, id);
  }

  @Authenticated()
  @Put(':id')
  @ApiOperation({
    summary: 'Give a playbook a new text',
    description: 'A new version, when the text is new. The `id` in the text has to be its slug.',
  })
  @ApiOkResponse({ type: PlaybookSavedDto })
  @ChangesVersion()
  @ShowsVersion()
  @ApiProblems(413, 415, 422)
  replace(
    @CurrentCaller() caller: CallerInfo,
    @Param('id', IdOrSlugPipe) id: string,
    @Body() body: PlaybookSourceDto,
    @IfMatch() seen: SeenVersion,
  ): Promise<VersionedBody<PlaybookSavedDto>> {
    return this.playbooks.replace(caller, id, body.source, seen);
  }

  @Authenticated()
  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Delete a playbook',
    description: 'Runs keep the version that they began with; the slug can be used again.',
  })
  @ApiNoContentResponse({ description: 'Removed.' })
  @ChangesVersion()
  async remove(
    @CurrentCaller() caller: CallerInfo,
    @Param('id', IdOrSlugPipe) id: string,
    @IfMatch() seen: SeenVersion,
  ): Promise<void> {
    await this.playbooks.remove(caller, id, seen);
  }

  @Authenticated()
  @Get(':id/graph')
  @ApiOperation({ summary: 'Steps with what they take and give, and what flows between them' })
  @ApiOkResponse({ type: GraphDto })
  @ApiProblems(404)
  graph(
    @CurrentCaller() caller: CallerInfo,
    @Param('id', IdOrSlugPipe) id: string,
    @Query() query: GraphQuery,
  ): Promise<GraphDto> {
    return this.playbooks.graph(caller, id, query.version);
  }
}
