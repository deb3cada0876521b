import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../access/rules';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller, type CallerInfo } from '../http/caller';
import { SearchAnswerDto, SearchQuery } from './dto/search.dto';
import { SearchService } from './search.service';

@ApiTags('search')
@Controller('search')
export class SearchController {
  constructor(private readonly searches: SearchService) {}

  @Authenticated()
  @Get()
  @ApiOperation({ summary: 'Playbooks, connectors, runs and documents by name' })
  @ApiOkResponse({ type: SearchAnswerDto })
  @ApiProblems()
  find(@CurrentCaller() caller: CallerInfo, @Query() query: SearchQuery): Promise<SearchAnswerDto> {
    return this.searches.search(caller, query);
  }
}
