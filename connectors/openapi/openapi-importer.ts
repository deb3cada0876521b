import type { ImportOptions } from '../../core/connector/openapi/import-openapi';
import { AppError } from '../../core/errors/app-error';
import { hasErrors } from '../../core/errors/problem';
import { fetchText } from './fetch-text';
import type { ImportOutcome } from './import-work';
import type { LoadDeps } from './load-documents';
import { invalidOpenapi, loadDocuments } from './load-documents';

const WHOLE_IMPORT_MS = 30_000;

/** The document as text, or where it lies. */
export type OpenapiPlace = { text: string } | { url: string };

export type OpenapiResult = ImportOutcome & { source: string };

/** Makes connectors from OpenAPI documents. Everything that it fetches goes through the guard. */
export class OpenapiImporter {
  constructor(private readonly deps: LoadDeps) {}

  /** Throws `invalid_openapi` with every problem and its line, and what fetching the document throws. */
  async import(place: OpenapiPlace, options: ImportOptions): Promise<OpenapiResult> {
    const signal = AbortSignal.timeout(WHOLE_IMPORT_MS);
    try {
      return await this.importWithin(place, options, signal);
    } catch (error) {
      if (!signal.aborted || error instanceof AppError) throw error;
      throw new AppError('import_timeout', 'The document took longer than 30 seconds to fetch and read.', {
        category: 'timeout',
      });
    }
  }

  async close(): Promise<void> {
    await this.deps.host.close();
  }

  private async importWithin(place: OpenapiPlace, options: ImportOptions, signal: AbortSignal): Promise<OpenapiResult> {
    const root = await this.rootOf(place, signal);
    const { texts, problems } = await loadDocuments(this.deps, root, signal);
    if (hasErrors(problems)) throw invalidOpenapi(problems);
    const address = root.address === undefined ? {} : { address: root.address };
    const made = await this.deps.host.makeConnector({ texts, options, ...address }, signal);
    const all = [...problems, ...made.problems];
    if (made.source === undefined) throw invalidOpenapi(all);
    return { ...made, source: made.source, problems: all };
  }

  private async rootOf(place: OpenapiPlace, signal: AbortSignal): Promise<{ text: string; address?: string }> {
    if ('text' in place) return place;
    const { text, url } = await fetchText(this.deps.egress, place.url, signal);
    return { text, address: url };
  }
}
