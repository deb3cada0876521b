import { Controller, Get, Headers, Query, Res } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Authenticated } from '../access/rules';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller, type CallerInfo } from '../http/caller';
import { EVENT_SCHEMAS, RUN_EVENT } from '../runs/events/event-types';
import { SseWriter } from '../runs/events/sse-writer';
import { AllEventsService } from './all-events.service';
import { AllEventsQuery } from './event-filter.dto';
import { ClosedEvent, EventOrigin, ResetEvent } from './stream-events.dto';

@ApiTags('events')
@ApiExtraModels(...EVENT_SCHEMAS, EventOrigin, ResetEvent, ClosedEvent)
@Controller('events')
export class AllEventsController {
  constructor(private readonly events: AllEventsService) {}

  @Authenticated()
  @Get()
  @ApiOperation({
    summary: 'What happens in all runs that you may see, as server-sent events',
    description: [
      'Begins now, or after `Last-Event-ID`, and does not end. `id` is an opaque cursor: nothing is missed and nothing comes twice, on any replica.',
      'Events of one run come in their order. `data` is a RunEvent: its `type` is the name in `event`, and it says `runId` and `seq` beside its own fields.',
      '`reset` says that the cursor is unknown; `closed` is the last event when you may not read any more.',
    ].join('\n'),
  })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'Id of the last event that the client has seen.',
  })
  @ApiOkResponse({
    description: 'A stream of events.',
    content: {
      'text/event-stream': {
        schema: {
          oneOf: [
            { allOf: [{ $ref: getSchemaPath(EventOrigin) }, RUN_EVENT] },
            { $ref: getSchemaPath(ResetEvent) },
            { $ref: getSchemaPath(ClosedEvent) },
          ],
        },
      },
    },
  })
  @ApiProblems(429)
  async follow(
    @CurrentCaller() caller: CallerInfo,
    @Query() query: AllEventsQuery,
    @Headers('last-event-id') header: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const cursor = header === undefined || header === '' ? query.last_event_id : header;
    const events = await this.events.open(caller, cursor, {
      ...(query.types === undefined ? {} : { types: query.types }),
      ...(query.run === undefined ? {} : { runId: query.run.toLowerCase() }),
    });
    reply.hijack();
    await this.events.send(caller, events, new SseWriter(reply.raw), reply.getHeaders() as Record<string, string>);
  }
}
