import { randomUUID } from 'node:crypto';
import type { Context } from '../context';
import { EXIT, type ExitCode } from '../errors';
import type { GrantedDirs } from '../http/types';
import type { Register } from './command';

const PLACE = '/settings/import-dirs';

export const registerImportDirs: Register = (program, wrap) => {
  const dirs = program
    .command('import-dirs')
    .description('directories that file connectors may read; for administrators');
  dirs.command('list').description('those of AF_IMPORT_DIRS, and those that were granted').action(wrap(list));
  dirs
    .command('add')
    .description('grant a directory; it holds from the next read on')
    .argument('<path>', 'absolute, on the machine of the worker')
    .action(wrap((context, path: string) => change(context, PLACE, path)));
  dirs
    .command('remove')
    .description('take a granted directory back')
    .argument('<path>')
    .action(wrap((context, path: string) => change(context, `${PLACE}/revoke`, path)));
};

async function list(context: Context): Promise<ExitCode> {
  context.output.result(await context.api().get<GrantedDirs>(PLACE), dirsText);
  return EXIT.ok;
}

async function change(context: Context, place: string, path: string): Promise<ExitCode> {
  const headers = { 'idempotency-key': randomUUID() };
  context.output.result(await context.api().post<GrantedDirs>(place, { path }, headers), dirsText);
  return EXIT.ok;
}

function dirsText({ items }: GrantedDirs): string {
  if (items.length === 0) return "No directory is granted; the example's filings can be read.";
  // Paths to copy are not cut.
  return items
    .map(({ path, from, found, granted_by, granted_at }) => {
      const who = from === 'setting' ? 'AF_IMPORT_DIRS' : `granted by ${granted_by ?? ''} ${granted_at ?? ''}`.trim();
      return [path, who, ...(found ? [] : [NOT_FOUND])].join('\n  ');
    })
    .join('\n');
}

const NOT_FOUND = 'not there on the machine of the API: check its name; workers on other machines read their own disks';
