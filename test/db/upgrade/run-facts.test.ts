import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Client } from 'pg';
import { applySchema } from '../../../infra/db/apply-schema';
import { owner } from '../../../infra/db/database';
import { readSchemaSource } from '../../../infra/db/schema-source';
import { RUN_START, type RunRow } from '../../../infra/db/stores/run-types';
import { RunsStore } from '../../../infra/db/stores/runs.store';
import { TransitionsStore } from '../../../infra/db/stores/transitions.store';
import { newRun, OWNER, seedPlaybook, testDatabase, type TestDatabase } from '../db-fixture';
import { newFolder } from '../../support/run-folder';

const ROOT = path.resolve(__dirname, '../../..');
const { runFunctions } = createRequire(__filename)(path.join(ROOT, 'scripts/lib/run-functions.cjs')) as {
  runFunctions: (of: { start: { given: string[]; derived: string[] }; folder: string }) => Map<string, string>;
};

let db: TestDatabase;
let runs: RunsStore;
let playbook: { playbookId: string; versionId: string };
beforeAll(async () => {
  db = await testDatabase();
  runs = new RunsStore(db.database);
  playbook = await seedPlaybook(db.database);
});
afterAll(() => db.close());

type Row = Record<string, unknown>;

async function rowOf(runId: string): Promise<Row> {
  const [row] = await db.admin.query<Row>('select * from runs where id = $1', [runId]);
  return row ?? {};
}

/** All but what is of this one alone. */
async function factsOf(runId: string, others: Row = {}): Promise<Row> {
  const own = { id: 0, root_run_id: 0, created_at: 0, updated_at: 0, watched_until: 0, idempotency_key: 0 };
  return { ...(await rowOf(runId)), ...own, ...others };
}

const CLOCK = { now: '2026-11-28T10:00:00Z', today: '2026-11-28', time_zone: 'UTC' };

it('nobody can give what a run gets in its life, or what the database derives', async () => {
  const plain = await runs.create(OWNER, newRun(playbook));
  const id = randomUUID();
  const [columns] = await db.admin.query<{ names: string[] }>(
    `select array_agg(attname::text) as names from pg_attribute where attrelid = 'runs'::regclass and attnum > 0`,
  );
  const given = new Set<string>(RUN_START.given);
  const theirs = {
    id,
    owner_id: OWNER,
    playbook_id: playbook.playbookId,
    playbook_version_id: playbook.versionId,
    playbook_slug: 'a-playbook',
    playbook_name: 'A playbook',
    root_run_id: id,
    inputs: '{}',
    run_context: 'interactive',
    approval_policy: 'require',
    clock: JSON.stringify(CLOCK),
  };
  const values: Row = {
    status: 'complete',
    control: 'cancel',
    asked_again: true,
    waits: [1],
    covered: [1],
    result: {},
    routing_report: {},
    effect_keys: { a: id },
    connectors_called: [1],
    retry_presets: {},
    retry_overrides: {},
  };
  const others = (columns?.names ?? []).filter((name) => !given.has(name));
  const value = (name: string): unknown =>
    values[name] ?? (/_at$|_until$/.test(name) ? CLOCK.now : /(_id|_root|_by)$/.test(name) ? id : '7');
  const record = { ...Object.fromEntries(others.map((name) => [name, value(name)])), ...theirs };
  expect(others).toEqual(expect.arrayContaining(['status', 'effect_root', 'profile_owner_id', 'result', 'revoked_at']));
  expect(await db.database.hot('select id from af_insert_run($1, null)', [JSON.stringify(record)])).toEqual([{ id }]);
  expect(await factsOf(id)).toEqual(await factsOf(plain.run.id));
});

describe('a new fact of a run', () => {
  it('is its column, its name among those of a start, and its value', async () => {
    const folder = path.join(newFolder('schema'), 'schema');
    cpSync(path.join(ROOT, 'infra/db/schema'), folder, { recursive: true });
    writeFileSync(path.join(folder, 'version.json'), JSON.stringify({ version: 1_000 }));
    // The migration, and the table's file.
    await db.admin.query(
      `alter table runs add column mood text, add column labels json not null default '[]', add column weight integer not null default 1`,
    );
    const table = path.join(folder, 'tables/runs.sql');
    const text = readFileSync(table, 'utf8').replace(
      '  summary text,\n',
      "  summary text,\n  mood text,\n  labels json not null default '[]',\n  weight integer not null default 1,\n",
    );
    writeFileSync(table, text);
    // The names beside the types, and `npm run schema`.
    const start = { given: [...RUN_START.given, 'mood', 'labels', 'weight'], derived: [...RUN_START.derived] };
    for (const [file, made] of runFunctions({ start, folder })) writeFileSync(file, made);
    const client = new Client({ connectionString: db.url });
    await client.connect();
    expect(await applySchema(client, readSchemaSource(folder))).toBe(true);
    await client.end();

    const facts = { mood: 'calm', labels: ['a\u0000', { b: 1 }], weight: 5 };
    const { run } = await runs.create(OWNER, { ...newRun(playbook), ...facts });
    expect(await rowOf(run.id)).toMatchObject(facts);
    // A start that does not name them gets what the table says.
    const { run: plain } = await runs.create(OWNER, newRun(playbook));
    expect(await rowOf(plain.id)).toMatchObject({ mood: null, labels: [], weight: 1 });
    // A retry takes them over.
    await new TransitionsStore(db.database).finish(run.id, { status: 'failed', events: [] });
    const again = randomUUID();
    const [made] = await db.database.query<{ made: boolean }>(owner(OWNER), 'select app_retry_run($1) as made', [
      JSON.stringify({ id: again, run: run.id, renewed: [] }),
    ]);
    expect(made).toEqual({ made: true });
    const retried = await rowOf(again);
    expect(retried).toMatchObject({ ...facts, retry_of: run.id, status: 'pending' satisfies RunRow['status'] });
  });

  it('that the table does not have is named', () => {
    const start = { given: [...RUN_START.given, 'nothing'], derived: [] };
    expect(() => runFunctions({ start, folder: path.join(ROOT, 'infra/db/schema') })).toThrow(
      'tables/runs.sql has no column nothing, which RUN_START names',
    );
  });
});
