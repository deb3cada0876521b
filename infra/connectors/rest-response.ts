import { assertNever } from '../../core/base/assert-never';
import type { Json, JsonObject } from '../../core/base/json';
import { isJsonObject } from '../../core/base/json';
import { applyMapping, type MappedRecords, type MappingLook } from '../../core/connector/apply-mapping';
import { exceedsJsonDepth, MAX_DATA_DEPTH } from '../../core/base/json-depth';
import { pathOf } from '../../core/connector/field-rule';
import { parseDotPath, readDotPath } from '../../core/connector/path';
import type { FileEndpoint, FileField, ResponseMapping, RestEndpoint } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import type { EgressResponse } from '../egress/types';
import { decodeText } from './files/decode';
import { FileFault } from './files/file-fault';
import type { Mask } from './mask';
import { mappingRemarks } from './mapping-remarks';
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
  const mappedRecords = await recordsOf(answer);
  const { records } = mappedRecords;
  const result: EndpointResult = {
    results: records,
    count: records.length,
    status: answer.response.status,
    ...mappingRemarks(mappedRecords),
  };
  const first = records[0];
  if (answer.endpoint.output_schema?.type === 'object' && records.length === 1 && isJsonObject(first)) {
    return { ...first, ...result };
  }
  return result;
}

async function recordsOf(answer: Answer): Promise<MappedRecords> {
  const { endpoint, response, mask } = answer;
  if (endpoint.method === 'HEAD' || response.body.byteLength === 0) {
    return unmapped(emptyAnswer(answer));
  }
  try {
    switch (endpoint.response_format) {
      case 'json':
        return mapped(mask.json(parseJson(response)), answer, 'dot');
      case 'csv':
        return mapped(mask.json((await tableOf(answer, CSV)).records), answer, 'name');
      case 'xml':
        return await xmlRecords(answer);
      case 'text':
        return unmapped([{ text: mask.text(decodeText(response.body, charsetOf(response))) }]);
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

function unmapped(records: Json[]): MappedRecords {
  return applyMapping(undefined, records);
}

function mapped(data: Json, answer: Answer, look: MappingLook): MappedRecords {
  const mapping = answer.endpoint.response_mapping;
  const path = mapping?.results_path;
  const found = path === undefined ? data : read(data, path);
  if (found === undefined || found === null) {
    throw badResponse(answer, `the answer has no \`${path ?? ''}\``);
  }
  return applyMapping(mapping, Array.isArray(found) ? found : [found], look);
}

/** The reader has put what the XPaths found under the names of the output fields. */
async function xmlRecords(answer: Answer): Promise<MappedRecords> {
  const mapping = answer.endpoint.response_mapping;
  const { records } = await tableOf(answer, xmlEndpoint(mapping));
  return applyMapping(mapping, answer.mask.json(records) as Json[], 'field');
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
  const named = Object.entries(mapping?.fields ?? {})
    .filter(([, rule]) => pathOf(rule) !== '')
    .map(([field, rule]): FileField => ({ field, paths: [pathOf(rule)], type: 'string' }));
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
