import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { ConnectorDefinition } from '../../core/connector/types';
import { confirmable, type Confirmable } from '../../connectors/auth/confirmation';
import { readConnector } from '../../connectors/definition/read-connector';
import { ConnectorBindingsStore } from '../../infra/db/stores/connector-bindings.store';
import { ConnectorsStore } from '../../infra/db/stores/definitions.store';
import { SecretsStore } from '../../infra/db/stores/secrets.store';
import { OWNER, STRANGER, testDatabase, type TestDatabase } from './db-fixture';

const FIRST = 'https://first.example';
const ELSEWHERE = 'https://elsewhere.example';

let db: TestDatabase;
let connectors: ConnectorsStore<ConnectorDefinition>;
let places: ConnectorBindingsStore;
let secrets: SecretsStore;
beforeAll(async () => {
  db = await testDatabase();
  connectors = new ConnectorsStore<ConnectorDefinition>(db.database);
  places = new ConnectorBindingsStore(db.database);
  secrets = new SecretsStore(db.database);
});
afterAll(() => db?.close());

async function save(slug: string, secret: string): Promise<void> {
  const source = `
id: ${slug}
type: rest_api
connection: {base_url: "${FIRST}", auth: {type: bearer_token, secret: {secret: ${secret}}}}
endpoints: {read: {path: /read}}`;
  const body = readConnector(source).definition!;
  const text = { source_format: 'yaml' as const, source, body, content_hash: randomUUID() };
  await connectors.save(OWNER, { slug, name: slug, kind: 'rest_api', ...text });
}

/** Places to which the connector may send a secret. */
async function known(slug: string, secret: string): Promise<Confirmable['known'] | undefined> {
  const { id: versionId, body: definition } = await connectors.resolve(OWNER, slug);
  return (await confirmable(places, { ownerId: OWNER, versionId, definition }, secret))?.known;
}

const CIPHERTEXT = { ciphertext: Buffer.from('sealed'), key_id: 'k', allowed_hosts: ['*'] };

it('a secret that the deleted connector sent as a binding said is not trusted at the first places of the next of its name', async () => {
  await save('again', 'own');
  await places.confirm(OWNER, { connector: 'again', secret: 'bound', origins: [ELSEWHERE] });
  await connectors.remove(OWNER, 'again', 'any');
  await save('again', 'bound');
  expect(await known('again', 'bound')).toEqual([]);
  // Agreed to anew there: that is one place, and the first ones are as unknown as before.
  await places.confirm(OWNER, { connector: 'again', secret: 'bound', origins: [ELSEWHERE] });
  expect(await known('again', 'bound')).toEqual([ELSEWHERE]);
});

it('a connector that took the name of another one keeps its first places when more are confirmed for it', async () => {
  await save('taken', 'of-the-first');
  await connectors.remove(OWNER, 'taken', 'any');
  await save('taken', 'own');
  for (let time = 0; time < 2; time++) {
    await places.confirm(OWNER, { connector: 'taken', secret: 'own', origins: [ELSEWHERE] });
    expect(await known('taken', 'own')).toEqual([ELSEWHERE, FIRST]);
  }
});

it('a connector whose name nobody had before sends its secret where it was written for, whatever a binding says', async () => {
  await save('fresh', 'own');
  await places.confirm(OWNER, { connector: 'fresh', secret: 'own', origins: [ELSEWHERE] });
  expect(await known('fresh', 'own')).toEqual([ELSEWHERE, FIRST]);
});

it('the places of a secret go with it: a new value keeps them, another secret of its name has none', async () => {
  await save('kept', 'own');
  await secrets.create(OWNER, 'leaving', CIPHERTEXT);
  await secrets.create(STRANGER, 'leaving', CIPHERTEXT);
  for (const secret of ['leaving', 'own']) {
    await places.confirm(OWNER, { connector: 'kept', secret, origins: [ELSEWHERE] });
  }
  await places.confirm(STRANGER, { connector: 'kept', secret: 'leaving', origins: [ELSEWHERE] });
  await secrets.rotate(OWNER, 'leaving', CIPHERTEXT);
  expect(await known('kept', 'leaving')).toEqual([ELSEWHERE]);
  expect(await secrets.delete(OWNER, 'leaving', 'any')).toBe(true);
  await secrets.create(OWNER, 'leaving', CIPHERTEXT);
  expect(await known('kept', 'leaving')).toEqual([]);
  expect(await known('kept', 'own')).toEqual([ELSEWHERE, FIRST]);
  const others = `select 1 from connector_confirmations where owner_id = $1`;
  expect(await db.admin.query(others, [STRANGER])).toHaveLength(1);
});
