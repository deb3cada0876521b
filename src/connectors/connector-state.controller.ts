import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Identity } from '../access/identity';
import { Authenticated } from '../access/rules';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller, type CallerInfo } from '../http/caller';
import { Idempotent } from '../http/idempotency/idempotent';
import { IdOrSlugPipe } from '../http/ids';
import { PageQuery } from '../http/page';
import { ConnectorStateService } from './connector-state.service';
import { ConfirmPlacesDto, ConnectorCallListDto, ConnectorHealthDto, SecretPlacesDto } from './dto/connector-state.dto';

@ApiTags('connectors')
@Controller('connectors')
export class ConnectorStateController {
  constructor(private readonly state: ConnectorStateService) {}

  @Authenticated()
  @Get(':id/health')
  @ApiOperation({
    summary: 'State of a connector',
    description:
      'Numbers of the last day, its breakers, what is used of its limits, what sources say about its credentials.',
  })
  @ApiOkResponse({ type: ConnectorHealthDto })
  @ApiProblems(404)
  health(@CurrentCaller() caller: CallerInfo, @Param('id', IdOrSlugPipe) id: string): Promise<ConnectorHealthDto> {
    return this.state.health(caller, id);
  }

  @Authenticated()
  @Get(':id/calls')
  @ApiOperation({ summary: 'Calls of a connector, newest first' })
  @ApiOkResponse({ type: ConnectorCallListDto })
  @ApiProblems(404)
  calls(
    @CurrentCaller() caller: CallerInfo,
    @Param('id', IdOrSlugPipe) id: string,
    @Query() query: PageQuery,
  ): Promise<ConnectorCallListDto> {
    return this.state.calls(caller, id, query);
  }

  @Authenticated()
  @Post(':id/confirm')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Let the secret of a connector go where its latest version sends it',
    description:
      'Needed after a change of its addresses or of its secret, and for a connector that somebody else wrote. It confirms one secret; until then nothing is sent. API keys with limits may not do this.',
  })
  @ApiOkResponse({ type: SecretPlacesDto })
  @Idempotent()
  @ApiProblems(403, 404, 409, 422)
  confirm(
    @CurrentCaller() who: Identity,
    @Param('id', IdOrSlugPipe) id: string,
    @Body() body: ConfirmPlacesDto,
  ): Promise<SecretPlacesDto> {
    return this.state.confirm(who, id, body);
  }
}
