import { shorten } from '../../base/shorten';
import type { JsonObject } from '../../base/json';
import type { Problem } from '../../errors/problem';
import { MAX_ENDPOINTS } from '../limits';
import { writeYaml } from '../write-yaml';
import type { LinkedDocument } from './documents';
import { Documents } from './documents';
import { draftEndpoint } from './draft-endpoint';
import { ImportReport } from './import-report';
import { endpointNames, operationsOf } from './operations';
import type { Operation } from './operations';
import { OutputFields } from './output-fields';
import type { ReadDocument } from './read-document';
import { readSecurity } from './security';
import { baseUrlOf } from './servers';
import type { DocumentNode } from './document-node';
import { sentenceOf, slugOf } from './words';

/** Well below what a definition may have, in characters and in elements. */
const MAX_SOURCE_CHARS = 700_000;

export interface ImportInput {
  document: ReadDocument;
  /** Address of a fetched document. */
  address?: string;
  /** The document under '', others under their addresses. */
  documents: ReadonlyMap<string, LinkedDocument>;
  options: ImportOptions;
}

export interface ImportOptions {
  id?: string;
  name?: string;
  base_url?: string;
  /** Ids, tags or paths of the operations that are imported; absent = all. */
  include?: readonly string[];
}

interface ImportedEndpoint {
  name: string;
  method: string;
  path: string;
  operation_id?: string;
}

export interface OpenapiImport {
  /** Text of the connector; absent when nothing could be made. */
  source?: string;
  /** Operations that the document describes. */
  operations: number;
  endpoints: ImportedEndpoint[];
  problems: Problem[];
}

/** The connector that an OpenAPI 3.0, 3.1 or Swagger 2 document describes. Never throws. */
export function importOpenapi(input: ImportInput): OpenapiImport {
  const placeOf = (node: DocumentNode): { line: number; column: number } | undefined =>
    node.document === '' ? input.document.placeOf(node.path) : undefined;
  const report = new ImportReport(placeOf);
  const documents = new Documents(input.documents, report);
  if (!isSupported(documents, report)) {
    return { operations: 0, endpoints: [], problems: report.problems() };
  }
  const all = operationsOf(documents, report);
  const chosen = choose(documents, all, input.options.include);
  const operations = chosen.slice(0, MAX_ENDPOINTS);
  if (chosen.length > MAX_ENDPOINTS) {
    const message = `The document has ${chosen.length} operations, a connector at most ${MAX_ENDPOINTS}; the others are left out.`;
    report.warn('too_many_operations', message, documents.root(), 'Choose some with `include`: ids, tags or paths.');
  }
  if (operations.length === 0) {
    const message = all.length === 0 ? 'The document describes no operation.' : 'No operation fits `include`.';
    report.error('no_operations', message, documents.root());
    return { operations: all.length, endpoints: [], problems: report.problems() };
  }
  return { operations: all.length, ...definitionOf(input, { documents, report, operations }) };
}

function isSupported(documents: Documents, report: ImportReport): boolean {
  const root = documents.root();
  const version = documents.child(root, 'openapi') ?? documents.child(root, 'swagger');
  // YAML reads `3.0` as a number.
  const value = version?.value;
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (/^3(\.[01](\.|$)|$)/.test(text) || /^2(\.0)?$/.test(text)) return true;
  const found = version === undefined ? 'it says neither `openapi` nor `swagger`' : `it says \`${shorten(text, 20)}\``;
  report.error(
    'unsupported_version',
    `This is no OpenAPI 3.0, 3.1 or Swagger 2.0 document: ${found}.`,
    version ?? root,
  );
  return false;
}

function choose(documents: Documents, all: Operation[], include: readonly string[] | undefined): Operation[] {
  if (include === undefined || include.length === 0) return all;
  return all.filter((operation) => {
    const tags = documents.children(documents.child(operation.node, 'tags')).map(({ node }) => node.value);
    return include.some(
      (wanted) => wanted === operation.id || tags.includes(wanted) || isBelow(operation.path, wanted),
    );
  });
}

function isBelow(path: string, wanted: string): boolean {
  return wanted.startsWith('/') && (path === wanted || path.startsWith(wanted.endsWith('/') ? wanted : `${wanted}/`));
}

interface Draft {
  documents: Documents;
  report: ImportReport;
  operations: Operation[];
}

function definitionOf(input: ImportInput, draft: Draft): Omit<OpenapiImport, 'operations'> {
  const { documents, report, operations } = draft;
  const { options, address } = input;
  const info = documents.child(documents.root(), 'info');
  const title = sentenceOf(documents.text(info, 'title')) ?? 'Imported API';
  const id = options.id ?? slugOf(title, 'imported-api');
  const server = { documents, report, ...(address === undefined ? {} : { address }) };
  const baseUrl = baseUrlOf(server, options.base_url);
  const security = readSecurity({ documents, report, slug: id }, operations);
  const names = endpointNames(operations, report);
  const reader = {
    documents,
    report,
    server,
    baseUrl,
    credentials: security.credentials,
    fields: new OutputFields(documents),
  };
  const endpoints: ImportedEndpoint[] = [];
  const drafts: [string, JsonObject][] = [];
  operations.forEach((operation, index) => {
    const body = draftEndpoint(reader, operation);
    const name = names[index] ?? '';
    if (body === undefined) return;
    drafts.push([name, body]);
    const { method, path, id: operationId } = operation;
    endpoints.push({ name, method, path, ...(operationId === undefined ? {} : { operation_id: operationId }) });
  });
  if (drafts.length === 0) return { endpoints, problems: report.problems() };
  const description = sentenceOf(documents.text(info, 'description'));
  const version = sentenceOf(documents.text(info, 'version'))?.slice(0, 50);
  const head = {
    id,
    name: (options.name ?? title).slice(0, 200),
    type: 'rest_api',
    ...(version === undefined ? {} : { version }),
    ...(description === undefined ? {} : { description }),
    // The document decides where a secret is sent, and the person who imports it may not have read it.
    imported: true,
    connection: { base_url: baseUrl, ...(security.auth === undefined ? {} : { auth: security.auth }) },
  };
  const source = textOf(head, drafts, draft);
  return { source, endpoints, problems: report.problems() };
}

/** The longer of two texts that fits into a definition: the short one lacks the shape of the answers. */
function textOf(head: JsonObject, drafts: readonly [string, JsonObject][], { documents, report }: Draft): string {
  const source = writeYaml({ ...head, endpoints: Object.fromEntries(drafts) });
  if (source.length <= MAX_SOURCE_CHARS) return source;
  const message = 'The text would be too large, so the schemas of answers are left out.';
  report.warn('schemas_left_out', message, documents.root(), 'Choose operations with `include`: ids, tags or paths.');
  const lean = drafts.map(([name, { output_schema: _schema, ...rest }]): [string, JsonObject] => [name, rest]);
  return writeYaml({ ...head, endpoints: Object.fromEntries(lean) });
}
