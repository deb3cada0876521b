import { Body, Controller, Headers, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../access/rules';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller, type CallerInfo } from '../http/caller';
import { BulkRunsAnswerDto, BulkRunsDto } from './dto/run-bulk.dto';
import { Idempotent } from '../http/idempotency/idempotent';
import { idempotencyKey } from '../http/idempotency/request-hash';
import { RunBulkService } from './run-bulk.service';

@ApiTags('runs')
@Controller(['runs', 'executions'])
export class RunBulkController {
  constructor(private readonly bulk: RunBulkService) {}

  @Authenticated()
  @Post('bulk')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Cancel, pause, resume or retry many runs',
    description: 'Each run gets an answer of its own; one that is refused stops no other.',
  })
  @Idempotent()
  @ApiOkResponse({ type: BulkRunsAnswerDto })
  @ApiProblems()
  applyToMany(
    @CurrentCaller() caller: CallerInfo,
    @Body() body: BulkRunsDto,
    @Headers('idempotency-key') key: string | undefined,
  ): Promise<BulkRunsAnswerDto> {
    return this.bulk.run(caller, body, idempotencyKey(key));
  }
}
