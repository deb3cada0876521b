import { shorten } from '../../core/base/shorten';
import type { Json, JsonObject } from '../../core/base/json';
import { textOf } from '../../core/connector/place-fault';
import type { HttpConnection, Parameter, ParameterPlace, RestEndpoint } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import { lowerNames, withHeader, type BuiltRequest } from './signed-request';
import { bodyOf } from './bodies/body-of';
import { formText, type Pair } from './bodies/form';
import { boundValues } from '../call/bound-values';
import { NO_PAGE_PARAMETERS, type PageParameters } from '../paging/position';

const ACCEPT = {
  json: 'application/json',
  xml: 'application/xml, text/xml;q=0.9',
  csv: 'text/csv, text/plain;q=0.9',
  text: 'text/plain, */*;q=0.8',
};

/** The request of one page from the values of the parameters; `placed`: what the page adds to it. */
export function buildRequest(
  connection: HttpConnection,
  endpoint: RestEndpoint,
  values: ReadonlyMap<Parameter, Json>,
  placed: PageParameters,
): BuiltRequest {
  const pairs = (place: ParameterPlace): Pair[] => pairsOf(values, placed, place);
  const own = pairs('header').map(([name, value]) => [name.toLowerCase(), textOf(value)]);
  const headers: Record<string, string> = {
    accept: ACCEPT[endpoint.response_format],
    ...lowerNames(connection.headers),
    ...Object.fromEntries(own),
  };
  const arrays = endpoint.array_format ?? 'repeat';
  const body = bodyOf(pairs('body'), endpoint.body_format, arrays);
  if (body !== undefined && (endpoint.method === 'GET' || endpoint.method === 'HEAD')) {
    throw new AppError(
      'invalid_request',
      `A ${endpoint.method} request carries no body. Declare its parameters with \`in: query\`.`,
      { category: 'validation' },
    );
  }
  return {
    method: endpoint.method,
    url: placed.url ?? withQuery(addressOf(connection, endpoint, pairs('path')), formText(pairs('query'), arrays)),
    headers: body === undefined ? headers : withHeader(headers, 'content-type', body.type),
    ...(body === undefined ? {} : { body: body.body }),
  };
}

/** Request that reads an address: a page of a site, a feed. */
export interface ReadAddress {
  base_url?: string;
  path: string;
  parameters: Parameter[];
}

/** The request that reads it. Throws `invalid_input` with every input that does not fit. */
export function readingRequest(
  connection: HttpConnection,
  { base_url: baseUrl, path, parameters }: ReadAddress,
  { inputs, accept }: { inputs: JsonObject; accept: string },
): BuiltRequest {
  const endpoint: RestEndpoint = {
    ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
    path,
    parameters,
    method: 'GET',
    body_format: 'json',
    response_format: 'text',
    effect: 'none',
  };
  const request = buildRequest(connection, endpoint, boundValues(parameters, inputs), NO_PAGE_PARAMETERS);
  return { ...request, headers: withHeader(request.headers, 'accept', accept) };
}

/** A page's own value takes the place of a parameter of that name. */
function pairsOf(values: ReadonlyMap<Parameter, Json>, placed: PageParameters, place: ParameterPlace): Pair[] {
  const extra: Pair[] = placed.in === place ? placed.values : [];
  const own = [...values]
    .filter(([parameter]) => parameter.in === place && !extra.some(([name]) => name === parameter.name))
    .map(([parameter, value]): Pair => [parameter.name, value]);
  return [...own, ...extra];
}

function addressOf(connection: HttpConnection, endpoint: RestEndpoint, inPath: readonly Pair[]): string {
  const segments = new Map(inPath.map(([name, value]) => [name, encodeURIComponent(textOf(value))]));
  const path = endpoint.path.replace(/\{([^{}]*)\}/g, (whole, name: string) => segments.get(name) ?? whole);
  return `${endpoint.base_url ?? connection.base_url}${path}`;
}

/** An address that no request can go to may stand in what an earlier version has saved. */
function withQuery(address: string, query: string): string {
  const url = URL.parse(query === '' ? address : `${address}?${query}`);
  if (url === null) {
    throw new AppError(
      'invalid_address',
      `The connector's address \`${shorten(address, 200)}\` cannot be called. Correct it and save the connector again.`,
      { category: 'validation' },
    );
  }
  return url.href;
}
