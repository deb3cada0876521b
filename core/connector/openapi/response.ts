import type { JsonObject } from '../../base/json';
import type { Documents } from './documents';
import type { ImportReport } from './import-report';
import type { OutputFields } from './output-fields';
import type { SchemaView } from './schema-view';
import { viewOf } from './schema-view';
import type { DocumentNode } from './document-node';

type Format = 'json' | 'xml' | 'csv' | 'text';

export interface ImportedResponse {
  response_format: Format;
  results_path?: string;
  output_schema?: JsonObject;
}

export interface ResponseReader {
  documents: Documents;
  report: ImportReport;
  fields: OutputFields;
  /** Swagger 2: media types of all operations. */
  produces: readonly string[];
}

/** Reads the successful answer of an operation. */
export function readResponse(reader: ResponseReader, operation: DocumentNode): ImportedResponse {
  const { documents } = reader;
  const response = successOf(documents, operation);
  const own = documents.child(operation, 'produces');
  const { format, schema } = contentOf(reader, response, own === undefined ? reader.produces : textsOf(own));
  if (format !== 'json' || schema === undefined) return { response_format: format };
  return { response_format: format, ...shapeOf(reader, viewOf(documents, schema)) };
}

/** 200, else the first other success, else what stands for every status. */
function successOf(documents: Documents, operation: DocumentNode): DocumentNode | undefined {
  const responses = documents.child(operation, 'responses');
  const all = documents.children(responses);
  // Whole numbers come first among the keys of an object, in their order.
  const success = all.find(({ key }) => /^2(\d\d|XX)$/i.test(key));
  return (success ?? all.find(({ key }) => key === 'default'))?.node;
}

interface Content {
  format: Format;
  schema?: DocumentNode;
}

function contentOf(reader: ResponseReader, response: DocumentNode | undefined, produces: readonly string[]): Content {
  const { documents, report } = reader;
  if (response === undefined) return { format: 'json' };
  const content = documents.child(response, 'content');
  if (content === undefined) {
    const schema = documents.child(response, 'schema');
    return { format: formatOf(produces) ?? 'json', ...(schema === undefined ? {} : { schema }) };
  }
  const media = documents.children(content);
  const format = formatOf(media.map(({ key }) => key));
  if (format === undefined && media.length > 0) {
    const types = media
      .map(({ key }) => key)
      .join(', ')
      .slice(0, 200);
    report.warn('unsupported_media_type', `Answers of type ${types} are read as text.`, response);
    return { format: 'text' };
  }
  const chosen = media.find(({ key }) => formatOf([key]) === (format ?? 'json'))?.node;
  const schema = chosen === undefined ? undefined : documents.child(chosen, 'schema');
  return { format: format ?? 'json', ...(schema === undefined ? {} : { schema }) };
}

/** The best of the types offered: what keeps most of the structure. */
function formatOf(types: readonly string[]): Format | undefined {
  const names = types.map((type) => (type.split(';')[0] ?? '').trim().toLowerCase());
  if (names.some((name) => name === 'application/json' || name.endsWith('+json') || name === '*/*')) return 'json';
  if (names.some((name) => name === 'application/xml' || name === 'text/xml' || name.endsWith('+xml'))) return 'xml';
  if (names.some((name) => name === 'text/csv' || name === 'application/csv')) return 'csv';
  return names.some((name) => name.startsWith('text/')) ? 'text' : undefined;
}

function shapeOf(reader: ResponseReader, view: SchemaView): Omit<ImportedResponse, 'response_format'> {
  if (view.type === 'array') {
    const element = view.items === undefined ? undefined : viewOf(reader.documents, view.items);
    return schemaOf('record_set', element === undefined ? [] : reader.fields.of(element));
  }
  if (view.properties.size === 0) return {};
  const list = listOf(reader.documents, view);
  if (list === undefined) return schemaOf('object', reader.fields.of(view));
  return { results_path: list.name, ...schemaOf('record_set', reader.fields.of(list.element)) };
}

function schemaOf(type: 'record_set' | 'object', fields: JsonObject[]): { output_schema?: JsonObject } {
  return fields.length === 0 ? {} : { output_schema: { type, fields } };
}

/** Names that only the list of an answer has; `items` or `data` may as well be a part of one record. */
const LIST_NAMES = ['results', 'records', 'hits', 'rows', 'entries'];
/** Fields beside a list that show that the object is only its envelope. */
const ABOUT_A_LIST =
  /^(total\w*|count|\w*_count|num\w*|page\w*|per_?page|pagination|paging|offset|limit|size|start|next\w*|prev\w*|previous\w*|cursor|has_?more|links?|_links|meta\w*|api_?version|status|source|query|took)$/i;
const SIMPLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The list of records in an object that is the envelope of one; nothing when the object is the record itself. */
function listOf(documents: Documents, view: SchemaView): { name: string; element: SchemaView } | undefined {
  const lists = [...view.properties].flatMap(([name, node]) => {
    const property = viewOf(documents, node);
    const element = property.type === 'array' && property.items ? viewOf(documents, property.items) : undefined;
    return element !== undefined && element.properties.size > 0 && SIMPLE.test(name) ? [{ name, element }] : [];
  });
  const named = LIST_NAMES.flatMap((name) => lists.filter((list) => list.name.toLowerCase() === name))[0];
  if (named !== undefined) return named;
  const [only] = lists;
  const others = [...view.properties.keys()].filter((name) => name !== only?.name);
  const isEnvelope = lists.length === 1 && others.every((name) => ABOUT_A_LIST.test(name));
  return isEnvelope ? only : undefined;
}

function textsOf(node: DocumentNode): string[] {
  return Array.isArray(node.value) ? node.value.filter((item) => typeof item === 'string') : [];
}
