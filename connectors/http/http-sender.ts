import type { EndpointEffect, HttpConnection, RestEndpoint } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import { openCredential } from '../auth/credential';
import type { Credential } from '../auth/credential-types';
import type { HeldSecret } from '../auth/held-secret';
import type { ConnectorCall } from '../call/connector-call';
import { requireKnownOutcome, sendingFault } from './effect-outcome';
import { exchangeOf, type Exchange, type ExchangeResult } from './exchange';
import { withHeader, type BuiltRequest, type SignedRequest } from './signed-request';

/** Options of all requests of one sender. */
export interface SenderOptions {
  connection: HttpConnection;
  endpoint: { effect: EndpointEffect } & Partial<Pick<RestEndpoint, 'timeout_seconds' | 'cache'>>;
  limited?: Exchange['limited'];
}

/** Sends the requests of one call: signed, announced where they change something, within the time of the call. */
export class HttpSender {
  private credential: Credential | undefined;
  private announced = false;

  private constructor(
    private readonly call: ConnectorCall,
    private readonly options: SenderOptions,
  ) {}

  /** Throws what `openCredential` throws. */
  static async open(call: ConnectorCall, options: SenderOptions): Promise<HttpSender> {
    const sender = new HttpSender(call, options);
    sender.credential = await openCredential({
      auth: options.connection.auth,
      call,
      fetchToken: (request, secret) => sender.fetchToken(request, secret),
    });
    return sender;
  }

  /** The query parameter that carries the credential, if one does. */
  get secretParam(): string | undefined {
    return this.credential?.queryParam;
  }

  get keyless(): boolean {
    return this.credential === undefined;
  }

  /** The answer, whatever its status. After a 401 a credential that can be renewed is, once. */
  async send(request: BuiltRequest, page?: number): Promise<ExchangeResult> {
    const signed = await this.signed(request);
    const renew = this.credential?.renew;
    if (renew === undefined) {
      return this.deliver(signed, { page });
    }
    const first = await this.deliver(signed, { page, refreshable: true });
    if (first.response.status !== 401) return first;
    await renew();
    return this.deliver(await this.signed(request), { page });
  }

  private async signed(request: BuiltRequest): Promise<SignedRequest> {
    const signed =
      this.credential === undefined ? { ...request, secretHeaders: [] } : await this.credential.sign(request);
    return this.options.endpoint.effect === 'none'
      ? signed
      : { ...signed, headers: withHeader(signed.headers, 'idempotency-key', this.call.effectKey) };
  }

  private async deliver(
    request: SignedRequest,
    { page, refreshable = false }: { page: number | undefined; refreshable?: boolean },
  ): Promise<ExchangeResult> {
    const { connection, endpoint, limited } = this.options;
    const { effect, cache } = endpoint;
    if (effect !== 'none') await this.announce(request, effect);
    const facts = { rateLimit: connection.rate_limit, page, refreshable, limited };
    const kept = effect === 'none' ? cache : undefined;
    try {
      const exchanged = await this.call.http({
        ...this.exchangeOf(request, effect, this.credential),
        ...facts,
        cache: kept,
      });
      requireKnownOutcome(effect, exchanged.response);
      return exchanged;
    } catch (error) {
      throw sendingFault(effect, error);
    }
  }

  /** Commits the attempt before the first request with an effect leaves. `af_sum_up_calls` reads who was called off the target. */
  private async announce(request: SignedRequest, effect: Exclude<EndpointEffect, 'none'>): Promise<void> {
    if (this.announced) return;
    const { connector, name } = this.call;
    const description = `${connector.id}.${name}: ${request.method} ${new URL(request.url).host}`;
    await this.call.beforeEffect({ description, effect });
    this.announced = true;
  }

  private exchangeOf(request: SignedRequest, effect: EndpointEffect, secret: SentSecret | undefined): Exchange {
    const timed = { ...request, timeoutMs: this.timeLeft() };
    if (secret === undefined) return exchangeOf(this.call, timed, { effect });
    const { name, version, allowedHosts: secretHosts } = secret;
    return exchangeOf(this.call, { ...timed, secretHosts }, { effect, credential: { name, version } });
  }

  /** A token may be requested again at any time. The source's limits do not apply to the token service; nothing of the answer is kept. */
  private fetchToken(request: BuiltRequest, secret: HeldSecret): Promise<ExchangeResult> {
    const exchange = this.exchangeOf({ secretHeaders: [], ...request }, 'idempotent', secret);
    return this.call.http({ ...exchange, tokenRequest: true });
  }

  /** Throws `upstream_timeout` when the time of the call is over. */
  private timeLeft(): number {
    const { call, options } = this;
    const left = call.deadline - Date.now();
    if (left <= 0) {
      throw new AppError('upstream_timeout', `The time of the step was over before \`${call.name}\` could be asked.`, {
        category: 'timeout',
        retryable: true,
        details: { not_sent: true },
      });
    }
    return Math.min((options.endpoint.timeout_seconds ?? options.connection.timeout_seconds) * 1000, left);
  }
}

/** Facts of a secret that is sent with a request. */
type SentSecret = Pick<Credential, 'name' | 'version' | 'allowedHosts'>;
