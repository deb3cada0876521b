import type { FastifyReply } from 'fastify';
import { AppError } from '../../core/errors/app-error';
import { problemBody } from '../http/problem-body';
import { markup } from './html';
import { documentOf, headersOf, type Page } from './page';

/** Tells whether a browser asks: programs that take anything get JSON. */
export function wantsPage(accept: string | undefined): boolean {
  return accept?.includes('text/html') === true;
}

/** The page, or an error page: a person who opened a link in a browser reads no JSON. */
export async function answerWithPage(reply: FastifyReply, make: () => Promise<Page>): Promise<string> {
  const page = await make().catch((error: unknown) => {
    if (!(error instanceof AppError) || error.category === 'internal') throw error;
    const { status, detail } = problemBody(error, reply.request.id);
    void reply.status(status);
    return { title: 'This link does not work', body: markup`<p>${detail}</p>` };
  });
  void reply.headers(headersOf(page));
  return documentOf(page);
}
