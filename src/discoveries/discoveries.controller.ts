import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../access/rules';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller, type CallerInfo } from '../http/caller';
import { IdPipe } from '../http/ids';
import { PageQuery } from '../http/page';
import { DiscoveriesService } from './discoveries.service';
import { DiscoveryListDto, DiscoveryListQuery, DiscoveryStatsDto, DiscoveryStatsQuery } from './dto/discovery.dto';

@ApiTags('discoveries')
@Controller()
export class DiscoveriesController {
  constructor(private readonly discoveries: DiscoveriesService) {}

  @Authenticated()
  @Get('discoveries')
  @ApiOperation({ summary: 'What your runs found, newest first' })
  @ApiOkResponse({ type: DiscoveryListDto })
  @ApiProblems()
  list(@CurrentCaller() caller: CallerInfo, @Query() query: DiscoveryListQuery): Promise<DiscoveryListDto> {
    return this.discoveries.list(caller, query);
  }

  @Authenticated()
  @Get('discoveries/stats')
  @ApiOperation({ summary: 'What your runs found, in numbers over a stretch of time' })
  @ApiOkResponse({ type: DiscoveryStatsDto })
  @ApiProblems()
  stats(@CurrentCaller() caller: CallerInfo, @Query() query: DiscoveryStatsQuery): Promise<DiscoveryStatsDto> {
    return this.discoveries.stats(caller, query);
  }

  @Authenticated()
  @Get(['runs/:runId/discoveries', 'executions/:runId/discoveries'])
  @ApiOperation({ summary: 'What one run found, newest first' })
  @ApiOkResponse({ type: DiscoveryListDto })
  @ApiProblems(404)
  ofRun(
    @CurrentCaller() caller: CallerInfo,
    @Param('runId', IdPipe) runId: string,
    @Query() query: PageQuery,
  ): Promise<DiscoveryListDto> {
    return this.discoveries.ofRun(caller, runId, query);
  }
}
