import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { HttpError } from './http-error';

/** Metadata from the decorators of the OpenAPI document: a handler is held to them. */
const RESPONSES = 'swagger/apiResponse';
const CONSUMES = 'swagger/apiConsumes';
const JSON_TYPE = 'application/json';

interface Media {
  takes: readonly string[];
  gives: readonly string[];
}

/** 415 for a body of a type that the route does not take, 406 when the client takes no type that the route gives. */
export class MediaInterceptor implements NestInterceptor {
  private readonly known = new WeakMap<object, Media>();

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const handler = context.getHandler();
    const media = this.known.get(handler) ?? mediaOf(handler);
    this.known.set(handler, media);
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    const sent = headers['content-type'];
    if (sent !== undefined && hasBody(headers) && !media.takes.includes(baseType(sent))) {
      throw new HttpError(415, 'unsupported_media_type', `Send the body as ${media.takes.join(' or ')}.`);
    }
    if (headers.accept !== undefined && !media.gives.some((type) => accepts(headers.accept ?? '', type))) {
      throw new HttpError(406, 'not_acceptable', `This address answers with ${media.gives.join(' or ')}.`);
    }
    return next.handle();
  }
}

function mediaOf(handler: object): Media {
  const responses = (Reflect.getMetadata(RESPONSES, handler) ?? {}) as Record<string, { content?: object }>;
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const gives = good.flatMap(([, { content }]) => (content === undefined ? [JSON_TYPE] : Object.keys(content)));
  return {
    takes: (Reflect.getMetadata(CONSUMES, handler) as string[] | undefined) ?? [JSON_TYPE],
    gives: gives.length === 0 ? [JSON_TYPE] : gives,
  };
}

function hasBody(headers: FastifyRequest['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function accepts(header: string, type: string): boolean {
  return header.split(',').some((range) => {
    const [wanted = '', ...params] = range.split(';').map((part) => part.trim().toLowerCase());
    if (params.some((param) => /^q=0(\.0*)?$/.test(param))) return false;
    return wanted === '*/*' || wanted === type || wanted === `${type.split('/', 1)[0] ?? ''}/*`;
  });
}

function baseType(type: string): string {
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase();
}
