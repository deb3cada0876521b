import { shorten } from '../../base/shorten';
import { headerFault } from '../http-names';
import { PARAMETER_NAME } from '../patterns';
import type { ParameterPlace } from '../types';
import type { Documents } from './documents';
import { partName } from './draft-parameter';
import type { DraftParameter } from './draft-parameter';
import type { ImportReport } from './import-report';
import type { Operation } from './operations';
import type { ParameterStyle } from './parameter-style';
import { styleOf } from './parameter-style';
import type { SchemaView } from './schema-view';
import { viewOf } from './schema-view';
import type { DocumentNode } from './document-node';
import { valuesOf } from './values';
import { sentenceOf } from './words';

export interface ImportedParameters {
  parameters: DraftParameter[];
  /** Serialisation of lists in the query where it is no repeated name. */
  array_format?: 'comma';
  /** The operation takes an `Idempotency-Key`. */
  keyed: boolean;
}

export interface ParameterReader {
  documents: Documents;
  report: ImportReport;
  /** `in name` of what the authentication sends. */
  credentials: ReadonlySet<string>;
}

/** Path, query and header parameters of an operation. Bodies are another matter, also those of Swagger 2. */
export function readParameters(reader: ParameterReader, operation: Operation): ImportedParameters {
  const found = declared(reader.documents, operation).map((node) => ({ node, ...headOf(reader.documents, node) }));
  const keyed = found.some(({ place, name }) => place === 'header' && name.toLowerCase() === 'idempotency-key');
  const usable = found.filter((parameter) => isUsable(reader, operation, parameter));
  const styled = usable.map((parameter) => ({ ...parameter, style: styleOf(reader.documents, parameter.node) }));
  const format = arrayFormat(reader.documents, styled);
  const parameters = styled.flatMap((parameter) => draftsOf(reader, parameter, format));
  return {
    parameters: withPath(reader, operation, distinct(reader, parameters)),
    ...(format === 'repeat' ? {} : { array_format: format }),
    keyed,
  };
}

/** The operation's own win over those of its path. */
function declared(documents: Documents, { node, shared }: Operation): DocumentNode[] {
  const own = documents.children(documents.child(node, 'parameters')).map((entry) => entry.node);
  const known = new Set(own.map((entry) => placeName(headOf(documents, entry))));
  const common = documents.children(documents.child(shared, 'parameters')).map((entry) => entry.node);
  return [...own, ...common.filter((entry) => !known.has(placeName(headOf(documents, entry))))];
}

interface Head {
  place: string;
  name: string;
}

function headOf(documents: Documents, node: DocumentNode): Head {
  const place = documents.text(node, 'in') ?? '';
  const name = documents.text(node, 'name') ?? '';
  return { place, name: place === 'path' ? partName(name) : name };
}

function placeName({ place, name }: Head): string {
  return `${place} ${place === 'header' ? name.toLowerCase() : name}`;
}

/** Headers that OpenAPI itself says are described elsewhere, and the key that the platform sends. */
const ELSEWHERE = new Set(['accept', 'content-type', 'authorization', 'idempotency-key']);

function isUsable(reader: ParameterReader, operation: Operation, head: Head & { node: DocumentNode }): boolean {
  const { report } = reader;
  const { place, name, node } = head;
  if (place === 'body' || place === 'formData') return false;
  if (place === 'header' && ELSEWHERE.has(name.toLowerCase())) return false;
  if (reader.credentials.has(placeName(head))) return false;
  const shown = shorten(name);
  if (place === 'cookie') {
    report.warn('cookie_parameter', `The cookie \`${shown}\` is left out: connectors send no cookies.`, node);
    return false;
  }
  if (place !== 'path' && place !== 'query' && place !== 'header') {
    report.warn('invalid_parameter', `A parameter needs \`name\` and \`in\`; \`${shown}\` is left out.`, node);
    return false;
  }
  const fault = place === 'header' ? headerFault(name) : undefined;
  if (fault !== undefined || !PARAMETER_NAME.pattern.test(name)) {
    report.warn(
      'unsupported_name',
      fault ?? `The parameter \`${shown}\` is left out: its name cannot be written.`,
      node,
    );
    return false;
  }
  if (place === 'path' && !partsOf(operation.path).includes(name)) {
    report.warn('unused_parameter', `\`${shown}\` is no part of the path \`${shorten(operation.path, 200)}\`.`, node);
    return false;
  }
  return true;
}

