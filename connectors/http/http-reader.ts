import type { JsonObject } from '../../core/base/json';
import type { CachePolicy, HttpConnection, Parameter, RestEndpoint } from '../../core/connector/types';
import { withHeader, type BuiltRequest } from './signed-request';
import { Mask } from '../call/mask';
import { NOTHING_PLACED } from '../paging/position';
import { buildRequest } from './build-request';
import { HttpSender } from './http-sender';
import { boundValues } from '../call/bound-values';
import { directExchanger, type Exchange, type Exchanged, type Exchanger } from './exchange';
import type { CallContext, RestDeps } from '../call/types';

/** What an address is read with: a page of a site, a feed. */
export interface ReaderRoute {
  connector: { id: string; connection: HttpConnection };
  endpoint: string;
  context: CallContext;
  accept: string;
  timeoutSeconds: number | undefined;
  cache: CachePolicy | undefined;
}

/** What only reads: GET requests of one call, with the source's credential where it has one, within the step's time. */
export class HttpReader {
  readonly exchange: Exchanger;
  private readonly deadline: number;

  private constructor(
    deps: RestDeps,
    private readonly route: ReaderRoute,
    private readonly sender: HttpSender,
    /** Takes the credential out of what comes back. */
    readonly mask: Mask,
  ) {
    this.deadline = Date.now() + route.context.timeoutMs;
    this.exchange = deps.exchange ?? directExchanger(deps.egress);
  }

  static async open(deps: RestDeps, route: ReaderRoute): Promise<HttpReader> {
    const mask = new Mask();
    const sender = await HttpSender.open(deps, { ...route, effect: 'none', mask });
    return new HttpReader(deps, route, sender, mask);
  }

  get keyless(): boolean {
    return this.route.connector.connection.auth.type === 'none';
  }

  /** Who asks, for requests that carry no credential. */
  get asker(): Pick<Exchange, 'ownerId' | 'connector' | 'endpoint' | 'signal' | 'deadline'> {
    const { connector, endpoint, context } = this.route;
    return {
      ownerId: context.ownerId,
      connector: { id: connector.id, versionId: context.versionId },
      endpoint,
      signal: context.signal,
      deadline: this.deadline,
    };
  }

  /** Throws `invalid_input` with every input that does not fit. */
  request(endpoint: { base_url?: string; path: string; parameters: Parameter[] }, inputs: JsonObject): BuiltRequest {
    const { base_url: baseUrl, path, parameters } = endpoint;
    const asRest: RestEndpoint = {
      ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
      path,
      parameters,
      method: 'GET',
      body_format: 'json',
      response_format: 'text',
      effect: 'none',
    };
    const values = boundValues(parameters, inputs);
    const request = buildRequest(this.route.connector.connection, asRest, values, NOTHING_PLACED);
    return { ...request, headers: withHeader(request.headers, 'accept', this.route.accept) };
  }

  /** What the source gave as an address, without the credential that it may have put there: signing puts it back. */
  bare(address: string): string {
    const { secretParam } = this.sender;
    const url = URL.parse(address);
    if (url === null || secretParam === undefined || !url.searchParams.has(secretParam)) {
      return address;
    }
    url.searchParams.delete(secretParam);
    return url.href;
  }

  /** The answer, whatever its status. */
  send(request: BuiltRequest, page?: number): Promise<Exchanged> {
    return this.sender.send(request, page);
  }
}
