import type { Context } from '../context';
import { EXIT, type ExitCode } from '../errors';
import type { Workspace, WorkspaceTable } from '../http/types';
import { table } from '../view/table';
import { writeOut } from '../write-out';
import type { Register } from './command';

export const registerTables: Register = (program, wrap) => {
  program
    .command('tables')
    .description('tables of your workspaces, with their columns')
    .option('--workspace <workspace>', 'slug or id; default: all')
    .action(wrap(tables));
  program
    .command('export')
    .description('the rows of a table')
    .argument('<table>', 'name or id')
    .option('--workspace <workspace>', 'slug or id', 'default')
    .option('--format <format>', 'csv or json; default: csv, with --json: json')
    .option('--out <file>', 'write them there; default: standard output')
    .action(wrap(exportRows));
};

async function tables(context: Context, { workspace }: { workspace?: string }): Promise<ExitCode> {
  const api = context.api();
  const slugs =
    workspace === undefined
      ? (await api.pages<Workspace>('/workspaces?limit=200')).map(({ slug }) => slug)
      : [workspace];
  const items: (WorkspaceTable & { workspace: string })[] = [];
  for (const slug of slugs) {
    const found = await api.pages<WorkspaceTable>(`/workspaces/${encodeURIComponent(slug)}/tables?limit=200`);
    items.push(...found.map((each) => ({ ...each, workspace: slug })));
  }
  context.output.result({ items }, () =>
    items.length === 0
      ? 'No tables.'
      : table(
          items.map((each) => [each.workspace, each.name, each.columns.map(({ name }) => name).join(', ')]),
          [{ whole: true }, { whole: true }],
        ),
  );
  return EXIT.ok;
}

interface ExportOptions {
  workspace: string;
  format?: string;
  out?: string;
}

async function exportRows(
  context: Context,
  name: string,
  { workspace, out, ...given }: ExportOptions,
): Promise<ExitCode> {
  // Standard output is what `--json` is about; a file is asked for by its format.
  const format = given.format ?? (context.output.json && out === undefined ? 'json' : 'csv');
  const place = `/workspaces/${encodeURIComponent(workspace)}/tables/${encodeURIComponent(name)}/export`;
  const bytes = await context.api().bytes(`${place}?${new URLSearchParams({ format }).toString()}`);
  if (out === undefined) {
    process.stdout.write(bytes);
    return EXIT.ok;
  }
  writeOut(out, bytes);
  context.output.result({ file: out, bytes: bytes.length }, () => `Written to ${out}.`);
  return EXIT.ok;
}
