import { AppError } from '../../core/errors/app-error';
import type { Egress } from '../../infra/egress/egress';
import type { EgressRequest, EgressResponse } from '../../infra/egress/types';
import type { Asker } from '../runtime/source-client';
import type { Exchanged as ExchangeAnswer, Exchanger } from '../http/exchange';
import type { SecretSource } from '../../infra/secrets/secret-source';

/** One request that left, and what came back. */
export interface Exchanged {
  request: EgressRequest;
  response?: EgressResponse;
  /** Takes out what the call itself knows to be secret, such as tokens. */
  mask?: (text: string) => string;
  ms: number;
  /** Requests that left for it: a failure that may pass is repeated. */
  left: number;
}

/** Remembers what one call sent, what it got, and which secrets it used, without changing any of it. */
export class Recording {
  readonly exchanges: Exchanged[] = [];
  readonly secrets: string[] = [];
  /** Milliseconds of each statement that left for a database. */
  readonly statements: number[] = [];

  /** Requests to these addresses carry credentials alone: they are no part of what is shown. */
  constructor(private readonly hidden: readonly string[]) {}

  egress(inner: Egress): Egress {
    return {
      ...inner,
      fetch: async (request) => {
        const send = async (): Promise<Answered> => ({ response: await inner.fetch(request), attempts: 1 });
        return (await this.noted({ request, ms: 0, left: 0 }, send)).response;
      },
    };
  }

  exchanger(inner: Exchanger): Exchanger {
    return (exchange) => {
      const { request, mask } = exchange;
      const entry = { request, ms: 0, left: 0, ...(mask === undefined ? {} : { mask }) };
      return this.noted(entry, () => inner(exchange));
    };
  }

  asker(inner: Asker): Asker {
    return (ask, work, facts) => inner(ask, ask.outside === undefined ? work : () => this.timed(work), facts);
  }

  secretSource(inner: SecretSource): SecretSource {
    return {
      resolve: async (ownerId, name) => {
        const secret = await inner.resolve(ownerId, name);
        this.secrets.push(secret.value);
        return secret;
      },
    };
  }

  private async timed<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const began = performance.now();
    try {
      return await work();
    } finally {
      this.statements.push(Math.round(performance.now() - began));
    }
  }

  private async noted<Answer extends Answered>(entry: Exchanged, send: () => Promise<Answer>): Promise<Answer> {
    if (this.hidden.includes(entry.request.url.replace(/[?#].*$/s, ''))) return send();
    const began = performance.now();
    this.exchanges.push(entry);
    try {
      const answer = await send();
      entry.response = answer.response;
      entry.left = answer.attempts;
      return answer;
    } catch (error) {
      entry.left = leftBefore(error);
      throw error;
    } finally {
      entry.ms = Math.round(performance.now() - began);
    }
  }
}

type Answered = Pick<ExchangeAnswer, 'response' | 'attempts'>;

/** How many requests had left when it failed; a failure counts them where they were several. */
function leftBefore(error: unknown): number {
  if (!(error instanceof AppError)) return 1;
  const { attempts, not_sent: notSent } = error.details;
  if (typeof attempts === 'number') return attempts;
  return notSent === true ? 0 : 1;
}
