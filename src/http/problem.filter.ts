import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SchemaWatch } from '../../infra/db/schema-watch';
import { withTimeout } from '../shared/with-timeout';
import { recognise } from './known-errors';
import { problemBody, problemHeaders } from './problem-body';

/** Time to look for a better answer while the caller waits. */
const LOOK_MS = 900;

export type LogUnexpected = (error: unknown, requestId: string) => void;

/** Every error of every route leaves through here, those of Fastify itself included. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly logUnexpected: LogUnexpected,
    private readonly schema: SchemaWatch,
  ) {}

  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const known = recognise(error);
    const unexpected = known === undefined || known.category === 'internal';
    if (unexpected) {
      this.logUnexpected(error, request.id);
    }
    if (reply.sent || reply.raw.headersSent) {
      // A stream that failed half way can only be ended.
      reply.raw.destroy();
      return;
    }
    // A change by a later version while this process runs is no defect of ours.
    const body = problemBody(
      unexpected ? ((await withTimeout(this.schema.look(), LOOK_MS, undefined)) ?? error) : error,
      request.id,
    );
    void reply.status(body.status).headers(problemHeaders(body)).send(body);
  }
}
