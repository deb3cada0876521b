import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { suggestionOr } from '../../core/base/did-you-mean';
import type { Context } from '../context';
import { CliError, EXIT, type ExitCode, unreadable, usageError } from '../errors';
import type { Api } from '../http/api';
import type { DocumentInfo, Run } from '../http/types';
import { writeOut } from '../write-out';
import { firstOf, LIMIT_FLAG, LIMIT_TEXT, listText } from '../lists';
import { idsWithPrefix, isWholeId, wholeRunId } from '../run-id';
import { shortTime } from '../view/step-lines';
import type { Register } from './command';

const PAGES = 5;

export const registerDocuments: Register = (program, wrap) => {
  program
    .command('upload')
    .description('store files as documents that playbooks can read')
    .argument('<file...>')
    .option('--name <name>', 'another name than that of the file; for one file')
    .option('--folder <id>', 'folder to put them into')
    .action(wrap(upload));
  program
    .command('documents')
    .description('list documents, newest first')
    .option('--run <runId>', 'only those that this run made')
    .option(LIMIT_FLAG, LIMIT_TEXT, '50')
    .action(wrap(documents));
  program
    .command('download')
    .description('fetch a document')
    .argument('<document>', 'id, its beginning, or name; of several of one name the newest')
    .option('--out <file>', 'write it there; - for standard output. Default: its name, here')
    .option('--force', 'replace a file that is there')
    .action(wrap(download));
};

async function upload(
  context: Context,
  files: string[],
  { name, folder }: { name?: string; folder?: string },
): Promise<ExitCode> {
  if (name !== undefined && files.length > 1) throw usageError('--name is for one file.');
  // All are read before the first is sent: a name that is wrong stores nothing.
  const contents = files.map((file) => ({ name: name ?? path.basename(file), bytes: bytesOf(file) }));
  const made: DocumentInfo[] = [];
  for (const each of contents) {
    const query = new URLSearchParams({ name: each.name, ...(folder === undefined ? {} : { folder }) });
    const headers = { 'idempotency-key': randomUUID() };
    made.push(await context.api().upload<DocumentInfo>(`/documents?${query.toString()}`, each.bytes, headers));
  }
  context.output.result({ items: made }, (found) => listText(found, '', row, LOOKS));
  return EXIT.ok;
}

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw unreadable(file, error);
  }
}

async function documents(context: Context, { run, limit }: { run?: string; limit: string }): Promise<ExitCode> {
  const api = context.api();
  const runId = run === undefined ? undefined : await wholeRunId(api, run);
  const query = new URLSearchParams(runId === undefined ? {} : { run: runId });
  const page = await firstOf<DocumentInfo>(api, '/documents', query, limit);
  if (page.items.length === 0 && runId !== undefined) await api.get<Run>(`/runs/${runId}`);
  context.output.result(page, (found) => listText(found, 'No documents.', row, LOOKS));
  return EXIT.ok;
}

const LOOKS = [{ id: true }, { whole: true }, { right: true }];

function row({ id, name, size, created_at }: DocumentInfo): string[] {
  return [id, name, `${size.toLocaleString('en-US')} bytes`, shortTime(created_at)];
}

async function download(
  context: Context,
  given: string,
  { out, force }: { out?: string; force?: boolean },
): Promise<ExitCode> {
  const api = context.api();
  const document = await documentOf(api, given);
  const bytes = await api.bytes(`/documents/${document.id}/download`);
  if (out === '-') {
    process.stdout.write(bytes);
    return EXIT.ok;
  }
  const file = path.resolve(out ?? path.basename(document.name));
  if (existsSync(file) && force !== true) throw usageError(`${file} is there already. --force replaces it.`);
  writeOut(file, bytes);
  context.output.result(
    { ...document, file },
    () => `Written to ${file} (${bytes.length.toLocaleString('en-US')} bytes).`,
  );
  return EXIT.ok;
}

async function documentOf(api: Api, given: string): Promise<DocumentInfo> {
  if (isWholeId(given)) return api.get<DocumentInfo>(`/documents/${given}`);
  const latest = await api.pages<DocumentInfo>('/documents?limit=200', PAGES);
  const found = latest.find(({ name }) => name === given) ?? beginningWith(given, latest);
  if (found !== undefined) return found;
  const names = new Set(latest.map(({ name }) => name));
  const way = suggestionOr(given, names, '"af documents" lists them.');
  throw new CliError('document_not_found', `None of the latest documents is "${given}". ${way}`, EXIT.failed);
}

function beginningWith(given: string, documents: readonly DocumentInfo[]): DocumentInfo | undefined {
  const [id] = idsWithPrefix(
    given,
    documents.map((each) => each.id),
  );
  return documents.find((each) => each.id === id);
}