type Styled = Head & { node: DocumentNode; style: ParameterStyle };

/** One way for all lists of an endpoint; those that go another way are written by the caller. */
function arrayFormat(documents: Documents, parameters: readonly Styled[]): 'repeat' | 'comma' {
  const lists = parameters.filter(
    ({ place, style }) => place === 'query' && !style.encoded && viewOf(documents, style.schema).type === 'array',
  );
  const formats = lists.flatMap(({ style }) => style.list ?? []);
  const [first] = formats;
  return first !== undefined && first !== 'other' && formats.every((format) => format === first) ? first : 'repeat';
}

function draftsOf(reader: ParameterReader, parameter: Styled, format: string): DraftParameter[] {
  const { documents, report } = reader;
  const { node, name, style } = parameter;
  const place = parameter.place as ParameterPlace;
  const view = viewOf(documents, style.schema);
  const common = { required: documents.flag(node, 'required') || place === 'path' };
  const description = sentenceOf(documents.text(node, 'description') ?? view.description);
  if (style.properties !== undefined && place === 'query' && view.properties.size > 0) {
    return propertiesOf(reader, { name, view, node }, style.properties);
  }
  const asText = view.type === 'array' && !(place === 'query' && style.list === format) && !style.encoded;
  if (asText || (view.type === 'object' && !style.encoded)) {
    const joint = style.separator ?? ',';
    report.warn('list_as_text', `\`${name}\` is given as one text, its values joined with \`${joint}\`.`, node);
    const words = `${description ?? ''} Values joined with "${joint}".`.trim();
    return [{ name, in: place, type: 'string', ...common, description: words }];
  }
  const values = valuesOf(view, { name, in: place, node, documents, report });
  return [{ name, in: place, type: view.type, ...common, ...values, ...(description ? { description } : {}) }];
}

/** An object in the query: each property is a parameter of its own. */
function propertiesOf(
  { documents, report }: ParameterReader,
  parameter: { name: string; view: SchemaView; node: DocumentNode },
  spelling: 'plain' | 'brackets',
): DraftParameter[] {
  return [...parameter.view.properties].flatMap(([property, node]): DraftParameter[] => {
    const name = spelling === 'plain' ? property : `${parameter.name}[${property}]`;
    const view = viewOf(documents, node);
    if (!PARAMETER_NAME.pattern.test(name) || view.type === 'object' || view.type === 'array') {
      report.warn('unsupported_name', `\`${shorten(name)}\` cannot be a parameter; it is left out.`, parameter.node);
      return [];
    }
    const description = sentenceOf(view.description);
    const required = documents.flag(parameter.node, 'required') && parameter.view.required.has(property);
    const values = valuesOf(view, { name, in: 'query', node, documents, report });
    return [{ name, in: 'query', type: view.type, required, ...values, ...(description ? { description } : {}) }];
  });
}

/** An endpoint tells its inputs apart by name alone. */
function distinct({ report, documents }: ParameterReader, parameters: DraftParameter[]): DraftParameter[] {
  const seen = new Set<string>();
  return parameters.filter(({ name, in: place }) => {
    if (!seen.has(name)) return seen.add(name);
    const message = `Two parameters are called \`${name}\`; the one in the ${place} is left out.`;
    report.warn('duplicate_parameter', message, documents.root());
    return false;
  });
}

/** Parts of the path that the document forgot to declare. */
function withPath(reader: ParameterReader, operation: Operation, parameters: DraftParameter[]): DraftParameter[] {
  const known = new Set(parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name));
  const added = [...new Set(partsOf(operation.path))].filter((name) => !known.has(name));
  for (const name of added) {
    reader.report.warn('undeclared_parameter', `The path uses \`{${name}}\` without declaring it.`, operation.node);
  }
  const others = parameters.filter(({ name }) => !added.includes(name));
  return [...added.map((name): DraftParameter => ({ name, in: 'path', type: 'string', required: true })), ...others];
}

function partsOf(path: string): string[] {
  return [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => partName(name));
}
