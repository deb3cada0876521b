import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { SeenVersion } from '../../infra/db/row-version';
import type { Identity } from '../access/identity';
import { Authenticated } from '../access/rules';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller, type CallerInfo } from '../http/caller';
import { IdOrSlugPipe } from '../http/ids';
import { VersionedBody } from '../http/etag';
import { Idempotent, OnceOnly } from '../http/idempotency/idempotent';
import type { Once } from '../http/idempotency/once';
import { ChangesVersion, IfMatch, ReadsVersion, ShowsVersion } from '../http/versions';
import { ConnectorsService } from './connectors.service';
import { ConnectorListQuery } from './dto/connector-list.dto';
import {
  ConnectorDto,
  ConnectorListDto,
  ConnectorSavedDto,
  ConnectorSchemaDto,
  ConnectorSourceDto,
} from './dto/connector.dto';

@ApiTags('connectors')
@Controller('connectors')
export class ConnectorsController {
  constructor(private readonly connectors: ConnectorsService) {}

  @Authenticated()
  @Post()
  @ApiOperation({
    summary: 'Create a connector, or a new version of it',
    description: 'The `id` in the text is its slug. Runs keep the version that they began with.',
  })
  @ApiCreatedResponse({ type: ConnectorSavedDto })
  @Idempotent()
  @ShowsVersion()
  @ApiProblems(413, 415, 422)
  save(
    @CurrentCaller() who: Identity,
    @Body() body: ConnectorSourceDto,
    @OnceOnly() once: Once,
  ): Promise<VersionedBody<ConnectorSavedDto>> {
    return this.connectors.save(who, body.source, once);
  }

  @Authenticated()
  @Get()
  @ApiOperation({ summary: 'Connectors, newest first' })
  @ApiOkResponse({ type: ConnectorListDto })
  @ApiProblems()
  list(@CurrentCaller() caller: CallerInfo, @Query() query: ConnectorListQuery): Promise<ConnectorListDto> {
    return this.connectors.list(caller, query);
  }

  @Authenticated()
  @Get(':id')
  @ApiOperation({ summary: 'A connector by id or slug, with its text' })
  @ApiOkResponse({ type: ConnectorDto })
  @ReadsVersion()
  @ApiProblems(404)
  get(
    @CurrentCaller() caller: CallerInfo,
    @Param('id', IdOrSlugPipe) id: string,
  ): Promise<VersionedBody<ConnectorDto>> {
    return this.connectors.get(caller, id);
  }

  @Authenticated()
  @Put(':id')
  @ApiOperation({
    summary: 'Give a connector a new text',
    description: 'A new version, when the text is new. The `id` in the text has to be its slug.',
  })
  @ApiOkResponse({ type: ConnectorSavedDto })
  @ChangesVersion()
  @ShowsVersion()
  @ApiProblems(413, 415, 422)
  replace(
    @CurrentCaller() caller: CallerInfo,
    @Param('id', IdOrSlugPipe) id: string,
    @Body() body: ConnectorSourceDto,
    @IfMatch() seen: SeenVersion,
  ): Promise<VersionedBody<ConnectorSavedDto>> {
    return this.connectors.replace(caller, id, body.source, seen);
  }

  @Authenticated()
  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Delete a connector',
    description: 'Runs keep the version that they began with; the slug can be used again.',
  })
  @ApiNoContentResponse({ description: 'Removed.' })
  @ChangesVersion()
  async remove(
    @CurrentCaller() caller: CallerInfo,
    @Param('id', IdOrSlugPipe) id: string,
    @IfMatch() seen: SeenVersion,
  ): Promise<void> {
    await this.connectors.remove(caller, id, seen);
  }

  @Authenticated()
  @Get(':id/schema')
  @ApiOperation({ summary: 'What each endpoint takes and gives' })
  @ApiOkResponse({ type: ConnectorSchemaDto })
  @ApiProblems(404)
  schema(@CurrentCaller() caller: CallerInfo, @Param('id', IdOrSlugPipe) id: string): Promise<ConnectorSchemaDto> {
    return this.connectors.schema(caller, id);
  }
}
