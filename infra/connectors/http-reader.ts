import type { JsonObject } from '../../core/base/json';
import type { CachePolicy, HttpConnection, Parameter, RestEndpoint } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import { Mask } from './mask';
import { buildRequest } from './rest-request';
import type { BuiltRequest } from './rest-request';
import { directExchanger } from './runtime/exchange';
import type { Exchange, Exchanged, Exchanger } from './runtime/exchange';
import type { CallContext, ResolvedSecret, RestDeps } from './types';

/** What an address is read with: a page of a site, a feed. */
export interface ReaderRoute {
  connector: { id: string; connection: HttpConnection };
  endpoint: string;
  context: CallContext;
  accept: string;
  timeoutSeconds?: number;
  cache?: CachePolicy;
}

/** What only reads: GET requests of one call, with the source's credential where it has one, within the step's time. */
export class HttpReader {
  readonly deadline: number;
  readonly exchange: Exchanger;
  /** Takes the credential out of what comes back. */
  readonly mask: Mask;

  private constructor(
    deps: RestDeps,
    private readonly route: ReaderRoute,
    private readonly secret: ResolvedSecret | undefined,
  ) {
    this.deadline = Date.now() + route.context.timeoutMs;
    this.mask = new Mask(secret === undefined ? [] : [secret.value]);
    this.exchange = deps.exchange ?? directExchanger(deps.egress);
  }

  static async open(deps: RestDeps, route: ReaderRoute): Promise<HttpReader> {
    const { auth } = route.connector.connection;
    if (auth.type !== 'none' && auth.type !== 'api_key' && auth.type !== 'bearer_token') {
      throw new AppError('not_available', `\`${auth.type}\` cannot be used here in this version.`, {
        category: 'bad_request',
      });
    }
    const secret =
      auth.type === 'none' ? undefined : await deps.secrets.resolve(route.context.ownerId, auth.secret.secret);
    return new HttpReader(deps, route, secret);
  }

  get keyless(): boolean {
    return this.secret === undefined;
  }

  /** Who asks, for the runtime. */
  get asker(): Pick<Exchange, 'ownerId' | 'connector' | 'endpoint' | 'signal' | 'deadline'> {
    const { connector, endpoint, context } = this.route;
    return {
      ownerId: context.ownerId,
      connector: { id: connector.id, ...(context.versionId === undefined ? {} : { versionId: context.versionId }) },
      endpoint,
      signal: context.signal,
      deadline: this.deadline,
    };
  }

  /** Throws `invalid_input` with every input that does not fit. */
  request(endpoint: { base_url?: string; path: string; parameters: Parameter[] }, inputs: JsonObject): BuiltRequest {
    const asRest: RestEndpoint = {
      ...endpoint,
      method: 'GET',
      body_format: 'json',
      response_format: 'text',
      effect: 'none',
    };
    const request = buildRequest(this.route.connector.connection, asRest, inputs, this.secret?.value);
    return { ...request, headers: { ...request.headers, accept: this.route.accept } };
  }

  /** The answer, whatever its status. */
  async send(request: BuiltRequest, page?: number): Promise<Exchanged> {
    const { connection } = this.route.connector;
    const own = (this.route.timeoutSeconds ?? connection.timeout_seconds) * 1000;
    const { auth } = connection;
    return this.exchange({
      ...this.asker,
      request: {
        ...request,
        ...(this.secret === undefined ? {} : { secretHosts: this.secret.allowedHosts }),
        signal: this.route.context.signal,
        timeoutMs: Math.max(1, Math.min(own, this.deadline - Date.now())),
      },
      effect: 'none',
      ...(this.secret === undefined || !('secret' in auth)
        ? {}
        : { credential: { name: auth.secret.secret, version: this.secret.version ?? '' } }),
      ...(connection.rate_limit === undefined ? {} : { rateLimit: connection.rate_limit }),
      ...(this.route.cache === undefined ? {} : { cache: this.route.cache }),
      ...(page === undefined ? {} : { page }),
    });
  }
}
