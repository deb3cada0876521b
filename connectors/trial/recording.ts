import { AppError } from '../../core/errors/app-error';
import type { ConnectorCall } from '../call/connector-call';
import type { EgressRequest, EgressResponse } from '../../infra/egress/types';
import type { SourceClient } from '../runtime/source-client';
import type { ExchangeResult, HttpTransport } from '../http/exchange';
import type { SecretSource } from '../../infra/secrets/secret-source';

/** One request that left, and what came back. */
export interface RecordedExchange {
  request: EgressRequest;
  response?: EgressResponse;
  /** Takes out what the call itself knows to be secret, such as tokens. */
  mask: (text: string) => string;
  ms: number;
  /** Requests that left for it: a failure that may pass is repeated. */
  left: number;
}

/** Remembers what one call sent, what it got, and which secrets it used, without changing any of it. */
export class Recording {
  readonly exchanges: RecordedExchange[] = [];
  readonly secrets: string[] = [];
  /** Milliseconds of each statement that left for a database. */
  readonly statements: number[] = [];

  /** Requests to these addresses carry credentials alone: they are no part of what is shown. */
  constructor(private readonly hidden: readonly string[]) {}

  /** The same call, with everything noted that it sends. */
  watched(call: ConnectorCall): ConnectorCall {
    return { ...call, http: this.transport(call.http), source: this.client(call.source) };
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

  private transport(inner: HttpTransport): HttpTransport {
    return (exchange) => {
      const { request, call } = exchange;
      return this.noted({ request, mask: call.mask.text, ms: 0, left: 0 }, () => inner(exchange));
    };
  }

  private client(inner: SourceClient): SourceClient {
    return (request, work, facts) =>
      inner(request, request.outside === undefined ? work : () => this.timed(work), facts);
  }

  private async timed<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const began = performance.now();
    try {
      return await work();
    } finally {
      this.statements.push(Math.round(performance.now() - began));
    }
  }

  private async noted(entry: RecordedExchange, send: () => Promise<ExchangeResult>): Promise<ExchangeResult> {
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

/** Number of requests that had been sent when the call failed; a failure counts them where they were several. */
function leftBefore(error: unknown): number {
  if (!(error instanceof AppError)) return 1;
  const { attempts, not_sent: notSent } = error.details;
  if (typeof attempts === 'number') return attempts;
  return notSent === true ? 0 : 1;
}
