import { afterAll, expect, it } from '@jest/globals';
import { parseConnector } from '../../../core/connector/parse';
import type { ConnectorDefinition } from '../../../core/connector/types';
import { parsePlaybook } from '../../../core/playbook/parse-playbook';
import { Database } from '../../../infra/db/database';
import { migrate } from '../../../infra/db/migrate';
import { ConnectorsStore, PlaybooksStore } from '../../../infra/db/stores/definitions.store';
import { DefinitionFacts1764288000034 } from './chain/0034-definition-facts';
import { newConnector, newPlaybook } from '../../../src/shared/new-definition';
import { FIXTURES } from '../../core/connector/fixtures';
import { openAdmin } from '../../support/admin';
import { freshDatabase, loginUrl } from '../../support/postgres';
import { OWNER } from '../db-fixture';
import { oldChain } from './old-chain';

const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

const secret = 'secret: {secret: S}';
const AUTHS = [
  `{type: api_key, ${secret}}`,
  `{type: bearer_token, ${secret}}`,
  `{type: basic, username: me, ${secret}}`,
  `{type: basic, ${secret}}`,
  `{type: oauth2_client_credentials, token_url: https://a.example/t, client_id: c, ${secret}}`,
  `{type: oauth2_client_credentials, token_url: https://a.example/t, ${secret}}`,
  `{type: hmac, ${secret}}`,
  '{type: connection, connection: mine}',
  '{type: none}',
];
const rest = (auth: string, no: number): string =>
  `id: rest-${no}\ndescription: "NUL \\0"\ntype: rest_api\nconnection: {base_url: https://a.example, auth: ${auth}}\nendpoints: {e: {path: /e}}\n`;
const call = (name: string, connector: string): string =>
  `{name: ${name}, step_type: tool, action: call_connector, connector: ${connector}, endpoint: e}`;
const PLAYBOOK = `
id: deep
steps:
  - ${call('a', 'one')}
  - {name: b, action: parallel, parallel_steps: [${call('c', 'two')}, ${call('d', 'one')}]}
  - {name: f, for_each: {items: [1], as: x, steps: [${call('g', 'three')}]}}
  - {name: h, step_type: llm_task, action: research_with_tools, params: {tools: [four.e, query_journal]}, output_schema: {fields: [{name: y, type: string}]}}
  - name: r
    route: {on: "{h.y}", routes: {left: [${call('k', 'six')}], right: [{name: l, step_type: approval, prompt: Go?}]}}
  - {name: i, step_type: tool, action: query_journal, undo: {action: five.e}}
  - {name: n, step_type: approval, prompt: "NUL \\0 😀 \\\\u0000"}
`;

it('what was saved before says of itself what its stored form tells', async () => {
  const { url, drop } = await freshDatabase();
  const admin = openAdmin(url);
  const schema = await Database.connect({ url, poolSize: 2 });
  closers.push(
    drop,
    () => admin.close(),
    () => schema.close(),
  );
  const chain = await oldChain(url);
  closers.push(() => chain.close());
  await chain.up();
  const database = await Database.connect({ url: loginUrl(url), poolSize: 2 });
  closers.push(() => database.close());
  const connectors = new ConnectorsStore<ConnectorDefinition>(database);
  for (const source of [...AUTHS.map(rest), FIXTURES['database'] ?? '', FIXTURES['file-tables'] ?? '']) {
    const { definition, problems } = parseConnector(source);
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    await connectors.save(OWNER, newConnector(source, definition!));
  }
  const { plan, problems } = parsePlaybook(PLAYBOOK);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  await new PlaybooksStore(database).save(OWNER, newPlaybook(PLAYBOOK, plan!));

  const facts = async (): Promise<unknown[]> => [
    ...(await admin.query('select slug, requires_auth, auth_fields from connectors order by slug')),
    ...(await admin.query('select slug, required_connectors from playbooks order by slug')),
  ];
  const before = await facts();
  expect(before.at(-1)).toEqual({ slug: 'deep', required_connectors: ['five', 'four', 'one', 'six', 'three', 'two'] });
  await chain.downBefore(DefinitionFacts1764288000034.name);
  await chain.up(35);
  await migrate(schema);
  expect(await facts()).toEqual(before);
});
