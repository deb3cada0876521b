import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { Authenticated } from '../access/rules';
import { DecisionExport } from '../../infra/decisions/decision-export';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller, type CallerInfo } from '../http/caller';

@ApiTags('decisions')
@Controller('decisions')
export class DecisionsController {
  constructor(private readonly decisions: DecisionExport) {}

  @Authenticated()
  @Get('export')
  @ApiOperation({
    summary: 'Your chain of decisions, as JSON lines',
    description:
      'One `export` line, every `entry` in order (hash = SHA-256 of the hash before it and the entry), then every signed `head`. Check it offline with `af verify-decisions`.',
  })
  @ApiOkResponse({
    description: 'The chain.',
    content: { 'application/x-ndjson': { schema: { type: 'string' } } },
  })
  @ApiProblems()
  async export(@CurrentCaller() caller: CallerInfo, @Res() reply: FastifyReply): Promise<void> {
    await reply
      .headers({
        'content-type': 'application/x-ndjson',
        'content-disposition': 'attachment; filename="decisions.jsonl"',
        'cache-control': 'private, no-store',
      })
      .send(Readable.from(this.decisions.lines(caller.ownerId)));
  }
}
