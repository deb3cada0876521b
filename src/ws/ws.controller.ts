import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Authenticated } from '../access/rules';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller, type CallerInfo } from '../http/caller';
import { HttpError } from '../http/http-error';
import { takeUpgrade } from './upgrades';
import { WsService } from './ws.service';

@ApiTags('events')
@Controller('ws')
export class WsController {
  constructor(private readonly service: WsService) {}

  @Authenticated()
  @Get()
  @ApiOperation({
    summary: 'Many event streams over one WebSocket',
    description: [
      'Who you are is taken from the request that opens it. Messages are JSON objects in text frames.',
      '- you: `{"type": "subscribe", "id": "yours", "run_id": "<run>" or "all", "after": seq or cursor, "types": [...]}`, `{"type": "unsubscribe", "id"}`, `{"type": "ping"}`',
      '- we: `subscribed`, `event` with `event` (its name), `data` (as in the streams over HTTP) and `seq` or `cursor`, `ended`, `closed`, `unsubscribed`, `pong`, `error` with `code` and `message`',
    ].join('\n'),
  })
  @ApiResponse({ status: 101, description: 'The connection is a WebSocket from here on.' })
  @ApiProblems(426, 429)
  open(@CurrentCaller() caller: CallerInfo, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.service.admit();
    const upgrade = takeUpgrade(request.raw);
    if (upgrade === undefined) {
      throw new HttpError(426, 'upgrade_required', 'This address speaks WebSocket: send `Upgrade: websocket`.');
    }
    reply.hijack();
    this.service.accept(caller, request.raw, upgrade);
  }
}
