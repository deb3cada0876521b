import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { owner } from '../../infra/db/database';
import { DocumentsStore } from '../../infra/db/stores/documents.store';
import { FoldersStore } from '../../infra/db/stores/folders.store';
import { JournalStore } from '../../infra/db/stores/journal.store';
import { ModelCallsStore, type SentCall } from '../../infra/db/stores/model-calls.store';
import { RunsStore } from '../../infra/db/stores/runs.store';
import { TransitionsStore } from '../../infra/db/stores/transitions.store';
import { WorkspacesStore } from '../../infra/db/stores/workspaces.store';
import { OWNER, seedRun, STRANGER, testDatabase, type TestDatabase } from './db-fixture';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

const document = (more: object = {}) => ({
  name: 'report.md',
  media_type: 'text/markdown',
  size: 3,
  sha256: 'a'.repeat(64),
  ...more,
});

describe('documents and folders', () => {
  it('one effect key, one document', async () => {
    const store = new DocumentsStore(db.database);
    const runId = await seedRun(db.database);
    const all = await Promise.all(
      [1, 2, 3].map(() => store.create(OWNER, document({ run_id: runId, effect_key: `${runId}/out` }))),
    );
    expect(new Set(all.map((row) => row.id)).size).toBe(1);
    expect(all[0]).toMatchObject({ name: 'report.md', size: 3, run_id: runId });
    expect((await store.list(OWNER, { runId })).items).toHaveLength(1);
    expect(await store.get(STRANGER, all[0]?.id ?? '')).toBeNull();
    await expect(store.require(OWNER, 'x')).rejects.toMatchObject({ code: 'document_not_found' });
  });

  it('a document of a transaction that fails does not exist', async () => {
    const store = new DocumentsStore(db.database);
    const effect_key = randomUUID();
    const failed = db.database.tx(owner(OWNER), async (sql) => {
      await store.create(OWNER, document({ effect_key }), sql);
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    const made = await store.create(OWNER, document({ effect_key, name: 'second.md' }));
    expect(made.name).toBe('second.md');
  });

  it('folders are made once, below a folder of one’s own', async () => {
    const store = new FoldersStore(db.database);
    const [a, b] = await Promise.all([
      store.ensure(OWNER, { name: 'Reports' }),
      store.ensure(OWNER, { name: 'Reports' }),
    ]);
    expect(a.id).toBe(b.id);
    const child = await store.ensure(OWNER, { name: 'Reports', parent_id: a.id });
    expect(child.id).not.toBe(a.id);
    expect((await store.list(OWNER, a.id)).map((row) => row.id)).toEqual([child.id]);
    await expect(store.ensure(STRANGER, { name: 'x', parent_id: a.id })).rejects.toMatchObject({
      code: 'folder_not_found',
    });
  });
});

describe('workspaces', () => {
  it('keeps the shape of a table', async () => {
    const store = new WorkspacesStore(db.database);
    const spaces = await Promise.all(
      [1, 2].map(() => store.ensure(OWNER, { slug: 'w', name: 'W', schema_name: 'ws_w' })),
    );
    expect(spaces[0]?.id).toBe(spaces[1]?.id);
    const workspace_id = spaces[0]?.id ?? '';
    const columns = [{ name: 'Nul \u0000', sql_name: 'nul', type: 'text' }];
    await store.saveTable(OWNER, { workspace_id, name: 't', sql_name: 't', columns: [] });
    await store.saveTable(OWNER, { workspace_id, name: 't', sql_name: 't', columns, upsert_key: 'nul' });
    expect(await store.table(OWNER, workspace_id, 't')).toMatchObject({ columns, upsert_key: 'nul' });
    expect(await store.tables(OWNER, workspace_id)).toHaveLength(1);
    expect(await store.get(STRANGER, 'w')).toBeNull();
    expect(await store.table(STRANGER, workspace_id, 't')).toBeNull();
    expect((await store.list(OWNER)).map((row) => row.slug)).toEqual(['w']);
  });
});

describe('journal', () => {
  it('notes are written once under a key and found by what they say', async () => {
    const store = new JournalStore(db.database);
    const runId = await seedRun(db.database);
    const note = {
      summary: 'Pay of 12% found',
      run_id: runId,
      entities_mentioned: ['ACME'],
      effect_key: `${runId}/note`,
    };
    const [a, b] = await Promise.all([store.note(OWNER, note), store.note(OWNER, note)]);
    expect(a.id).toBe(b.id);
    const found = async (filter: object) => (await store.query(OWNER, filter)).items.length;
    expect(await found({ runId })).toBe(1);
    expect(await found({ text: '12%' })).toBe(1);
    expect(await found({ text: 'PAY OF' })).toBe(1);
    expect(await found({ text: '13%' })).toBe(0);
    expect(await found({ entity: 'ACME' })).toBe(1);
    expect(await found({ entity: 'acm' })).toBe(0);
    expect(await found({ kind: 'run' })).toBe(0);
    expect((await store.query(STRANGER, {})).items).toEqual([]);
  });
});

describe('model calls', () => {
  it('a call counts once; an unknown price stays unknown', async () => {
    const store = new ModelCallsStore(db.database);
    const runId = await seedRun(db.database);
    const ask = async (answer: object) => {
      const id = (await store.open(OWNER, callOf(runId))) ?? '';
      // Repeated reports count once.
      for (let told = 0; told < 3; told++)
        expect(await store.settle(OWNER, runId, id, { ...ANSWER, ...answer })).toBe(true);
      return id;
    };
    const id = await ask({});
    await ask({ cost_usd: null, output_tokens: null });
    await ask({ cost_usd: 0.5 });
    expect(await store.open(STRANGER, callOf(runId))).toBeNull();
    expect(await store.settle(STRANGER, runId, id, ANSWER)).toBe(false);
    expect(await store.settle(OWNER, runId, randomUUID(), ANSWER)).toBe(false);
    expect(await new RunsStore(db.database).get(OWNER, runId)).toMatchObject({
      input_tokens: 30,
      output_tokens: 10,
      cost_usd: 0.75,
    });
    expect((await new RunsStore(db.database).require(OWNER, runId)).unpriced_calls).toBe(1);
    expect(await store.list(OWNER, runId)).toHaveLength(3);
    expect(await store.list(STRANGER, runId)).toHaveLength(0);
  });

  it('a call is booked when it leaves, and stays on the books when its answer is lost', async () => {
    const store = new ModelCallsStore(db.database);
    const runId = await seedRun(db.database);
    const books = async () => {
      const calls = await store.list(OWNER, runId);
      const { cost_usd, unpriced_calls } = await new RunsStore(db.database).require(OWNER, runId);
      return [calls.map((call) => `${call.call_no} ${call.outcome} ${call.latency_ms}`), cost_usd, unpriced_calls];
    };
    const first = (await store.open(OWNER, callOf(runId))) ?? '';
    expect(await books()).toEqual([['1 open null'], null, 1]);
    // Another attempt of the same try: the one before is gone, and what it had asked is not known.
    const second = (await store.open(OWNER, callOf(runId))) ?? '';
    const other = (await store.open(OWNER, { ...callOf(runId), effect_key: `${runId}/b`, step_path: 'b' })) ?? '';
    expect(await books()).toEqual([['1 lost null', '2 open null', '1 open null'], null, 3]);
    await store.settle(OWNER, runId, second, ANSWER);
    expect(await books()).toEqual([['1 lost null', '2 ok 7', '1 open null'], 0.25, 2]);
    await new TransitionsStore(db.database).finish(runId, { status: 'cancelled' });
    expect(await books()).toEqual([['1 lost null', '2 ok 7', '1 lost null'], 0.25, 2]);
    // Late results of workers that lived after all are recorded.
    await store.settle(OWNER, runId, first, ANSWER);
    await store.settle(OWNER, runId, other, { ...ANSWER, outcome: 'cancelled', cost_usd: null });
    expect(await books()).toEqual([['1 ok 7', '2 ok 7', '1 cancelled 7'], 0.5, 1]);
  });

  it('any count that a provider may tell is booked; the total ends at the largest one', async () => {
    const store = new ModelCallsStore(db.database);
    const runId = await seedRun(db.database);
    for (const output_tokens of [3_000_000_000, 5]) {
      const id = (await store.open(OWNER, callOf(runId))) ?? '';
      await store.settle(OWNER, runId, id, { ...ANSWER, input_tokens: Number.MAX_SAFE_INTEGER, output_tokens });
    }
    const tokens = (await store.list(OWNER, runId)).map((call) => [call.input_tokens, call.output_tokens]);
    expect(tokens).toEqual([
      [Number.MAX_SAFE_INTEGER, 3_000_000_000],
      [Number.MAX_SAFE_INTEGER, 5],
    ]);
    expect(await new RunsStore(db.database).get(OWNER, runId)).toMatchObject({
      input_tokens: Number.MAX_SAFE_INTEGER,
      output_tokens: 3_000_000_005,
    });
  });
});

const ANSWER = { input_tokens: 10, output_tokens: 5, cost_usd: 0.25, outcome: 'ok', latency_ms: 7 };

function callOf(run_id: string): SentCall {
  return { run_id, step_path: 'a', effect_key: `${run_id}/a`, try_no: 1, provider: 'openai', model: 'm' };
}
