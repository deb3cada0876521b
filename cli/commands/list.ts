import type { Context } from '../context';
import { EXIT, type ExitCode } from '../errors';
import type { ConnectorSummary, Page, PlaybookSummary } from '../http/types';
import { table } from '../output';
import type { Register } from './command';

interface ListOptions {
  tag?: string;
  category?: string;
  limit: string;
}
interface PlaybookOptions extends ListOptions {
  connector?: string;
  trigger?: string;
}
interface ConnectorOptions extends ListOptions {
  requiresAuth?: string;
}

export const registerList: Register = (program, wrap) => {
  const list = program.command('list').description('what you have, in order of its name');
  list
    .command('playbooks')
    .description('playbooks with their tags and the connectors that they need')
    .option('--tag <tag>', 'only those with this tag')
    .option('--category <category>', 'only those of this category')
    .option('--connector <connector>', 'only those that need this connector')
    .option('--trigger <type>', 'only those with a trigger of this type')
    .option('--limit <n>', 'at most so many', '50')
    .action(wrap(playbooks));
  list
    .command('connectors')
    .description('connectors with their tags and the secrets that they need')
    .option('--tag <tag>', 'only those with this tag')
    .option('--category <category>', 'only those of this category')
    .option('--requires-auth <yes>', 'true: only those that need a secret; false: only the others')
    .option('--limit <n>', 'at most so many', '50')
    .action(wrap(connectors));
};

async function playbooks(context: Context, { connector, trigger, ...options }: PlaybookOptions): Promise<ExitCode> {
  const path = `/playbooks?${queryOf(options, { connector, trigger })}`;
  context.output.result(await context.api().get<Page<PlaybookSummary>>(path), playbooksText);
  return EXIT.ok;
}

async function connectors(context: Context, { requiresAuth, ...options }: ConnectorOptions): Promise<ExitCode> {
  const path = `/connectors?${queryOf(options, { requires_auth: requiresAuth })}`;
  context.output.result(await context.api().get<Page<ConnectorSummary>>(path), connectorsText);
  return EXIT.ok;
}

function queryOf({ tag, category, limit }: ListOptions, more: Record<string, string | undefined>): string {
  const query = new URLSearchParams({ sort: 'name', limit });
  for (const [name, value] of Object.entries({ tag, category, ...more }))
    if (value !== undefined) query.set(name, value);
  return query.toString();
}

function playbooksText({ items }: Page<PlaybookSummary>): string {
  if (items.length === 0) return 'No playbooks.';
  return table(
    items.map(({ slug, name, category, tags, required_connectors: needs }) => [
      slug,
      name,
      category ?? '-',
      tags.join(' ') || '-',
      needs.length === 0 ? '' : `needs ${needs.join(', ')}`,
    ]),
  );
}

function connectorsText({ items }: Page<ConnectorSummary>): string {
  if (items.length === 0) return 'No connectors.';
  return table(
    items.map(({ slug, name, type, category, tags, auth_fields: fields }) => [
      slug,
      name,
      type,
      category ?? '-',
      tags.join(' ') || '-',
      fields.length === 0
        ? ''
        : `needs ${fields.map(({ secret, connection }) => secret ?? connection ?? '').join(', ')}`,
    ]),
  );
}
