import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { explainDiskError } from '../infra/embedded/errors';
import { resolveHome } from '../infra/embedded/home';
import type { Api } from './http/api';
import type { DocumentInfo } from './http/types';

/**
 * Fetches the Markdown document that the run wrote to the reports folder of this home and gives its absolute path;
 * nothing where the run wrote none.
 */
export async function fetchReport(api: Api, runId: string): Promise<string | undefined> {
  const items = await api.pages<DocumentInfo>(`/documents?limit=200&run=${encodeURIComponent(runId)}`);
  const report = items.find((item) => item.media_type.startsWith('text/markdown') || item.name.endsWith('.md'));
  if (!report) return undefined;
  const folder = path.join(resolveHome().reports, runId);
  const file = path.join(folder, path.basename(report.name));
  const bytes = await api.bytes(`/documents/${report.id}/download`);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, bytes);
  } catch (error) {
    throw explainDiskError(error, file);
  }
  return file;
}
