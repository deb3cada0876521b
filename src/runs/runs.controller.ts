import { Body, Controller, Get, Headers, Param, Post, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Identity } from '../access/identity';
import { refuseWhoMayNotDecide } from '../access/may-decide';
import { Authenticated } from '../access/rules';
import { AuditsItself } from '../audit/audit.interceptor';
import { RequestEntry, type EntryOf } from '../audit/request-entry';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller, type CallerInfo } from '../http/caller';
import { IdPipe } from '../http/ids';
import { ApiIdempotent } from '../http/idempotency/idempotent';
import { idempotencyKey } from '../http/idempotency/request-hash';
import { ReadsVersion } from '../http/versions';
import { RunListQuery, StartRunQuery, TriesQuery } from './dto/run-query.dto';
import { RunDto, RunListDto, RunStartedDto } from './dto/run-view.dto';
import { StartRunDto } from './dto/start-run.dto';
import { StepTriesDto } from './dto/step-view.dto';
import { RunOutputsService } from './run-outputs.service';
import { RunReadService } from './run-read.service';
import { preferredWait } from './prefer';
import { RunStartService } from './run-start.service';
import { MOST_WAIT, RunWaitService, WATCH_SECONDS } from './run-wait.service';

interface StartHeaders {
  'idempotency-key'?: string;
  prefer?: string | string[];
}

/** Aborted when the client leaves before its answer. */
function goneOf(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort('the answer is closed'));
  return gone.signal;
}

@ApiTags('runs')
@Controller(['runs', 'executions'])
export class RunsController {
  constructor(
    private readonly starts: RunStartService,
    private readonly waits: RunWaitService,
    private readonly reads: RunReadService,
    private readonly outputs: RunOutputsService,
  ) {}

  @Authenticated()
  @AuditsItself()
  @Post()
  @ApiOperation({
    summary: 'Start a run',
    description:
      'Once this answers, the run is kept: it starts even if Temporal is away now. A repeat with the same key and body gives the same run; keys do not expire. With `wait` (or `Prefer: wait=30`) the answer comes with the end of the run, or after so many seconds without it.',
  })
  @ApiHeader({
    name: 'Prefer',
    required: false,
    description: '`wait=<seconds>` as the parameter of that name; `respond-async`: do not wait.',
  })
  @ApiIdempotent()
  @ApiCreatedResponse({ type: RunStartedDto })
  @ApiProblems(403, 404, 413, 415, 422)
  async start(
    @CurrentCaller() who: Identity,
    @Body() body: StartRunDto,
    @Query() query: StartRunQuery,
    @Headers() headers: StartHeaders,
    @RequestEntry() entryOf: EntryOf,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RunStartedDto> {
    // Letting a run pass all gates is the same as deciding them, so the key needs that right. The playbook's own setting holds for everybody.
    if (body.approval_policy === 'auto_approve') refuseWhoMayNotDecide(who);
    const seconds = Math.min(preferredWait(headers.prefer) ?? query.wait ?? 0, MOST_WAIT);
    const key = idempotencyKey(headers['idempotency-key']);
    const watchSeconds = seconds === 0 ? undefined : WATCH_SECONDS;
    const started = await this.starts.start(who, body, { key, watchSeconds, entryOf });
    if (!started.created) {
      void reply.header('idempotency-replayed', 'true');
    }
    return seconds === 0 ? started.answer : this.waits.answer(who, started, { seconds, gone: goneOf(reply) });
  }

  @Authenticated()
  @Get()
  @ApiOperation({ summary: 'Runs, newest first' })
  @ApiOkResponse({ type: RunListDto })
  @ApiProblems()
  list(@CurrentCaller() caller: CallerInfo, @Query() query: RunListQuery): Promise<RunListDto> {
    return this.reads.list(caller, query);
  }

  @Authenticated()
  @Get(':runId')
  @ApiOperation({ summary: 'One run: its status, what it waits for, its results' })
  @ApiOkResponse({ type: RunDto })
  @ReadsVersion()
  @ApiProblems(404)
  get(@CurrentCaller() caller: CallerInfo, @Param('runId', IdPipe) runId: string): Promise<RunDto> {
    return this.reads.get(caller, runId);
  }

  @Authenticated()
  @Get(':runId/outputs/:key')
  @ApiOperation({
    summary: 'One output of a run as a whole, however large',
    description: 'Reads an output that `outputs_omitted` names: `key` is the part before the first dot.',
  })
  @ApiOkResponse({ description: 'The value.', content: { 'application/json': { schema: {} } } })
  @ApiProblems(404, 410)
  async output(
    @CurrentCaller() caller: CallerInfo,
    @Param('runId', IdPipe) runId: string,
    @Param('key') key: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const json = await this.outputs.json(caller, runId, key);
    await reply
      .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'private, no-store' })
      .send(json);
  }

  @Authenticated()
  @Get(':runId/tries')
  @ApiOperation({ summary: 'Every try of one step: its inputs, its result and its worker' })
  @ApiOkResponse({ type: StepTriesDto })
  @ApiProblems(404)
  tries(
    @CurrentCaller() caller: CallerInfo,
    @Param('runId', IdPipe) runId: string,
    @Query() query: TriesQuery,
  ): Promise<StepTriesDto> {
    return this.reads.tries(caller, runId, query.step_path);
  }
}
