import { importOpenapi } from '../../core/connector/openapi/import-openapi';
import type { ImportOptions, OpenapiImport } from '../../core/connector/openapi/import-openapi';
import { readDocument } from '../../core/connector/openapi/read-document';
import { AppError } from '../../core/errors/app-error';
import type { Problem } from '../../core/errors/problem';
import { hasErrors } from '../../core/errors/problem';
import { readConnector } from '../connectors/read-connector';
import type { Egress } from '../egress/egress';
import { fetchText } from './fetch-text';
import { loadDocuments } from './load-documents';

const WHOLE_IMPORT_MS = 30_000;

/** The document as text, or where it lies. */
export type OpenapiPlace = { text: string } | { url: string };

export type OpenapiResult = OpenapiImport & { source: string };

/** Makes connectors from OpenAPI documents. Everything that it fetches goes through the guard. */
export class OpenapiImporter {
  constructor(private readonly egress: Egress) {}

  /** Throws `invalid_openapi` with every problem and its line, and what fetching the document throws. */
  async import(place: OpenapiPlace, options: ImportOptions): Promise<OpenapiResult> {
    const signal = AbortSignal.timeout(WHOLE_IMPORT_MS);
    try {
      return await importWithin(this.egress, { place, options, signal });
    } catch (error) {
      if (!signal.aborted || error instanceof AppError) throw error;
      throw new AppError('upstream_timeout', 'The documents took longer than 30 seconds to fetch.', {
        category: 'timeout',
      });
    }
  }
}

async function importWithin(
  egress: Egress,
  use: { place: OpenapiPlace; options: ImportOptions; signal: AbortSignal },
): Promise<OpenapiResult> {
  const { place, options, signal } = use;
  const given = 'url' in place ? await fetchText(egress, place.url, signal) : { text: place.text, url: undefined };
  const read = readDocument(given.text);
  if ('problems' in read) throw invalid(read.problems);
  const address = given.url === undefined ? {} : { address: given.url };
  const root = { read: read.document, length: given.text.length, ...address };
  const loaded = await loadDocuments(egress, root, signal);
  if (hasErrors(loaded.problems)) throw invalid(loaded.problems);
  const made = importOpenapi({ document: read.document, documents: loaded.documents, options, ...address });
  const problems = [...loaded.problems, ...made.problems];
  if (made.source === undefined) throw invalid(problems);
  return { ...made, source: made.source, problems: [...problems, ...checkMade(made.source)] };
}

/** The text is what a person could have written: it meets the same checks. */
function checkMade(source: string): Problem[] {
  return readConnector(source).problems.map(({ line: _line, column: _column, ...problem }) => problem);
}

function invalid(problems: Problem[]): AppError {
  return new AppError('invalid_openapi', 'The document cannot be imported; each problem says where and why.', {
    category: 'validation',
    problems,
  });
}
