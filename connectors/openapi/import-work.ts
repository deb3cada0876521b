import type { LinkedDocument } from '../../core/connector/openapi/documents';
import { externalFiles } from '../../core/connector/openapi/external-refs';
import { importOpenapi } from '../../core/connector/openapi/import-openapi';
import type { ImportOptions, OpenapiImport } from '../../core/connector/openapi/import-openapi';
import { readDocument } from '../../core/connector/openapi/read-document';
import type { ReadDocument } from '../../core/connector/openapi/read-document';
import type { Problem } from '../../core/errors/problem';
import { readConnector } from '../definition/read-connector';

/** A document with the keys of those that it refers to: as it writes them → under which they were loaded. */
export interface LoadedText {
  /** Empty = the one that was given. */
  key: string;
  text: string;
  links: [string, string][];
}

export interface ImportJob {
  texts: LoadedText[];
  /** Address of the first document. */
  address?: string;
  options: ImportOptions;
}

export interface ImportOutcome extends OpenapiImport {
  /** The text can be saved as it is. */
  valid: boolean;
}

/** Other documents that a text refers to, or why it cannot be read. */
export function filesOf(text: string): { files: string[] } | { problems: Problem[] } {
  const read = readDocument(text);
  return 'problems' in read ? read : { files: externalFiles(read.document.json) };
}

/** The connector of documents that have been loaded. Pure; the size of the documents bounds its time. */
export function makeConnector({ texts, address, options }: ImportJob): ImportOutcome {
  const documents = new Map<string, LinkedDocument>();
  let root: ReadDocument | undefined;
  for (const { key, text, links } of texts) {
    const read = readDocument(text);
    // Unreadable documents were refused when they were loaded.
    if ('problems' in read) continue;
    documents.set(key, { json: read.document.json, links: new Map(links) });
    if (key === '') root = read.document;
  }
  if (root === undefined) return { operations: 0, endpoints: [], problems: [], valid: false };
  const where = address === undefined ? {} : { address };
  const made = importOpenapi({ document: root, documents, options, ...where });
  return { ...made, ...checked(made) };
}

/** The text is what a person could have written: it meets the same checks. Lines of it mean nothing to the caller. */
function checked({ source, problems }: OpenapiImport): { valid: boolean; problems: Problem[] } {
  if (source === undefined) return { valid: false, problems };
  const read = readConnector(source);
  const found = read.problems.map(({ line: _line, column: _column, ...problem }) =>
    TOO_MUCH.has(problem.code) ? { ...problem, suggestion: CHOOSE } : problem,
  );
  return { valid: read.definition !== undefined, problems: [...problems, ...found] };
}

const TOO_MUCH = new Set(['text_too_large', 'text_too_complex']);
const CHOOSE = 'Choose operations with `include`: ids, tags or paths.';
