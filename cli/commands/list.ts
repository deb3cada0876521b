import type { Context } from '../context';
import { EXIT, type ExitCode } from '../errors';
import type { ConnectorSummary, PlaybookSummary } from '../http/types';
import { firstOf, LIMIT_FLAG, LIMIT_TEXT, listText } from '../lists';
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
    .option(LIMIT_FLAG, LIMIT_TEXT, '50')
    .action(wrap(playbooks));
  list
    .command('connectors')
    .description('connectors with their tags and the secrets that they need')
    .option('--tag <tag>', 'only those with this tag')
    .option('--category <category>', 'only those of this category')
    .option('--requires-auth <yes>', 'true: only those that need a secret; false: only the others')
    .option(LIMIT_FLAG, LIMIT_TEXT, '50')
    .action(wrap(connectors));
};

async function playbooks(context: Context, { connector, trigger, ...options }: PlaybookOptions): Promise<ExitCode> {
  const query = queryOf(options, { connector, trigger });
  const page = await firstOf<PlaybookSummary>(context.api(), '/playbooks', query, options.limit);
  if (page.items.length === 0 && connector !== undefined)
    await context.api().get(`/connectors/${encodeURIComponent(connector)}`);
  context.output.result(page, (found) => listText(found, 'No playbooks.', playbookRow, [{ whole: true }]));
  return EXIT.ok;
}

async function connectors(context: Context, { requiresAuth, ...options }: ConnectorOptions): Promise<ExitCode> {
  const query = queryOf(options, { requires_auth: requiresAuth });
  const page = await firstOf<ConnectorSummary>(context.api(), '/connectors', query, options.limit);
  context.output.result(page, (found) => listText(found, 'No connectors.', connectorRow, [{ whole: true }]));
  return EXIT.ok;
}

function queryOf({ tag, category }: ListOptions, more: Record<string, string | undefined>): URLSearchParams {
  const query = new URLSearchParams({ sort: 'name' });
  for (const [name, value] of Object.entries({ tag, category, ...more }))
    if (value !== undefined) query.set(name, value);
  return query;
}

function playbookRow({ slug, name, category, tags, required_connectors: needs }: PlaybookSummary): string[] {
  return [slug, name, category ?? '-', tags.join(' ') || '-', needs.length === 0 ? '' : `needs ${needs.join(', ')}`];
}

function connectorRow({ slug, name, type, category, tags, auth_fields: fields }: ConnectorSummary): string[] {
  const needs = fields.map(({ secret, connection }) => secret ?? connection ?? '').join(', ');
  return [slug, name, type, category ?? '-', tags.join(' ') || '-', needs === '' ? '' : `needs ${needs}`];
}
