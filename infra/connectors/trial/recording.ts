import type { Egress } from '../../egress/egress';
import type { EgressRequest, EgressResponse } from '../../egress/types';
import type { Exchanger } from '../runtime/exchange';
import type { SecretSource } from '../types';

/** One request that left, and what came back. */
export interface Exchanged {
  request: EgressRequest;
  response?: EgressResponse;
  ms: number;
}

/** Remembers what one call sent, what it got, and which secrets it used, without changing any of it. */
export class Recording {
  readonly exchanges: Exchanged[] = [];
  readonly secrets: string[] = [];

  /** Requests to these addresses carry credentials alone: they are no part of what is shown. */
  constructor(private readonly hidden: readonly string[]) {}

  egress(inner: Egress): Egress {
    return {
      ...inner,
      fetch: (request) =>
        this.noted(
          request,
          () => inner.fetch(request),
          (response) => response,
        ),
    };
  }

  exchanger(inner: Exchanger): Exchanger {
    return (exchange) =>
      this.noted(
        exchange.request,
        () => inner(exchange),
        ({ response }) => response,
      );
  }

  secretSource(inner: SecretSource): SecretSource {
    return {
      ...inner,
      resolve: async (ownerId, name) => {
        const secret = await inner.resolve(ownerId, name);
        this.secrets.push(secret.value);
        return secret;
      },
    };
  }

  private async noted<Answer>(
    request: EgressRequest,
    send: () => Promise<Answer>,
    responseOf: (answer: Answer) => EgressResponse,
  ): Promise<Answer> {
    if (this.hidden.some((address) => request.url.startsWith(address))) return send();
    const began = performance.now();
    const entry: Exchanged = { request, ms: 0 };
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
