import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Signed } from '../access/rules';
import { ApiProblems } from '../http/api-docs';
import { Caller, type CallerInfo } from '../http/caller';
import { IdOrSlugPipe } from '../http/ids';
import { PageQuery } from '../http/page';
import { GraphQuery, PlaybookSourceDto, ValidationReportDto } from './dto/definition.dto';
import { GraphDto } from './dto/graph.dto';
import { PlaybookDto, PlaybookListDto, PlaybookSavedDto } from './dto/playbook-view.dto';
import { PlaybooksService } from './playbooks.service';

@ApiTags('playbooks')
@Controller('playbooks')
export class PlaybooksController {
  constructor(private readonly playbooks: PlaybooksService) {}

  @Signed()
  @Post()
  @ApiOperation({
    summary: 'Create a playbook, or a new version of it',
    description: 'The `id` in the text is its slug. Runs keep the version that they began with.',
  })
  @ApiCreatedResponse({ type: PlaybookSavedDto })
  @ApiProblems(413, 415, 422)
  save(@Caller() caller: CallerInfo, @Body() body: PlaybookSourceDto): Promise<PlaybookSavedDto> {
    return this.playbooks.save(caller, body.source);
  }

  @Signed()
  @Post('validate')
  @HttpCode(200)
  @ApiOperation({ summary: 'All problems of a playbook text at once, with places and suggestions' })
  @ApiOkResponse({ type: ValidationReportDto })
  @ApiProblems(413, 415)
  validate(@Caller() caller: CallerInfo, @Body() body: PlaybookSourceDto): Promise<ValidationReportDto> {
    return this.playbooks.validate(caller, body.source);
  }

  @Signed()
  @Get()
  @ApiOperation({ summary: 'Playbooks, newest first' })
  @ApiOkResponse({ type: PlaybookListDto })
  @ApiProblems()
  list(@Caller() caller: CallerInfo, @Query() query: PageQuery): Promise<PlaybookListDto> {
    return this.playbooks.list(caller, query);
  }

  @Signed()
  @Get(':id')
  @ApiOperation({ summary: 'A playbook by id or slug, with its latest version' })
  @ApiOkResponse({ type: PlaybookDto })
  @ApiProblems(404)
  get(@Caller() caller: CallerInfo, @Param('id', IdOrSlugPipe) id: string): Promise<PlaybookDto> {
    return this.playbooks.get(caller, id);
  }

  @Signed()
  @Get(':id/graph')
  @ApiOperation({ summary: 'Steps with what they take and give, and what flows between them' })
  @ApiOkResponse({ type: GraphDto })
  @ApiProblems(404)
  graph(
    @Caller() caller: CallerInfo,
    @Param('id', IdOrSlugPipe) id: string,
    @Query() query: GraphQuery,
  ): Promise<GraphDto> {
    return this.playbooks.graph(caller, id, query.version);
  }
}
