import { Body, Controller, Headers, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Authenticated } from '../access/rules';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller, type CallerInfo } from '../http/caller';
import { IdPipe } from '../http/ids';
import { ControlAnswerDto, ResolveStepDto, RetryRunDto } from './dto/run-commands.dto';
import { RunStartedDto } from './dto/run-view.dto';
import { ApiIdempotent, Idempotent } from '../http/idempotency/idempotent';
import { idempotencyKey } from '../http/idempotency/request-hash';
import { RunControlService, type ControlAnswer } from './run-control.service';
import { RunRetryService } from './run-retry.service';

const NOW = 'Taken, and the run was told.';
const LATER = 'Taken; the run is told as soon as Temporal answers.';

@ApiTags('runs')
@Controller(['runs/:runId', 'executions/:runId'])
export class RunCommandsController {
  constructor(
    private readonly control: RunControlService,
    private readonly retries: RunRetryService,
  ) {}

  @Authenticated()
  @Post('cancel')
  @HttpCode(200)
  @Idempotent()
  @ApiOperation({ summary: 'Cancel', description: 'No further step begins. Works without a worker.' })
  @ApiOkResponse({ type: ControlAnswerDto, description: NOW })
  @ApiAcceptedResponse({ type: ControlAnswerDto, description: LATER })
  @ApiProblems(404, 409)
  cancel(
    @CurrentCaller() caller: CallerInfo,
    @Param('runId', IdPipe) runId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ControlAnswerDto> {
    return told(this.control.cancel(caller, runId), reply);
  }

  @Authenticated()
  @Post('pause')
  @HttpCode(200)
  @Idempotent()
  @ApiOperation({ summary: 'Pause before the next step' })
  @ApiOkResponse({ type: ControlAnswerDto, description: NOW })
  @ApiAcceptedResponse({ type: ControlAnswerDto, description: LATER })
  @ApiProblems(404, 409)
  pause(
    @CurrentCaller() caller: CallerInfo,
    @Param('runId', IdPipe) runId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ControlAnswerDto> {
    return told(this.control.pause(caller, runId), reply);
  }

  @Authenticated()
  @Post('resume')
  @HttpCode(200)
  @Idempotent()
  @ApiOperation({ summary: 'Go on after a pause' })
  @ApiOkResponse({ type: ControlAnswerDto, description: NOW })
  @ApiAcceptedResponse({ type: ControlAnswerDto, description: LATER })
  @ApiProblems(403, 404, 409)
  resume(
    @CurrentCaller() caller: CallerInfo,
    @Param('runId', IdPipe) runId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ControlAnswerDto> {
    return told(this.control.resume(caller, runId), reply);
  }

  @Authenticated()
  @Post('resolve')
  @HttpCode(200)
  @Idempotent()
  @ApiOperation({
    summary: 'State the outcome of a step whose effect is not known',
    description:
      'For a step of a run in `needs_attention`: a request was sent and no answer was recorded, or its workers were lost.',
  })
  @ApiOkResponse({ type: ControlAnswerDto, description: NOW })
  @ApiProblems(404, 409, 422)
  resolve(
    @CurrentCaller() caller: CallerInfo,
    @Param('runId', IdPipe) runId: string,
    @Body() body: ResolveStepDto,
  ): Promise<ControlAnswerDto> {
    return this.control.resolve(caller, runId, body);
  }

  @Authenticated()
  @Post('retry')
  @ApiOperation({
    summary: 'Run it again from a step, as a new run',
    description:
      'Only a closed run that no other one called: a sub-playbook goes on with the retry of its outermost run. What is done is taken over, in sub-playbooks too; what failed is tried again under its effect key. The playbook version, connectors and time values stay those of the first run. With `with` the whole playbook begins again with other inputs, at its own time, and nothing is taken over. A repeat with the same key, run and body gives the same retry.',
  })
  @ApiIdempotent()
  @ApiCreatedResponse({ type: RunStartedDto })
  @ApiProblems(404, 409, 422)
  async retry(
    @CurrentCaller() caller: CallerInfo,
    @Param('runId', IdPipe) runId: string,
    @Body() body: RetryRunDto,
    @Headers('idempotency-key') key: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RunStartedDto> {
    const { answer, created } = await this.retries.retry(caller, runId, body, idempotencyKey(key));
    if (!created) {
      void reply.header('idempotency-replayed', 'true');
    }
    return answer;
  }
}

async function told(answer: Promise<ControlAnswer>, reply: FastifyReply): Promise<ControlAnswerDto> {
  const { delivered, ...body } = await answer;
  void reply.status(delivered ? 200 : 202);
  return body;
}
