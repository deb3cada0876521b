import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Identity } from '../access/identity';
import { Authenticated } from '../access/rules';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller } from '../http/caller';
import { Idempotent } from '../http/idempotency/idempotent';
import { IdOrSlugPipe } from '../http/ids';
import { ConnectorTestService } from './connector-test.service';
import { ConnectorTestReportDto, TestConnectorDto, TestSavedDto } from './dto/connector-test.dto';

const DESCRIPTION =
  'Makes the call as a run would, within 30 seconds, without a run. It counts for the limits of the source and leaves the same traces as every call: records, an audit entry, states of breaker and credential, tokens. What the source reports is in the answer; a limit that asks to wait is 429. An endpoint with an effect needs `allow_effects`; with an `Idempotency-Key` it is called once however often the request is sent. An action (`existing_tool`) is only carried out when it changes nothing: else 403 `action_needs_run`.';

@ApiTags('connectors')
@Controller('connectors')
export class ConnectorTestController {
  constructor(private readonly tests: ConnectorTestService) {}

  @Authenticated()
  @Post('test')
  @HttpCode(200)
  @ApiOperation({ summary: 'Call one endpoint of a connector text that need not be saved', description: DESCRIPTION })
  @ApiOkResponse({ type: ConnectorTestReportDto })
  @Idempotent()
  @ApiProblems(404, 409, 413, 415, 422, 429)
  testText(@CurrentCaller() caller: Identity, @Body() body: TestConnectorDto): Promise<ConnectorTestReportDto> {
    return this.tests.testText(caller, body);
  }

  @Authenticated()
  @Post(':id/test')
  @HttpCode(200)
  @ApiOperation({ summary: 'Call one endpoint of a connector', description: DESCRIPTION })
  @ApiOkResponse({ type: ConnectorTestReportDto })
  @Idempotent()
  @ApiProblems(404, 409, 422, 429)
  testSaved(
    @CurrentCaller() caller: Identity,
    @Param('id', IdOrSlugPipe) id: string,
    @Body() body: TestSavedDto,
  ): Promise<ConnectorTestReportDto> {
    return this.tests.testSaved(caller, id, body);
  }
}
