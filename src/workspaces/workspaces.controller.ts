import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Authenticated } from '../access/rules';
import { contentDisposition } from '../documents/document-name';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller, type CallerInfo } from '../http/caller';
import { IdOrSlugPipe } from '../http/ids';
import { PageQuery } from '../http/page';
import { ReadsVersion } from '../http/versions';
import {
  ExportQuery,
  RowsQuery,
  TableRowListDto,
  WorkspaceDto,
  WorkspaceListDto,
  WorkspaceTableDto,
  WorkspaceTableListDto,
} from './dto/workspace.dto';
import { WorkspacesService } from './workspaces.service';

const MEDIA_TYPES = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' };

@ApiTags('workspaces')
@Controller('workspaces')
export class WorkspacesController {
  constructor(private readonly workspaces: WorkspacesService) {}

  @Authenticated()
  @Get()
  @ApiOperation({ summary: 'Workspaces, by slug' })
  @ApiOkResponse({ type: WorkspaceListDto })
  @ApiProblems()
  list(@CurrentCaller() caller: CallerInfo, @Query() query: PageQuery): Promise<WorkspaceListDto> {
    return this.workspaces.list(caller, query);
  }

  @Authenticated()
  @Get(':id')
  @ApiOperation({ summary: 'A workspace by id or slug' })
  @ApiOkResponse({ type: WorkspaceDto })
  @ReadsVersion()
  @ApiProblems(404)
  get(@CurrentCaller() caller: CallerInfo, @Param('id', IdOrSlugPipe) id: string): Promise<WorkspaceDto> {
    return this.workspaces.get(caller, id);
  }

  @Authenticated()
  @Get(':id/tables')
  @ApiOperation({ summary: 'Tables of a workspace with their columns, by name' })
  @ApiOkResponse({ type: WorkspaceTableListDto })
  @ApiProblems(404)
  tables(
    @CurrentCaller() caller: CallerInfo,
    @Param('id', IdOrSlugPipe) id: string,
    @Query() query: PageQuery,
  ): Promise<WorkspaceTableListDto> {
    return this.workspaces.tables(caller, id, query);
  }

  @Authenticated()
  @Get(':id/tables/:table')
  @ApiOperation({ summary: 'A table by name or id' })
  @ApiOkResponse({ type: WorkspaceTableDto })
  @ReadsVersion()
  @ApiProblems(404)
  table(
    @CurrentCaller() caller: CallerInfo,
    @Param('id', IdOrSlugPipe) id: string,
    @Param('table') table: string,
  ): Promise<WorkspaceTableDto> {
    return this.workspaces.table(caller, id, table);
  }

  @Authenticated()
  @Get(':id/tables/:table/rows')
  @ApiOperation({ summary: 'Rows of a table' })
  @ApiOkResponse({ type: TableRowListDto })
  @ApiProblems(404)
  rows(
    @CurrentCaller() caller: CallerInfo,
    @Param('id', IdOrSlugPipe) id: string,
    @Param('table') table: string,
    @Query() query: RowsQuery,
  ): Promise<TableRowListDto> {
    return this.workspaces.rows(caller, id, table, query);
  }

  @Authenticated()
  @Get(':id/tables/:table/export')
  @ApiOperation({
    summary: 'A table as a file',
    description:
      'CSV cells that a spreadsheet would take for a formula begin with an apostrophe; plain numbers and phone numbers do not.',
  })
  @ApiOkResponse({
    description: 'The rows in the order in which they were saved.',
    content: { 'text/csv': { schema: { type: 'string' } }, 'application/json': { schema: {} } },
  })
  @ApiProblems(404)
  async export(
    @CurrentCaller() caller: CallerInfo,
    @Param('id', IdOrSlugPipe) id: string,
    @Param('table') table: string,
    @Query() query: ExportQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { name, format, stream } = await this.workspaces.export(caller, id, table, query);
    await reply
      .headers({
        'content-type': MEDIA_TYPES[format],
        'content-disposition': contentDisposition(name),
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'private, no-store',
      })
      .send(stream);
  }
}
