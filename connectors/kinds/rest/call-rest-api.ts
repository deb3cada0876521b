import type { Json, JsonObject } from '../../../core/base/json';
import { saysNull } from '../../../core/connector/null-meaning';
import type { Parameter, RestConnector, RestEndpoint } from '../../../core/connector/types';
import { Mask } from '../../call/mask';
import { nextUrl, originsOf } from '../../paging/next-url';
import type { Placed } from '../../paging/position';
import { readPages, type PageAnswer } from '../../paging/read-pages';
import { requirePagesThatRead } from '../../paging/reads-only';
import { factsOf, withObject } from '../../http/answer-facts';
import { mapPage } from '../../mapping/mapped-pages';
import { readingFault } from '../../http/effect-outcome';
import { buildRequest } from '../../http/build-request';
import { readAnswer } from '../../http/read-answer';
import { HttpSender } from '../../http/http-sender';
import { requireSuccess } from '../../http/answer-status';
import { boundValues, leftOut, type SaysNull } from '../../call/bound-values';
import type { Exchanged } from '../../http/exchange';
import type { CallContext, EndpointResult, RestDeps } from '../../call/types';

interface RestCall {
  name: string;
  endpoint: RestEndpoint;
  inputs: JsonObject;
  context: CallContext;
}

/** Calls one endpoint of a rest_api connector, page by page where it is paginated. */
export async function callRestApi(deps: RestDeps, definition: RestConnector, call: RestCall): Promise<EndpointResult> {
  const { endpoint, context, inputs } = call;
  requirePagesThatRead(`${definition.id}.${call.name}`, endpoint);
  const says: SaysNull = (parameter) => saysNull('rest_api', endpoint, parameter);
  const values = boundValues(endpoint.parameters, inputs, says);
  const mask = new Mask();
  const sender = await HttpSender.forEndpoint(deps, definition, { call, mask });
  const reading = new RestReading(deps, { definition, call, values, sender, mask });
  const result = await readPages({
    pagination: endpoint.pagination,
    inputs,
    resume: context.resume,
    read: (placed, page) => reading.page(placed, page),
    follow: (link) => reading.follow(link),
  });
  const unsaid = leftOut(endpoint.parameters, inputs, says);
  return withObject(endpoint, unsaid.length === 0 ? result : { ...result, left_out: unsaid });
}

interface Reading {
  definition: RestConnector;
  call: RestCall;
  values: Map<Parameter, Json>;
  sender: HttpSender;
  mask: Mask;
}

class RestReading {
  private from = '';

  constructor(
    private readonly deps: RestDeps,
    private readonly use: Reading,
  ) {}

  async page(placed: Placed, page?: number): Promise<PageAnswer> {
    const { definition, call, values, sender } = this.use;
    const request = buildRequest(definition.connection, call.endpoint, values, placed);
    const exchanged = await sender.send(request, page);
    this.from = exchanged.response.url;
    return this.answer(exchanged);
  }

  follow(link: string): string {
    const { definition, sender } = this.use;
    const addresses = Object.values(definition.endpoints).map((endpoint) => endpoint.base_url);
    const origins = originsOf([definition.connection.base_url, ...addresses]);
    return nextUrl(link, { from: this.from, origins, secretParam: sender.secretParam });
  }

  private async answer(exchanged: Exchanged): Promise<PageAnswer> {
    const { call, mask } = this.use;
    requireSuccess(exchanged.response, mask);
    try {
      return await this.read(exchanged);
    } catch (error) {
      throw readingFault(call.endpoint.effect, error);
    }
  }

  private async read(exchanged: Exchanged): Promise<PageAnswer> {
    const { response } = exchanged;
    const { call, mask } = this.use;
    const { endpoint, context } = call;
    const read = await readAnswer({ endpoint, response, mask, files: this.deps.files, signal: context.signal });
    await exchanged.readable?.(read.records.length);
    const mapped = mapPage(endpoint.response_mapping, read.records, read.look);
    return {
      data: read.data,
      records: read.records,
      mapped: { ...mapped, warnings: [...(read.warnings ?? []), ...mapped.warnings] },
      ...factsOf(exchanged, mask),
    };
  }
}
