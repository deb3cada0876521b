import type { Json, JsonObject } from '../../../core/base/json';
import { isJsonObject, ownField } from '../../../core/base/json';
import { safeRecord } from '../../../core/connector/fields';
import type {
  EndpointEffect,
  GraphqlConnector,
  GraphqlEndpoint,
  HttpConnection,
  Parameter,
} from '../../../core/connector/types';
import { AppError } from '../../../core/errors/app-error';
import type { EgressResponse } from '../../../infra/egress/types';
import { lowerNames, type BuiltRequest } from '../../http/signed-request';
import { charsetOf, readJson } from '../../http/bodies/read-json';
import { FileFault } from '../../formats/file-fault';
import { graphqlFailure, refusalOf, shownErrors } from './graphql-errors';
import { limitIn } from './graphql-limits';
import type { Mask } from '../../../infra/secrets/mask';
import { nextUrl, originsOf } from '../../paging/next-url';
import type { PageParameters } from '../../paging/position';
import { readPages, type PageAnswer } from '../../paging/read-pages';
import { requirePagesThatRead } from '../../paging/reads-only';
import { answerFacts, withObject } from '../../http/answer-facts';
import { mapPage, readPath } from '../../mapping/mapped-pages';
import { readingFault } from '../../http/effect-outcome';
import { badResponse, recordsAt, resultsPathOf } from '../../http/read-answer';
import { HttpSender } from '../../http/http-sender';
import { requireSuccess } from '../../http/answer-status';
import { boundValues } from '../../call/bound-values';
import { reportRefusal, type ExchangeResult } from '../../http/exchange';
import type { ConnectorCall, EndpointResult } from '../../call/connector-call';

/** Calls one operation of a graphql connector. Inputs travel as variables; the operation's text is never changed. */
export async function callGraphql(call: ConnectorCall<GraphqlConnector>): Promise<EndpointResult> {
  const { connector, endpoint, inputs, resume, mask } = call;
  const { connection } = connector;
  requirePagesThatRead(`${connector.id}.${call.name}`, endpoint);
  const values = boundValues(endpoint.parameters, inputs, () => true);
  const limited = (response: EgressResponse): { waitMs?: number } | undefined => limitIn(response, endpoint);
  const sender = await HttpSender.open(call, { connection, endpoint, limited });
  const { base_url } = connection;
  const result = await readPages({
    pagination: endpoint.pagination,
    inputs,
    resume,
    read: async (placed, page) => {
      const request = operationRequest(connection, endpoint, values, placed);
      return await answerOf(endpoint, await sender.send(request, page), mask);
    },
    follow: (link) =>
      nextUrl(link, { from: base_url, origins: originsOf([base_url]), secretParam: sender.secretParam }),
  });
  return withObject(endpoint, result);
}

/** GraphQL over HTTP: one POST with the operation and its variables. */
function operationRequest(
  connection: HttpConnection,
  endpoint: GraphqlEndpoint,
  values: ReadonlyMap<Parameter, Json>,
  placed: PageParameters,
): BuiltRequest {
  const variables = safeRecord<Json>([
    ...[...values].map(([parameter, value]): [string, Json] => [parameter.name, value]),
    ...placed.values,
  ]);
  return {
    method: 'POST',
    url: connection.base_url,
    headers: {
      accept: 'application/graphql-response+json, application/json;q=0.9',
      ...lowerNames(connection.headers),
      'content-type': 'application/json',
    },
    body: JSON.stringify({ query: endpoint.query, variables }),
  };
}

async function answerOf(endpoint: GraphqlEndpoint, exchanged: ExchangeResult, mask: Mask): Promise<PageAnswer> {
  const { response } = exchanged;
  const { effect } = endpoint;
  await reportRefusal(exchanged, () => requireAccepted(response, mask), refusalOf);
  const answer = understood(effect, () => readObject(response, mask));
  const errors = shownErrors(ownField(answer, 'errors'));
  if (errors.length > 0 && !isThere(ownField(answer, 'data'))) {
    const failure = graphqlFailure(response, errors, effect);
    const refuse = (): never => {
      throw failure;
    };
    await reportRefusal(exchanged, refuse, refusalOf);
  }
  const page = understood(effect, () => pageOf(endpoint, exchanged, { answer, errors, mask }));
  // Half an answer is taken where the author wants it, and not kept for others.
  if (errors.length === 0) await exchanged.readable(page.records.length);
  return page;
}

interface Read {
  answer: JsonObject;
  errors: JsonObject[];
  mask: Mask;
}

function pageOf(endpoint: GraphqlEndpoint, exchanged: ExchangeResult, { answer, errors, mask }: Read): PageAnswer {
  const { response } = exchanged;
  const path = resultsPathOf(endpoint);
  const hasResults = path === undefined || isThere(readPath(answer, path));
  if (errors.length > 0 && (!hasResults || endpoint.partial_data === 'refuse')) {
    throw graphqlFailure(response, errors, endpoint.effect);
  }
  const records = recordsAt(answer, { path: path ?? 'data', mapping: endpoint.response_mapping }, { response, mask });
  const facts = answerFacts(exchanged, mask);
  return {
    data: answer,
    records,
    mapped: mapPage(endpoint.response_mapping, records, 'dot'),
    ...facts,
    notes: errors.length === 0 ? facts.notes : { ...facts.notes, errors },
  };
}

/** An accepted operation may have been carried out, whatever its answer looks like. */
function understood<T>(effect: EndpointEffect, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw readingFault(effect, error);
  }
}

/** Servers refuse an operation with 400 or 422, and say in the body why (GraphQL over HTTP). */
function requireAccepted(response: EgressResponse, mask: Mask): void {
  const errors = response.status === 400 || response.status === 422 ? refusals(response, mask) : [];
  if (errors.length > 0) {
    throw graphqlFailure(response, errors);
  }
  requireSuccess(response, mask);
}

function refusals(response: EgressResponse, mask: Mask): JsonObject[] {
  try {
    return shownErrors(ownField(readObject(response, mask), 'errors'));
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

/** `{data, errors}` without secrets. Throws `bad_response`. */
function readObject(response: EgressResponse, mask: Mask): JsonObject {
  try {
    const { data, text } = readJson(response.body, charsetOf(response.headers));
    const clean = mask.parsed(data, text);
    if (isJsonObject(clean)) return clean;
  } catch (error) {
    throw error instanceof FileFault ? badResponse({ response, mask }, error.message, error.place) : error;
  }
  throw badResponse({ response, mask }, 'it is no object with `data` or `errors`');
}

function isThere(value: Json | undefined): boolean {
  return value !== undefined && value !== null;
}
