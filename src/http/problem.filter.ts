import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { recognise } from './known-errors';
import { problemBody, problemHeaders } from './problem-body';

export type LogUnexpected = (error: unknown, requestId: string) => void;

/** Every error of every route leaves through here, those of Fastify itself included. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly logUnexpected: LogUnexpected) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const known = recognise(error);
    if (known === undefined || known.category === 'internal') {
      this.logUnexpected(error, request.id);
    }
    if (reply.sent || reply.raw.headersSent) {
      // A stream that broke half way: all that can still be said is that it ends here.
      reply.raw.destroy();
      return;
    }
    const body = problemBody(error, request.id);
    void reply.status(body.status).headers(problemHeaders(body)).send(body);
  }
}
