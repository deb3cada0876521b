import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Signed } from '../access/rules';
import { ApiProblems } from '../http/api-docs';
import { Caller, type CallerInfo } from '../http/caller';
import { IdOrSlugPipe } from '../http/ids';
import { PageQuery } from '../http/page';
import { ConnectorsService } from './connectors.service';
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

  @Signed()
  @Post()
  @ApiOperation({
    summary: 'Create a connector, or a new version of it',
    description: 'The `id` in the text is its slug. Runs keep the version that they began with.',
  })
  @ApiCreatedResponse({ type: ConnectorSavedDto })
  @ApiProblems(413, 415, 422)
  save(@Caller() caller: CallerInfo, @Body() body: ConnectorSourceDto): Promise<ConnectorSavedDto> {
    return this.connectors.save(caller, body.source);
  }

  @Signed()
  @Get()
  @ApiOperation({ summary: 'Connectors, newest first' })
  @ApiOkResponse({ type: ConnectorListDto })
  @ApiProblems()
  list(@Caller() caller: CallerInfo, @Query() query: PageQuery): Promise<ConnectorListDto> {
    return this.connectors.list(caller, query);
  }

  @Signed()
  @Get(':id')
  @ApiOperation({ summary: 'A connector by id or slug, with its text' })
  @ApiOkResponse({ type: ConnectorDto })
  @ApiProblems(404)
  get(@Caller() caller: CallerInfo, @Param('id', IdOrSlugPipe) id: string): Promise<ConnectorDto> {
    return this.connectors.get(caller, id);
  }

  @Signed()
  @Get(':id/schema')
  @ApiOperation({ summary: 'What each endpoint takes and gives' })
  @ApiOkResponse({ type: ConnectorSchemaDto })
  @ApiProblems(404)
  schema(@Caller() caller: CallerInfo, @Param('id', IdOrSlugPipe) id: string): Promise<ConnectorSchemaDto> {
    return this.connectors.schema(caller, id);
  }
}
