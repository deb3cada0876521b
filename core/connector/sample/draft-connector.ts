import type { Json, JsonObject } from '../../base/json';
import { typeName } from '../openapi/output-fields';
import { slugOf, wordsOf } from '../openapi/words';
import { PARAMETER_NAME } from '../patterns';
import { writeYaml } from '../write-yaml';
import { dotPath } from './from-json';
import { typeOfTexts } from './infer-type';
import type { ValueType } from '../types';
import type { SampleField, SampleShape } from './shape';

/** Address of the sample, in its parts. */
export interface SampleAddress {
  base_url: string;
  path: string;
  query: readonly (readonly [string, string])[];
}

export interface DraftNames {
  id?: string;
  name?: string;
}

export interface DraftedConnector {
  source: string;
  /** Query parameters that looked like credentials; their values were thrown away. */
  credentials: string[];
}

/** A connector that reads what looks like the sample: over HTTP where an address is known, else from files. */
export function draftConnector(shape: SampleShape, names: DraftNames, address?: SampleAddress): DraftedConnector {
  const title = names.name ?? (address === undefined ? 'Sample' : hostOf(address));
  const id = names.id ?? slugOf(title, 'sample');
  const asRest = address !== undefined && (shape.delimiter ?? ',') === ',' && shape.header !== false;
  const made = asRest ? restOf(shape, id, address) : { definition: fileOf(shape, address), credentials: [] };
  return { source: writeYaml({ id, name: title, ...made.definition }), credentials: made.credentials };
}

function hostOf({ base_url }: SampleAddress): string {
  return /^https?:\/\/([^/]+)/i.exec(base_url)?.[1] ?? 'Sample';
}

const SECRET =
  /^(api|access|auth|subscription|app|client)?[_-]?(key|token|secret|signature|sig|password|apikey|appid)$/i;

function restOf(
  shape: SampleShape,
  id: string,
  address: SampleAddress,
): { definition: JsonObject; credentials: string[] } {
  const credentials = address.query.map(([name]) => name).filter((name) => SECRET.test(name));
  const [key] = credentials;
  const secret = { secret: `${wordsOf(id, '_').replace(/^(?=\d)/, '_')}_key`.slice(0, 100) };
  const auth: JsonObject = key === undefined ? {} : { auth: { type: 'api_key', in: 'query', key_param: key, secret } };
  const parameters = parametersOf(address.query.filter(([name]) => !credentials.includes(name)));
  // A column whose name no path can hold is read from files alone.
  const fields = shape.fields.filter((field) => restPath(shape, field) !== undefined);
  const endpoint: JsonObject = {
    method: 'GET',
    path: address.path,
    ...(shape.format === 'json' ? {} : { response_format: shape.format }),
    ...(parameters.length === 0 ? {} : { parameters }),
    response_mapping: {
      ...(shape.list === undefined ? {} : { results_path: shape.list }),
      fields: Object.fromEntries(fields.map((field) => [field.field, restRule(shape, field)])),
    },
    output_schema: {
      type: shape.single ? 'object' : 'record_set',
      fields: fields.map((field) => ({ name: field.field, type: restType(shape, field) })),
    },
  };
  const definition = {
    type: 'rest_api',
    connection: { base_url: address.base_url, ...auth },
    endpoints: { [endpointName(address.path)]: endpoint },
  };
  return { definition, credentials };
}

/** Columns are read by dot path. */
function restPath(shape: SampleShape, { path }: SampleField): string | undefined {
  return shape.format === 'csv' ? dotPath([path]) : path;
}

/** Answers in XML and CSV give texts: those that are numbers are made such. */
function restRule(shape: SampleShape, field: SampleField): Json {
  const path = restPath(shape, field) ?? '';
  const isNumber = field.type === 'integer' || field.type === 'number';
  return shape.format === 'json' || !isNumber ? path : { path, transforms: ['number'] };
}

function restType(shape: SampleShape, { type }: SampleField): string {
  const kept = shape.format === 'json' || ['integer', 'number', 'date'].includes(type);
  return kept ? typeName(type) : 'string';
}

/** Names that come more than once are lists. */
function parametersOf(query: readonly (readonly [string, string])[]): JsonObject[] {
  const values = new Map<string, string[]>();
  for (const [name, value] of query) {
    if (PARAMETER_NAME.pattern.test(name)) values.set(name, [...(values.get(name) ?? []), value]);
  }
  return [...values].map(([name, texts]) => {
    const [only = ''] = texts;
    if (texts.length > 1) return { name, in: 'query', type: 'array', default: texts };
    const type = sentAs(only, typeOfTexts(texts));
    return { name, in: 'query', type, ...(only === '' ? {} : { default: valueOf(only, type) }) };
  });
}

/** A number that would be sent in another spelling than that of the address is a text. */
function sentAs(text: string, type: ValueType): ValueType {
  const isNumber = type === 'integer' || type === 'number';
  return isNumber && text !== '' && String(Number(text)) !== text ? 'string' : type;
}

function valueOf(text: string, type: ValueType): Json {
  if (type === 'integer' || type === 'number') return Number(text);
  return type === 'boolean' ? text.toLowerCase() === 'true' : text;
}

/** The last word of a path: `/v1/candidates/` → `candidates`. */
function endpointName(path: string): string {
  const words = path
    .split('/')
    .map((part) => wordsOf(part, '_'))
    .filter((part) => /^[a-z]/.test(part));
  return (words.at(-1) ?? 'read').slice(0, 63);
}

function fileOf(shape: SampleShape, address: SampleAddress | undefined): JsonObject {
  const kind = shape.format === 'xml' ? 'xpath' : shape.format === 'csv' ? 'column' : 'paths';
  return {
    type: 'file_parser',
    connection: {
      source: address === undefined ? 'upload' : ['upload', 'url'],
      accepted_formats: [shape.format],
    },
    endpoints: {
      read: {
        parser: shape.format,
        ...(shape.delimiter === undefined || shape.delimiter === ','
          ? {}
          : { delimiter: delimiterName(shape.delimiter) }),
        ...(shape.header === false ? { header: false } : {}),
        ...(shape.list === undefined ? {} : { list_element: shape.list }),
        fields: shape.fields.map(({ field, path, type }) => ({ field, [kind]: path, type })),
      },
    },
  };
}

function delimiterName(delimiter: string): string {
  return delimiter === '\t' ? 'tab' : delimiter;
}
