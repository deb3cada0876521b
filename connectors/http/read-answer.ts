import { shorten } from '../../core/base/shorten';
import { assertNever } from '../../core/base/assert-never';
import { ownField, type Json, type JsonObject } from '../../core/base/json';
import { pathOf } from '../../core/connector/field-rule';
import { safeRecord } from '../../core/connector/fields';
import type { FileEndpoint, FileField, ResponseMapping, RestEndpoint } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import type { EgressResponse } from '../../infra/egress/types';
import { charsetOf, readJson } from './bodies/read-json';
import { decodeText, actualEncoding } from '../formats/text/decode';
import { FileFault } from '../formats/file-fault';
import type { ParsedFile } from '../formats/parsed-file';
import type { Mask } from '../../infra/secrets/mask';
import type { PathLookup } from '../../core/connector/apply-mapping';
import { readPath } from '../mapping/mapped-pages';
import { isUnexpectedAnswer } from '../mapping/unexpected-answer';
import { pathsText, unexpectedAnswer, expectedFields, type ExpectedField } from '../mapping/expected-fields';
import { excerptOf } from './answer-status';
import type { FileParserHost } from '../formats/host/file-parser-host';
import { sentence } from '../../core/base/sentence';

export interface Answer {
  endpoint: RestEndpoint;
  response: EgressResponse;
  mask: Mask;
  files: FileParserHost;
  signal: AbortSignal;
}

/** Content of an answer, without secrets. */
export interface ReadAnswer {
  /** The whole of it, where it is JSON. */
  data: Json | undefined;
  records: Json[];
  /** Place of a field for the mapping: at its path, or under its own name already. */
  look: PathLookup;
  /** Faults of the answer as a file. */
  warnings?: JsonObject[];
}

/** Records of an answer. One that cannot be read is `bad_response` with an excerpt, never an empty result. */
export async function readAnswer(answer: Answer): Promise<ReadAnswer> {
  const { endpoint, response, mask } = answer;
  if (endpoint.method === 'HEAD' || isBlank(response.body)) {
    return emptyAnswer(answer);
  }
  try {
    switch (endpoint.response_format) {
      case 'json':
        return jsonAnswer(answer);
      case 'csv':
        return await csvAnswer(answer);
      case 'xml': {
        const { records } = await tableOf(answer, xmlEndpoint(endpoint));
        requireOwnDocument(answer, records);
        return { ...answerWith(undefined, mask.json(records)), look: 'field' };
      }
      case 'text':
        return answerWith(undefined, [{ text: mask.text(decodeText(response.body, encodingOf(answer))) }]);
      default:
        return assertNever(endpoint.response_format);
    }
  } catch (error) {
    throw error instanceof FileFault
      ? badResponse(answer, error.message, { ...error.place, cause: error.code })
      : error;
  }
}

/** Path of the records of an answer; a paginated endpoint may name one for its pages. */
export function resultsPathOf({
  pagination,
  response_mapping: mapping,
}: Pick<RestEndpoint, 'pagination' | 'response_mapping'>): string | undefined {
  return pagination?.results_path ?? mapping?.results_path;
}

interface Place {
  path: string | undefined;
  mapping: ResponseMapping | undefined;
}

/** Throws `bad_response` when there is nothing at the path, or something else than the mapping knows: no list is not an empty list. */
export function recordsAt(data: Json, { path, mapping }: Place, answer: Pick<Answer, 'response' | 'mask'>): Json[] {
  const value = path === undefined ? data : readPath(data, path);
  if (value === undefined || value === null) {
    throw badResponse(answer, path === undefined ? 'the answer is null' : `the answer has no \`${path}\``);
  }
  const other = unexpectedAnswer(data, value, mapping);
  if (other !== undefined) throw badResponse(answer, other);
  return Array.isArray(value) ? value : [value];
}

export function badResponse(
  { response, mask }: Pick<Answer, 'response' | 'mask'>,
  reason: string,
  place: { line?: number; column?: number; cause?: string } = {},
): AppError {
  const host = new URL(response.url).host;
  return new AppError(
    'bad_response',
    `The answer of ${host} cannot be used: ${sentence(shorten(mask.text(reason), 300))}`,
    {
      category: 'upstream',
      details: {
        status: response.status,
        ...place,
        ...(isHtml(response) ? { is_html: true } : {}),
        excerpt: excerptOf(response, mask),
      },
    },
  );
}

/** A web page in place of data: what many sources answer with when they mean something else. */
function isHtml({ headers, body }: EgressResponse): boolean {
  const begins = Buffer.from(body.subarray(0, 200)).toString('latin1');
  return /^\s*text\/html\b/i.test(headers['content-type'] ?? '') || /^\s*<(!doctype html|html)\b/i.test(begins);
}

function jsonAnswer(answer: Answer): ReadAnswer {
  const { endpoint, response, mask } = answer;
  const { data, text } = readJson(response.body, charsetOf(response.headers));
  const clean = mask.parsed(data, text);
  const place = { path: resultsPathOf(endpoint), mapping: endpoint.response_mapping };
  return answerWith(clean, recordsAt(clean, place, answer));
}

function answerWith(data: Json | undefined, records: Json): ReadAnswer {
  return { data, records: Array.isArray(records) ? records : [records], look: 'dot' };
}

/** A source may say with 204 that there is nothing; an empty 200 where data was expected is no data. */
function emptyAnswer(answer: Answer): ReadAnswer {
  const { endpoint, response } = answer;
  if (
    endpoint.method === 'HEAD' ||
    response.status === 204 ||
    response.status === 205 ||
    endpoint.effect !== 'none' ||
    endpoint.response_format === 'text'
  ) {
    return answerWith(undefined, []);
  }
  throw badResponse(answer, 'the answer is empty');
}

