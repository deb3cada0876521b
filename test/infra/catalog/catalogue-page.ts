import type { ConnectorDefinition, HttpConnection, RateLimit } from '../../../core/connector/types';
import { endpointOutputs } from '../../../core/connector/outputs';
import { endpointFacts } from '../../../infra/catalog/template-facts';
import { type Template, templates } from './templates';

const HEAD = `# The catalogue of connectors

<!-- Generated from catalog/connectors; AF_WRITE_DOCS=1 npx jest --selectProjects small --testPathPatterns catalogue-templates writes it anew. -->

Templates to begin with: \`GET /connectors/templates\` lists them, \`POST /connectors/from-template\` makes a connector of one's
own from one. Addresses, parameters and limits are those of the source's documentation; each endpoint names the page.

| tested | means |
|---|---|
| \`recorded\` | called against answers that the source gave, served by a local server that pages, refuses and limits as the source does; rows past the recorded ones are made, with the totals adjusted |
| \`constructed\` | called against answers made after the documentation, because none were recorded |
| \`live-only\` | not tested without the source |

Secrets are stored under the name in the table. Names that are not yours to give (\`User-Agent\` with who asks and how to reach
them) are parameters without a default: give them one in your copy. What a template leaves out can be added in a copy, too.

`;

/** docs/connectors-catalogue.md. */
export function cataloguePage(): string {
  const all = [...templates().values()];
  return `${HEAD}${overview(all)}\n${all.map(section).join('\n')}`;
}

function overview(all: readonly Template[]): string {
  const rows = all.map(({ definition }) => {
    const { id, type, name } = definition;
    const where =
      definition.retired === undefined
        ? addressesOf(definition)
            .map((each) => `\`${each}\``)
            .join(', ')
        : '**retired**';
    return row([`[\`${id}\`](#${id})`, name, `\`${type}\``, where, secretOf(definition), limitOf(definition)]);
  });
  return table(['template', 'source', 'type', 'where', 'secret', 'limit'], rows);
}

function section({ source, definition }: Template): string {
  const rows = endpointFacts(source, definition).map(({ endpoint, description, docs, tested }) =>
    row([`\`${endpoint}\``, description, tested ?? '', docs === undefined ? '' : `[page](${docs})`]),
  );
  const retired = definition.retired === undefined ? '' : `**Retired.** ${definition.retired}\n\n`;
  const lists = table(['endpoint', 'list', 'fields'], listsOf(definition));
  return `## ${definition.id}\n\n${definition.description ?? ''}\n\n${retired}${table(['endpoint', 'gives', 'tested', 'documentation'], rows)}\n${lists}`;
}

/** Lists of an endpoint's result: its records, and the groups beside them, with the fields of their rows. */
function listsOf(definition: ConnectorDefinition): string[] {
  return Object.keys(definition.endpoints).flatMap((endpoint) =>
    endpointOutputs(definition, endpoint)
      .filter(({ name, type, fields }) => type === 'record[]' && (name === 'results' || fields !== undefined))
      .map(({ name, fields = [] }) =>
        row([
          `\`${endpoint}\``,
          `\`${name}\``,
          fields.length === 0 ? 'as the source gives them' : fields.map((field) => `\`${field.name}\``).join(', '),
        ]),
      ),
  );
}

function addressesOf(definition: ConnectorDefinition): string[] {
  if (definition.type === 'rss_feed') return hosts(definition.connection.feeds.map(({ url }) => url));
  const base = (definition.connection as Partial<HttpConnection>).base_url;
  const own = Object.values(definition.endpoints).map((endpoint) => (endpoint as { base_url?: string }).base_url);
  return [...new Set([base, ...own])].filter((address) => address !== undefined);
}

function hosts(addresses: readonly string[]): string[] {
  return [...new Set(addresses.map((address) => new URL(address).origin))];
}

function secretOf({ connection }: ConnectorDefinition): string {
  const { auth } = connection as { auth?: { secret?: { secret: string } } };
  return auth?.secret === undefined ? '' : `\`${auth.secret.secret}\``;
}

const PER: [keyof RateLimit, string][] = [
  ['requests_per_second', 'a second'],
  ['requests_per_minute', 'a minute'],
  ['requests_per_hour', 'an hour'],
  ['requests_per_day', 'a day'],
  ['requests_per_month', 'a month'],
  ['concurrency', 'at once'],
];

function limitOf({ connection }: ConnectorDefinition): string {
  const limit = (connection as { rate_limit?: RateLimit }).rate_limit ?? {};
  return PER.flatMap(([key, say]) => (limit[key] === undefined ? [] : [`${limit[key]} ${say}`])).join(', ');
}

function table(names: readonly string[], rows: readonly string[]): string {
  return [row(names), row(names.map(() => '---')), ...rows, ''].join('\n');
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.trim().replaceAll('\n', ' ').replaceAll('|', '\\|')).join(' | ')} |`;
}
