import type { Documents } from './documents';
import type { DocumentNode } from './document-node';

/** Serialisation of a parameter's value. */
export interface ParameterStyle {
  schema: DocumentNode;
  /** Lists in the query; `other` = in a way that connectors do not have. */
  list?: 'repeat' | 'comma' | 'other';
  /** Text between the values of a list that travels as one text. */
  separator?: string;
  /** An object whose properties are parameters: by their own names, or as `name[property]`. */
  properties?: 'plain' | 'brackets';
  /** The value is written as JSON. */
  encoded: boolean;
}

const COLLECTIONS: Readonly<Record<string, string>> = { csv: ',', ssv: ' ', tsv: '\t', pipes: '|' };
const STYLES: Readonly<Record<string, string>> = { form: ',', spaceDelimited: ' ', pipeDelimited: '|' };

export function styleOf(documents: Documents, parameter: DocumentNode): ParameterStyle {
  const [content] = documents.children(documents.child(parameter, 'content'));
  if (content !== undefined) {
    return { schema: documents.child(content.node, 'schema') ?? content.node, encoded: true };
  }
  const schema = documents.child(parameter, 'schema');
  return schema === undefined ? swaggerStyle(documents, parameter) : openapiStyle(documents, parameter, schema);
}

/** Swagger 2 writes the schema into the parameter itself; lists are separated by commas unless it says otherwise. */
function swaggerStyle(documents: Documents, parameter: DocumentNode): ParameterStyle {
  const collection = documents.text(parameter, 'collectionFormat') ?? 'csv';
  if (collection === 'multi') return { schema: parameter, list: 'repeat', encoded: false };
  const separator = Object.hasOwn(COLLECTIONS, collection) ? COLLECTIONS[collection] : undefined;
  const list = separator === ',' ? 'comma' : 'other';
  return { schema: parameter, list, ...(separator === undefined ? {} : { separator }), encoded: false };
}

function openapiStyle(documents: Documents, parameter: DocumentNode, schema: DocumentNode): ParameterStyle {
  const style = documents.text(parameter, 'style') ?? 'form';
  const explode = documents.child(parameter, 'explode')?.value ?? style === 'form';
  if (style === 'deepObject') return { schema, properties: 'brackets', list: 'other', encoded: false };
  const properties = style === 'form' && explode === true ? ({ properties: 'plain' } as const) : {};
  if (explode === true) return { schema, list: 'repeat', ...properties, encoded: false };
  const separator = Object.hasOwn(STYLES, style) ? STYLES[style] : undefined;
  const list = separator === ',' ? 'comma' : 'other';
  return { schema, list, ...(separator === undefined ? {} : { separator }), encoded: false };
}
