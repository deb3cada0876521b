import { Controller, Get, Headers, Param, Query, Res } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiHeader,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Authenticated } from '../access/rules';
import { AppError } from '../../core/errors/app-error';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller, type CallerInfo } from '../http/caller';
import { IdPipe } from '../http/ids';
import { EventStreamQuery } from './dto/run-query.dto';
import { EVENT_SCHEMAS, RUN_EVENT } from './events/event-types';
import { ClosedEvent } from '../events/stream-events.dto';
import { SseWriter } from './events/sse-writer';
import { RunStreamService } from './run-stream.service';

@ApiTags('runs')
@ApiExtraModels(...EVENT_SCHEMAS, ClosedEvent)
@Controller(['runs', 'executions'])
export class RunEventsController {
  constructor(private readonly streams: RunStreamService) {}

  @Authenticated()
  @Get(':runId/events')
  @ApiOperation({
    summary: 'What happens in a run, as server-sent events',
    description:
      'Begins at the first event, or after `Last-Event-ID`; ends after `complete`. `id` is the number of the event in its run, without gaps. `data` is a RunEvent: its `type` is the name in `event`.',
  })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'Number of the last event that the client has seen.',
  })
  @ApiOkResponse({
    description: 'A stream of events.',
    content: {
      'text/event-stream': { schema: { oneOf: [RUN_EVENT, { $ref: getSchemaPath(ClosedEvent) }] } },
    },
  })
  @ApiNoContentResponse({ description: 'The client has seen the last event already; it need not come back.' })
  @ApiProblems(404)
  async events(
    @CurrentCaller() caller: CallerInfo,
    @Param('runId', IdPipe) runId: string,
    @Query() query: EventStreamQuery,
    @Headers('last-event-id') header: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const after = header === undefined || header === '' ? (query.last_event_id ?? 0) : eventId(header);
    const follower = await this.streams.open(caller, runId, after);
    if (follower === null) {
      void reply.status(204).send();
      return;
    }
    reply.hijack();
    await this.streams.send(caller, follower, new SseWriter(reply.raw), reply.getHeaders() as Record<string, string>);
  }
}

function eventId(header: string): number {
  if (!/^\d{1,15}$/.test(header)) {
    throw new AppError('invalid_event_id', 'Last-Event-ID must be the number of an event.', {
      category: 'bad_request',
    });
  }
  return Number(header);
}