/** True for white space alone. */
function isBlank(body: Uint8Array): boolean {
  return blanksBefore(body) === body.byteLength;
}

/** A whole document as one record: only its content shows whether it is the expected one. */
function requireOwnDocument(answer: Answer, records: readonly JsonObject[]): void {
  const { response_mapping: mapping } = answer.endpoint;
  if (mapping?.results_path !== undefined) return;
  const wanted = expectedFields(mapping);
  const isThere = ({ field }: ExpectedField): boolean => records.some((record) => (record[field] ?? null) !== null);
  if (isUnexpectedAnswer(wanted, isThere)) throw badResponse(answer, `nothing is at ${pathsText(wanted)}`);
}

async function tableOf(answer: Answer, endpoint: FileEndpoint): Promise<ParsedFile> {
  const encoding = encodingOf(answer);
  const { body } = answer.response;
  const bytes = endpoint.parser === 'xml' ? body.subarray(blanksBefore(body)) : body;
  return answer.files.parse({ endpoint: { ...endpoint, encoding }, bytes }, answer.signal);
}

/** The encoding of the definition overrides that of the answer. */
function encodingOf({ endpoint, response }: Answer): string {
  const named = endpoint.text_format?.encoding ?? 'auto';
  return named === 'auto' ? actualEncoding(response.body, charsetOf(response.headers)) : named;
}

/** Rows of a CSV answer. One without any column that the mapping names is another kind of answer, with rows and without. */
async function csvAnswer(answer: Answer): Promise<ReadAnswer> {
  const { endpoint, mask } = answer;
  const kind = otherKind(answer.response);
  if (kind !== undefined) throw badResponse(answer, `it is ${kind} in place of CSV`);
  const { records, columns = [], warnings } = await tableOf(answer, { ...CSV, ...endpoint.text_format });
  requireColumns(answer, records, columns);
  return {
    ...answerWith(undefined, mask.json(records)),
    look: 'name',
    warnings: warnings.map((warning) => ({ ...warning })),
  };
}

function requireColumns(answer: Answer, records: readonly JsonObject[], columns: readonly string[]): void {
  const { endpoint } = answer;
  const [column = '', ...others] = columns;
  // Detects a sentence, which CSV reads as a header without rows.
  if (records.length === 0 && others.length === 0 && /\s/.test(column)) {
    throw badResponse(answer, `it has the one column \`${shorten(column, 100)}\` and no rows`, {
      cause: 'columns_not_found',
    });
  }
  const wanted = expectedFields(endpoint.response_mapping);
  if (wanted.length === 0 || (columns.length === 0 && endpoint.text_format?.header === false)) return;
  const first = records[0] ?? safeRecord(columns.map((name) => [name, null]));
  const isKnown = ({ path }: ExpectedField): boolean =>
    ownField(first, path) !== undefined || readPath(first, path) !== undefined;
  if (wanted.some(isKnown)) return;
  const reason = `none of the columns ${pathsText(wanted)} is in it; it has ${columns.slice(0, 10).join(', ')}`;
  throw badResponse(answer, reason, { line: 1, column: 1, cause: 'columns_not_found' });
}

/** Any text is CSV: what else an answer is, its type or its beginning says. */
function otherKind(response: EgressResponse): string | undefined {
  if (isHtml(response)) return 'a web page';
  const type = response.headers['content-type'] ?? '';
  const { buffer, byteOffset, byteLength } = response.body;
  const body = Buffer.from(buffer, byteOffset, byteLength);
  // The whole of a large table is not made a text only to look at its beginning.
  const start = blanksBefore(body);
  const beginning = body.toString('utf8', start, start + BEGINNING).trim();
  if (/[/+]xml\b/i.test(type) || /^<\?xml\b/i.test(beginning)) return 'XML';
  const isOther = /[/+]json\b/i.test(type) || (/^[[{]/.test(beginning) && isJson(body.toString('utf8').trim()));
  return isOther ? 'JSON' : undefined;
}

const BEGINNING = 64;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Sources write blank lines before the declaration of their XML; they say nothing. */
function blanksBefore(bytes: Uint8Array): number {
  const first = bytes.findIndex((byte) => byte > 0x20 || byte === 0);
  return first < 0 ? bytes.byteLength : first;
}

const CSV: FileEndpoint = { parser: 'csv', fields: [], groups: {}, delimiter: ',', encoding: 'auto', header: true };

/** An XML answer is read like an XML file: `results_path` and the fields are XPaths. */
function xmlEndpoint({ response_mapping: mapping }: RestEndpoint): FileEndpoint {
  const named = Object.entries(mapping?.fields ?? {}).flatMap(([field, rule]) => xmlField(field, rule));
  // A document itself has no text, its root has.
  const whole = mapping?.results_path === undefined ? '*' : '.';
  const fields: FileField[] = named.length > 0 ? named : [{ field: 'text', paths: [whole], type: 'string' }];
  return {
    ...CSV,
    parser: 'xml',
    fields,
    ...(mapping?.results_path === undefined ? {} : { list_element: [mapping.results_path], list_required: true }),
  };
}

/** A constant is no place in the answer. */
function xmlField(field: string, rule: ResponseMapping['fields'][string]): FileField[] {
  const path = pathOf(rule);
  return path === '' ? [] : [{ field, paths: [path], type: 'string' }];
}
