import type { Agent } from 'undici';
import { AnswerHandler, type WireAnswer } from './answer-handler';
import type { Deadline } from './deadline';
import { ACCEPTED_ENCODINGS, decoded } from './decode';
import { tooLarge } from './failure';
import type { EgressStream } from './types';

export interface Hop {
  method: string;
  url: URL;
  /** Lower-case names. */
  headers: Record<string, string>;
  body: Uint8Array | string | undefined;
}

export interface SendOptions {
  agent: Agent;
  deadline: Deadline;
  maxBytes: number;
  onBytes: (() => void) | undefined;
}

const USUAL_HEADERS = { 'user-agent': 'agent-factory', accept: '*/*', 'accept-encoding': ACCEPTED_ENCODINGS };

/** One exchange without redirects. Within its deadline the body may be read; see Deadline for its end. */
export async function sendOnce(hop: Hop, sending: SendOptions): Promise<EgressStream> {
  const { deadline, maxBytes } = sending;
  const { host } = hop.url;
  deadline.throwIfOver();
  const answer = await exchange(hop, sending);
  const { status, headers } = answer;
  if (hop.method !== 'HEAD' && Number(headers['content-length'] ?? 0) > maxBytes) {
    answer.body.destroy();
    throw tooLarge(host, maxBytes);
  }
  const body = decoded(answer, hop.method, { host, maxBytes, reasonOf: (failure) => deadline.reasonOf(failure) });
  return { status, headers, body, url: hop.url.href };
}

function exchange({ method, url, headers, body }: Hop, sending: SendOptions): Promise<WireAnswer> {
  const { agent, deadline, maxBytes, onBytes } = sending;
  return new Promise((resolve, reject) => {
    const handler = new AnswerHandler({
      host: url.host,
      maxBytes,
      onSent: () => (deadline.isSent = true),
      onBytes,
      resolve,
      reject,
    });
    deadline.stop = (reason) => handler.stop(reason);
    agent.dispatch(
      {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers: { ...USUAL_HEADERS, ...headers },
        body: typeof body === 'string' || body === undefined ? (body ?? null) : Buffer.from(body),
      },
      handler,
    );
  });
}
