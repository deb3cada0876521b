import { shorten } from '../../base/shorten';
import { PARAMETER_NAME } from '../patterns';
import type { Documents } from './documents';
import type { DraftParameter } from './draft-parameter';
import type { ImportReport } from './import-report';
import type { Operation } from './operations';
import type { SchemaView } from './schema-view';
import { viewOf } from './schema-view';
import type { DocumentNode } from './document-node';
import { valuesOf } from './values';
import { sentenceOf } from './words';

type BodyFormat = 'json' | 'form' | 'multipart';

export interface ImportedBody {
  parameters: DraftParameter[];
  body_format?: BodyFormat;
}

export interface BodyReader {
  documents: Documents;
  report: ImportReport;
  /** Swagger 2: media types of all operations. */
  consumes: readonly string[];
}

/** The body of an operation, each property of it a parameter; `taken` are names that are in use already. */
export function readBody(reader: BodyReader, operation: Operation, taken: ReadonlySet<string>): ImportedBody {
  const { documents } = reader;
  const body = documents.child(operation.node, 'requestBody');
  if (body !== undefined) return fromContent(reader, body, taken);
  const own = documents.children(documents.child(operation.node, 'parameters'));
  const shared = documents.children(documents.child(operation.shared, 'parameters'));
  const parameters = [...own, ...shared].map((entry) => entry.node);
  return fromSwagger(reader, { operation, parameters }, taken);
}

function fromContent(reader: BodyReader, body: DocumentNode, taken: ReadonlySet<string>): ImportedBody {
  const { documents, report } = reader;
  const media = documents.children(documents.child(body, 'content'));
  const formats = media.flatMap(({ key, node }) => {
    const format = formatOf(key);
    return format === undefined ? [] : [{ format, node }];
  });
  const chosen = ORDER.flatMap((format) => formats.filter((entry) => entry.format === format))[0];
  if (chosen === undefined) {
    const types = media
      .map(({ key }) => key)
      .join(', ')
      .slice(0, 200);
    const message = `A body of type ${types === '' ? 'unknown' : types} cannot be sent; it is left out.`;
    if (media.length > 0) report.warn('unsupported_body', message, body);
    return { parameters: [] };
  }
  const schema = documents.child(chosen.node, 'schema');
  if (schema === undefined) return { parameters: [], body_format: chosen.format };
  const view = viewOf(documents, schema);
  return { parameters: propertiesOf(reader, { view, node: schema }, taken), body_format: chosen.format };
}

const ORDER: readonly BodyFormat[] = ['json', 'form', 'multipart'];

function formatOf(type: string): BodyFormat | undefined {
  const name = (type.split(';')[0] ?? '').trim().toLowerCase();
  if (name === 'application/json' || name.endsWith('+json') || name === '*/*') return 'json';
  if (name === 'application/x-www-form-urlencoded') return 'form';
  return name === 'multipart/form-data' ? 'multipart' : undefined;
}

interface Swagger {
  operation: Operation;
  parameters: readonly DocumentNode[];
}

/** Swagger 2: one parameter in `body`, or several in `formData`. */
function fromSwagger(reader: BodyReader, { operation, parameters }: Swagger, taken: ReadonlySet<string>): ImportedBody {
  const { documents } = reader;
  const inPlace = (place: string): DocumentNode[] => parameters.filter((node) => documents.text(node, 'in') === place);
  const [body] = inPlace('body');
  const schema = body === undefined ? undefined : documents.child(body, 'schema');
  if (body !== undefined && schema !== undefined) {
    const view = viewOf(documents, schema);
    return { parameters: propertiesOf(reader, { view, node: schema }, taken), body_format: 'json' };
  }
  const fields = inPlace('formData');
  if (fields.length === 0) return { parameters: [] };
  const consumes = documents.child(operation.node, 'consumes')?.value ?? [...reader.consumes];
  const multipart = JSON.stringify(consumes).includes('multipart/form-data');
  return {
    parameters: fields.flatMap((node) => {
      const use = { name: documents.text(node, 'name') ?? '', node, required: documents.flag(node, 'required') };
      return draftOf(reader, { ...use, view: viewOf(documents, node) }, taken);
    }),
    body_format: multipart ? 'multipart' : 'form',
  };
}

/** Takes the schema's word on whether a body is required: few documents mean an optional body. */
function propertiesOf(
  reader: BodyReader,
  body: { view: SchemaView; node: DocumentNode },
  taken: ReadonlySet<string>,
): DraftParameter[] {
  const { view, node } = body;
  if (view.properties.size === 0) {
    const message = 'Only an object with known properties can be sent as a body; this one is left out.';
    reader.report.warn('body_without_properties', message, node, 'Declare its properties as parameters in `body`.');
    return [];
  }
  return [...view.properties].flatMap(([name, property]) => {
    const own = viewOf(reader.documents, property);
    const required = view.required.has(name);
    return own.readOnly ? [] : draftOf(reader, { name, node: property, required, view: own }, taken);
  });
}

function draftOf(
  { documents, report }: BodyReader,
  field: { name: string; node: DocumentNode; required: boolean; view: SchemaView },
  taken: ReadonlySet<string>,
): DraftParameter[] {
  const { name, node, required, view } = field;
  if (taken.has(name) || !PARAMETER_NAME.pattern.test(name)) {
    const why = taken.has(name) ? 'a parameter of that name is there already' : 'its name cannot be written';
    report.warn('unsupported_name', `\`${shorten(name)}\` of the body is left out: ${why}.`, node);
    return [];
  }
  const description = sentenceOf(documents.text(node, 'description') ?? view.description);
  const values = valuesOf(view, { name, in: 'body', node, documents, report });
  return [{ name, in: 'body', type: view.type, required, ...values, ...(description ? { description } : {}) }];
}
