import { Controller, Get, Header, Headers, Res } from '@nestjs/common';
import { ApiExcludeController, ApiOkResponse } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { productVersion } from '../../infra/embedded/product-version';
import { Public } from '../access/rules';
import { PREFIX } from '../app/prefix';
import { Origin, type RequestOrigin } from '../identity/request-origin';
import { answerWithPage, wantsPage } from '../pages/answer';
import type { StartDto } from './start.dto';
import { startPage } from './start-page';

/** Start page for people who know the address alone. Left out of the document: it is no part of the API. */
@ApiExcludeController()
@Controller()
export class StartController {
  @Public()
  @Get(['/', PREFIX])
  @Header('cache-control', 'no-store')
  @Header('vary', 'accept')
  @ApiOkResponse({ content: { 'application/json': {}, 'text/html': {} } })
  async show(
    @Headers('accept') accept: string | undefined,
    @Headers('x-forwarded-proto') scheme: string | undefined,
    @Origin() from: RequestOrigin,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StartDto | string> {
    const facts = {
      name: 'Agent Factory',
      version: productVersion(),
      api: `/${PREFIX}`,
      docs: '/api/docs',
      openapi: '/api/docs-json',
      health: '/health/ready',
    };
    return wantsPage(accept)
      ? answerWithPage(reply, () => Promise.resolve(startPage(facts, baseOf(from, scheme))))
      : facts;
  }
}

/** A page request has no origin, so the scheme comes from the proxy: it is only shown to the client that sent it. */
function baseOf({ base }: RequestOrigin, scheme: string | undefined): string {
  return scheme === 'https' ? base.replace(/^http:/, 'https:') : base;
}
