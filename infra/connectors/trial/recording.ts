import type { Egress } from '../../egress/egress';
import type { EgressRequest, EgressResponse } from '../../egress/types';
import type { Asker } from '../runtime/ask';
import type { Exchanger } from '../runtime/exchange';
import type { SecretSource } from '../types';

/** One request that left, and what came back. */
export interface Exchanged {
  request: EgressRequest;
  response?: EgressResponse;
  /** Takes out what the call itself knows to be secret, such as tokens. */
  mask?: (text: string) => string;
  ms: number;
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
      fetch: (request) => this.noted({ request, ms: 0 }, () => inner.fetch(request), itself),
    };
  }

  exchanger(inner: Exchanger): Exchanger {
    return (exchange) => {
      const { request, mask } = exchange;
      const entry = { request, ms: 0, ...(mask === undefined ? {} : { mask }) };
      return this.noted(
        entry,
        () => inner(exchange),
        ({ response }) => response,
      );
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

  private async noted<Answer>(
    entry: Exchanged,
    send: () => Promise<Answer>,
    responseOf: (answer: Answer) => EgressResponse,
  ): Promise<Answer> {
    if (this.hidden.includes(entry.request.url.replace(/[?#].*$/s, ''))) return send();
    const began = performance.now();
    this.exchanges.push(entry);
    try {
      const answer = await send();
      entry.response = responseOf(answer);
      return answer;
    } finally {
      entry.ms = Math.round(performance.now() - began);
    }
  }
}

const itself = (response: EgressResponse): EgressResponse => response;
