import { assertNever } from '../../core/base/assert-never';
import type { Json, JsonObject } from '../../core/base/json';
import { isJsonObject } from '../../core/base/json';
import { exceedsJsonDepth, MAX_DATA_DEPTH } from '../../core/base/json-depth';
import { pathOf } from '../../core/connector/field-rule';
import { parseDotPath, readDotPath } from '../../core/connector/path';
import type { FileEndpoint, FileField, ResponseMapping, RestEndpoint } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import type { EgressResponse } from '../egress/types';
import { decodeText } from './files/decode';
import { FileFault } from './files/file-fault';
import type { Mask } from './mask';
import { excerptOf } from './rest-status';
import type { EndpointResult, FileParserHost } from './types';

interface Answer {
  endpoint: RestEndpoint;
  response: EgressResponse;
  mask: Mask;
  files: FileParserHost;
  signal: AbortSignal;
}

/** Records of an answer. An answer that cannot be read is `bad_response` with an excerpt, never an empty result. */
export async function resultOf(answer: Answer): Promise<EndpointResult> {
  const records = await recordsOf(answer);
  const result: EndpointResult = { results: records, count: records.length, status: answer.response.status };
  const first = records[0];
  if (answer.endpoint.output_schema?.type === 'object' && records.length === 1 && isJsonObject(first)) {
    return { ...first, ...result };
  }
  return result;
}

async function recordsOf(answer: Answer): Promise<Json[]> {
  const { endpoint, response, mask } = answer;
  if (endpoint.method === 'HEAD' || response.body.byteLength === 0) {
    return emptyAnswer(answer);
  }
  try {
    switch (endpoint.response_format) {
      case 'json':
        return mapped(endpoint.response_mapping, mask.json(parseJson(response)), answer);
      case 'csv':
        return mapped(endpoint.response_mapping, mask.json((await tableOf(answer, CSV)).records), answer);
      case 'xml':
        return mask.json((await tableOf(answer, xmlEndpoint(endpoint.response_mapping))).records) as Json[];
      case 'text':
        return [{ text: mask.text(decodeText(response.body, charsetOf(response))) }];
      default:
        return assertNever(endpoint.response_format);
    }
  } catch (error) {
    if (error instanceof FileFault) {
      throw badResponse(answer, error.message, error.place);
    }
    throw error;
  }
}

/** A source may say with 204 that there is nothing; an empty 200 where data was expected is no data. */
function emptyAnswer(answer: Answer): Json[] {
  const { endpoint, response } = answer;
  if (
    endpoint.method === 'HEAD' ||
    response.status === 204 ||
    response.status === 205 ||
    endpoint.effect !== 'none' ||
    endpoint.response_format === 'text'
  ) {
    return [];
  }
  throw badResponse(answer, 'the answer is empty');
}

function parseJson(response: EgressResponse): Json {
  const text = decodeText(response.body, charsetOf(response));
  let data: Json;
  try {
    data = parseFinite(text);
  } catch (error) {
    throw new FileFault('malformed_json', error instanceof Error ? error.message : String(error));
  }
  if (exceedsJsonDepth(data))
    throw new FileFault('malformed_json', `it is nested deeper than ${MAX_DATA_DEPTH} levels`);
  return data;
}

/** A number that JavaScript reads as infinite would be recorded as null: the only texts that can hold one are read with care. */
function parseFinite(text: string): Json {
  if (!/\d[eE]\+?\d{3}|\d{309}/.test(text)) return JSON.parse(text) as Json;
  return JSON.parse(text, (_key, value: Json) => {
    if (value === Infinity || value === -Infinity) throw new Error('it holds a number beyond 1.8e308');
    return value;
  }) as Json;
}

function charsetOf(response: EgressResponse): string {
  return (
    /charset\s*=\s*"?([A-Za-z0-9._-]+)/i.exec(response.headers['content-type'] ?? '')?.[1]?.toLowerCase() ?? 'auto'
  );
}

function mapped(mapping: ResponseMapping | undefined, data: Json, answer: Answer): Json[] {
  const path = mapping?.results_path;
  const found = path === undefined ? data : read(data, path);
  if (found === undefined || found === null) {
    throw badResponse(answer, `the answer has no \`${path ?? ''}\``);
  }
  const items = Array.isArray(found) ? found : [found];
  const fields = Object.entries(mapping?.fields ?? {});
  if (fields.length === 0) {
    return items;
  }
  return items.map((item) => Object.fromEntries(fields.map(([name, source]) => [name, read(item, pathOf(source)) ?? null])));
}

function read(value: Json, path: string): Json | undefined {
  const segments = parseDotPath(path);
  return segments === undefined ? undefined : readDotPath(value, segments);
}

async function tableOf(answer: Answer, endpoint: FileEndpoint): Promise<{ records: JsonObject[] }> {
  const encoding = charsetOf(answer.response);
  return answer.files.parse({ endpoint: { ...endpoint, encoding }, bytes: answer.response.body }, answer.signal);
}

const CSV: FileEndpoint = { parser: 'csv', fields: [], groups: {}, delimiter: ',', encoding: 'auto', header: true };

/** An XML answer is read like an XML file: `results_path` and the fields are XPaths. */
function xmlEndpoint(mapping: ResponseMapping | undefined): FileEndpoint {
  const named = Object.entries(mapping?.fields ?? {}).map(([field, path]): FileField => ({
    field,
    paths: [pathOf(path)],
    type: 'string',
  }));
  const fields: FileField[] = named.length > 0 ? named : [{ field: 'text', paths: ['.'], type: 'string' }];
  return {
    ...CSV,
    parser: 'xml',
    fields,
    ...(mapping?.results_path === undefined ? {} : { list_element: [mapping.results_path] }),
  };
}

function badResponse(answer: Answer, reason: string, place: { line?: number; column?: number } = {}): AppError {
  const host = new URL(answer.response.url).host;
  return new AppError(
    'bad_response',
    `The answer of ${host} cannot be used: ${answer.mask.text(reason).slice(0, 300)}.`,
    {
      category: 'upstream',
      details: { status: answer.response.status, ...place, excerpt: excerptOf(answer.response, answer.mask) },
    },
  );
}
