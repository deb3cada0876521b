import { canSendNull } from '../../../core/connector/null-meaning';
import type { Json } from '../../../core/base/json';
import type { Parameter, RestConnector } from '../../../core/connector/types';
import { boundValues, droppedNulls, type CanSendNull } from '../../call/bound-values';
import type { ConnectorCall, EndpointResult } from '../../call/connector-call';
import { answerFacts, withObject } from '../../http/answer-facts';
import { requireSuccess } from '../../http/answer-status';
import { buildRequest } from '../../http/build-request';
import { readingFault } from '../../http/effect-outcome';
import type { ExchangeResult } from '../../http/exchange';
import { HttpSender } from '../../http/http-sender';
import { readAnswer } from '../../http/read-answer';
import { mapPage } from '../../mapping/mapped-pages';
import { nextUrl, originsOf } from '../../paging/next-url';
import type { PageParameters } from '../../paging/position';
import { readPages, type PageAnswer } from '../../paging/read-pages';
import { requirePagesThatRead } from '../../paging/reads-only';

type RestCall = ConnectorCall<RestConnector>;

/** Calls one endpoint of a rest_api connector, page by page where it is paginated. */
export async function callRestApi(call: RestCall): Promise<EndpointResult> {
  const { connector, endpoint, inputs, resume } = call;
  const { pagination } = endpoint;
  requirePagesThatRead(`${connector.id}.${call.name}`, endpoint);
  const sendsNull: CanSendNull = (parameter) => canSendNull('rest_api', endpoint, parameter);
  const values = boundValues(endpoint.parameters, inputs, sendsNull);
  const sender = await HttpSender.open(call, { connection: connector.connection, endpoint });
  const pages = new RestPages(call, values, sender);
  const result = await readPages({
    pagination,
    inputs,
    resume,
    read: (placed, page) => pages.read(placed, page),
    follow: (link) => pages.follow(link),
  });
  const unsaid = droppedNulls(endpoint.parameters, inputs, sendsNull);
  return withObject(endpoint, unsaid.length === 0 ? result : { ...result, left_out: unsaid });
}

class RestPages {
  private from = '';

  constructor(
    private readonly call: RestCall,
    private readonly values: Map<Parameter, Json>,
    private readonly sender: HttpSender,
  ) {}

  async read(placed: PageParameters, page?: number): Promise<PageAnswer> {
    const { connector, endpoint, mask } = this.call;
    const request = buildRequest(connector.connection, endpoint, this.values, placed);
    const exchanged = await this.sender.send(request, page);
    this.from = exchanged.response.url;
    requireSuccess(exchanged.response, mask);
    try {
      return await this.mapped(exchanged);
    } catch (error) {
      throw readingFault(endpoint.effect, error);
    }
  }

  follow(link: string): string {
    const { connector } = this.call;
    const addresses = Object.values(connector.endpoints).map((endpoint) => endpoint.base_url);
    const origins = originsOf([connector.connection.base_url, ...addresses]);
    return nextUrl(link, { from: this.from, origins, secretParam: this.sender.secretParam });
  }

  private async mapped(exchanged: ExchangeResult): Promise<PageAnswer> {
    const { endpoint, mask, signal, services } = this.call;
    const { response } = exchanged;
    const read = await readAnswer({ endpoint, response, mask, files: services.files, signal });
    await exchanged.readable(read.records.length);
    const mapped = mapPage(endpoint.response_mapping, read.records, read.look);
    return {
      data: read.data,
      records: read.records,
      mapped: { ...mapped, warnings: [...(read.warnings ?? []), ...mapped.warnings] },
      ...answerFacts(exchanged, mask),
    };
  }
}
