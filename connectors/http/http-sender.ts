import type { CachePolicy, EndpointEffect, HttpConnection, RestEndpoint } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import { AccessTokens } from '../auth/access-tokens';
import { openCredential } from '../auth/credential';
import type { Credential } from '../auth/credential-types';
import type { HeldSecret } from '../auth/held-secret';
import { withHeader, type BuiltRequest, type SignedRequest } from './signed-request';
import type { Mask } from '../call/mask';
import { requireKnownOutcome, sendingFault } from './effect-outcome';
import { directExchanger, type Exchange, type Exchanged, type Exchanger } from './exchange';
import type { CallContext, RestDeps } from '../call/types';

/** What all requests of one call have in common. */
export interface HttpRoute {
  connector: { id: string; connection: HttpConnection };
  endpoint: string;
  effect: EndpointEffect;
  timeoutSeconds: number | undefined;
  cache: CachePolicy | undefined;
  context: CallContext;
  /** Learns every secret of the call. */
  mask: Mask;
  limited?: Exchange['limited'];
}

/** A call of an endpoint that says itself what it changes. */
interface EndpointUse {
  call: {
    name: string;
    endpoint: Pick<RestEndpoint, 'effect' | 'timeout_seconds' | 'cache'>;
    context: CallContext;
  };
  mask: Mask;
  limited?: Exchange['limited'];
}

/** Sends the requests of one call: signed, announced where they change something, within the step's time. */
export class HttpSender {
  private readonly exchange: Exchanger;
  private readonly deadline: number;
  private credential: Credential | undefined;
  private announced = false;

  private constructor(
    private readonly deps: RestDeps,
    private readonly route: HttpRoute,
  ) {
    this.exchange = deps.exchange ?? directExchanger(deps.egress);
    this.deadline = Date.now() + route.context.timeoutMs;
  }

  /** Throws what `openCredential` throws. */
  static async open(deps: RestDeps, route: HttpRoute): Promise<HttpSender> {
    const sender = new HttpSender(deps, route);
    sender.credential = await openCredential({
      auth: route.connector.connection.auth,
      ownerId: route.context.ownerId,
      secrets: deps.secrets,
      tokens: deps.tokens ?? new AccessTokens(),
      mask: route.mask,
      signal: route.context.signal,
      ask: (request, secret) => sender.askToken(request, secret),
    });
    return sender;
  }

  /** For an endpoint of an HTTP interface; `mask` learns its secrets. Throws as `open`. */
  static forEndpoint(deps: RestDeps, connector: HttpRoute['connector'], use: EndpointUse): Promise<HttpSender> {
    const { call, mask, limited } = use;
    const { effect, timeout_seconds: timeoutSeconds, cache } = call.endpoint;
    const { name: endpoint, context } = call;
    return HttpSender.open(deps, { connector, endpoint, effect, context, mask, timeoutSeconds, cache, limited });
  }

  /** The query parameter that carries the credential, if one does. */
  get secretParam(): string | undefined {
    return this.credential?.queryParam;
  }

  /** The answer, whatever its status. After a 401 a credential that can be renewed is, once. */
  async send(request: BuiltRequest, page?: number): Promise<Exchanged> {
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
    const { effect, context } = this.route;
    const signed =
      this.credential === undefined ? { ...request, secretHeaders: [] } : await this.credential.sign(request);
    return effect === 'none'
      ? signed
      : { ...signed, headers: withHeader(signed.headers, 'idempotency-key', context.effectKey) };
  }

  private async deliver(
    request: SignedRequest,
    use: { page: number | undefined; refreshable?: true },
  ): Promise<Exchanged> {
    const { effect, cache, connector, limited } = this.route;
    if (effect !== 'none') await this.announce(request);
    const exchange = this.exchangeOf(request, effect, this.credential);
    if (connector.connection.rate_limit !== undefined) exchange.rateLimit = connector.connection.rate_limit;
    if (cache !== undefined && effect === 'none') exchange.cache = cache;
    if (use.page !== undefined) exchange.page = use.page;
    if (use.refreshable === true) exchange.refreshable = true;
    if (limited !== undefined) exchange.limited = limited;
    try {
      const exchanged = await this.exchange(exchange);
      requireKnownOutcome(effect, exchanged.response);
      return exchanged;
    } catch (error) {
      throw sendingFault(effect, error);
    }
  }

  /** Commits the attempt before the first request with an effect leaves. `af_sum_up_calls` reads who was called off the target. */
  private async announce(request: SignedRequest): Promise<void> {
    const { effect, connector, endpoint, context } = this.route;
    if (effect === 'none' || this.announced) return;
    const description = `${connector.id}.${endpoint}: ${request.method} ${new URL(request.url).host}`;
    await context.beforeEffect({ description, effect });
    this.announced = true;
  }

  private exchangeOf(request: SignedRequest, effect: EndpointEffect, who: Sendable | undefined): Exchange {
    const { connector, endpoint, context, mask } = this.route;
    return {
      request: {
        ...request,
        ...(who === undefined ? {} : { secretHosts: who.allowedHosts }),
        signal: context.signal,
        timeoutMs: this.timeLeft(),
      },
      ownerId: context.ownerId,
      connector: { id: connector.id, versionId: context.versionId },
      endpoint,
      effect,
      ...(who === undefined ? {} : { credential: { name: who.name, version: who.version } }),
      mask: mask.text,
      signal: context.signal,
      deadline: this.deadline,
    };
  }

  /** A token may be asked for again at any time. The source's limits are not the token service's; nothing is kept of it. */
  private askToken(request: BuiltRequest, secret: HeldSecret): Promise<Exchanged> {
    const exchange = this.exchangeOf({ secretHeaders: [], ...request }, 'idempotent', secret);
    return this.exchange({ ...exchange, tokenRequest: true });
  }

  /** Throws `upstream_timeout` when the step's time is over. */
  private timeLeft(): number {
    const { connector, timeoutSeconds, endpoint } = this.route;
    const left = this.deadline - Date.now();
    if (left <= 0) {
      throw new AppError('upstream_timeout', `The time of the step was over before \`${endpoint}\` could be asked.`, {
        category: 'timeout',
        retryable: true,
        details: { not_sent: true },
      });
    }
    return Math.min((timeoutSeconds ?? connector.connection.timeout_seconds) * 1000, left);
  }
}

/** What a request needs to know of a secret that goes with it. */
type Sendable = Pick<Credential, 'name' | 'version' | 'allowedHosts'>;
