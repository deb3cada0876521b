import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { EndpointTrials, TRIAL_MS } from '../../connectors/trial/endpoint-trials';
import { readConnector } from '../../connectors/definition/read-connector';
import { connectorDeps, openedBy, noAudit, servicesOf } from '../support/connector-deps';
import { openDirectly, otherDatabase, type OtherDatabase } from './connector-database-fixture';

let other: OtherDatabase;
beforeAll(async () => {
  other = await otherDatabase();
});
afterAll(() => other.close());

const ENDLESS = 'select count(*) as n from generate_series(1, 90000000000) as endless';
const BACKENDS = `select pid from pg_stat_activity where query like '%as endless%' and pid <> pg_backend_pid()`;

it('a test of a database connector ends after ten seconds, and so does its statement on the server', async () => {
  expect(TRIAL_MS.database).toBe(10_000);
  const { definition } = readConnector(
    `{id: d, type: database, connection: {auth: {type: connection_string, secret: {secret: DB}}, timeout_seconds: 300}, endpoints: {e: {sql: "${ENDLESS}"}}}`,
  );
  const deps = connectorDeps({ secretValues: { DB: other.addressOf('reader') }, database: openedBy(openDirectly) });
  // The rule with less time: nobody waits for ten seconds here.
  const trials = new EndpointTrials(servicesOf(deps), deps.secrets, { ...TRIAL_MS, database: 1_000 });
  const ownerId = '00000000-0000-4000-8000-000000000001';
  const use = {
    ownerId,
    endpoint: 'e',
    inputs: {},
    allowEffects: false,
    hooks: noAudit,
    guard: (secrets: typeof deps.secrets) => secrets,
  };
  const tested = trials.run({ ...use, definition: definition! });
  while ((await other.admin.query(BACKENDS)).length === 0) await sleep(10);
  const report = await tested;
  expect(report.ok).toBe(false);
  expect(['test_timeout', 'upstream_timeout']).toContain(report.error?.code);
  while ((await other.admin.query(BACKENDS)).length > 0) await sleep(50);
  await deps.egress.close();
});
