import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Json } from '../../../core/base/json';
import { owner } from '../../../infra/db/database';
import { OWNER, STRANGER } from '../../db/db-fixture';
import { DataFixture } from '../data-fixture';

let fixture: DataFixture;
beforeAll(async () => {
  fixture = await DataFixture.start();
});
afterAll(() => fixture.stop());

const save = (table: string, data: Json, params = {}) =>
  fixture.run('save_to_workspace', { data }, { table_name: table, ...params });
const failure = (table: string, data: Json, params = {}) =>
  fixture.failure('save_to_workspace', { data }, { table_name: table, ...params });

async function typesOf(table: string): Promise<Record<string, string>> {
  const [row] = await fixture.rows('select columns from workspace_tables where name = $1', [table]);
  return Object.fromEntries(
    ((row?.columns ?? []) as { name: string; type: string }[]).map((column) => [column.name, column.type]),
  );
}

describe('save_to_workspace', () => {
  it('makes a table from the shape of the data', async () => {
    const data = [
      {
        ein: '200253310',
        year: 2014,
        pay: 10.5,
        former: false,
        since: '2010-12-31',
        tags: ['a'],
        'Full Name': 'Ann "Ñ" \u0000 Lee',
        empty: null,
      },
      { ein: '010211478', year: 2015, pay: 3, former: true, since: null, tags: null, 'Full Name': null, empty: null },
    ];
    const saved = await save('Officers of 2014!', data);
    expect(saved).toMatchObject({ rows_inserted: 2, rows_updated: 0, table_name: 'Officers of 2014!' });
    expect(await typesOf('Officers of 2014!')).toEqual({
      ein: 'text',
      year: 'bigint',
      pay: 'numeric',
      former: 'boolean',
      since: 'date',
      tags: 'json',
      'Full Name': 'text',
      empty: 'unknown',
    });
    const table = await fixture.table('Officers of 2014!');
    expect(table).toMatch(/^"ws_[0-9a-f]{32}"\."officers_of_2014"$/);
    const rows = await fixture.rows(
      `select ein, year, pay, former, since, tags, full_name, _run_id, _step from ${table} order by _id`,
    );
    expect(rows[0]).toMatchObject({
      ein: '200253310',
      year: 2014,
      pay: 10.5,
      former: false,
      since: '2010-12-31',
      tags: ['a'],
      full_name: 'Ann "Ñ" \ufffd Lee',
      _run_id: fixture.runId,
    });
    const [count] = await fixture.rows(`select count(*) from ${table} where since > date '2010-01-01' and pay > 10`);
    expect(count).toEqual({ count: 1 });
  });

  it('adds columns and widens types, and keeps what is there', async () => {
    await save('growing', [{ a: 1, b: null, c: true, d: '2020-01-01' }]);
    await save('growing', [{ a: 2.5, b: { x: 1 }, c: null, d: '2021-02-03', e: 'new' }]);
    expect(await typesOf('growing')).toEqual({ a: 'numeric', b: 'json', c: 'boolean', d: 'date', e: 'text' });
    await save('growing', [{ a: 'n/a', c: 'maybe', d: 'soon', e: 5, b: 'any' }]);
    expect(await typesOf('growing')).toEqual({ a: 'text', b: 'json', c: 'text', d: 'text', e: 'text' });
    expect(await fixture.rows(`select a, b, c, d, e from ${await fixture.table('growing')} order by _id`)).toEqual([
      { a: '1', b: null, c: 'true', d: '2020-01-01', e: null },
      { a: '2.5', b: { x: 1 }, c: null, d: '2021-02-03', e: 'new' },
      { a: 'n/a', b: 'any', c: 'maybe', d: 'soon', e: '5' },
    ]);
  });

  it('refuses a record where a column holds single values, and changes nothing', async () => {
    await save('strict', [{ a: 1 }]);
    expect(
      await failure('strict', [
        { a: 2, z: 1 },
        { a: { nested: true }, z: 2 },
      ]),
    ).toBe('workspace_type_conflict');
    expect(await typesOf('strict')).toEqual({ a: 'bigint' });
    expect(await fixture.rows(`select a from ${await fixture.table('strict')}`)).toEqual([{ a: 1 }]);
  });

  it('updates rows by the upsert key', async () => {
    await save(
      'people',
      [
        { id: 1, name: 'Ann', city: 'x' },
        { id: 2, name: 'Bob', city: 'y' },
      ],
      { upsert_key: 'id' },
    );
    const again = await save(
      'people',
      [
        { id: 2, name: 'Robert' },
        { id: 3, name: 'Cleo' },
        { id: 3, name: 'Cleopatra' },
      ],
      { upsert_key: 'id' },
    );
    expect(again).toMatchObject({ rows_inserted: 1, rows_updated: 2 });
    expect(await fixture.rows(`select id, name, city from ${await fixture.table('people')} order by id`)).toEqual([
      { id: 1, name: 'Ann', city: 'x' },
      { id: 2, name: 'Robert', city: 'y' },
      { id: 3, name: 'Cleopatra', city: null },
    ]);
    expect(await failure('people', [{ name: 'nobody' }], { upsert_key: 'id' })).toBe('upsert_key_missing');
    expect(await failure('people', [{ id: null }], { upsert_key: 'id' })).toBe('upsert_key_missing');
    expect(await failure('people', [{ id: 1 }])).toBe('workspace_duplicate_key');
    expect(await failure('people', [{ id: 1, city: 'z' }], { upsert_key: ['id', 'city'] })).toBe(
      'workspace_duplicate_key',
    );
  });

  it('refuses an upsert key that the table has twice, or that holds lists', async () => {
    await save('twice', [{ k: 'a' }, { k: 'a' }, { k: 'b' }]);
    expect(await failure('twice', [{ k: 'c' }], { upsert_key: 'k' })).toBe('upsert_key_not_unique');
    expect(await failure('lists', [{ k: [1] }], { upsert_key: 'k' })).toBe('workspace_type_conflict');
  });

  it('does not create what it must not, and names what is missing', async () => {
    expect(await failure('none', [{ a: 1 }], { create_if_missing: false })).toBe('workspace_table_not_found');
    expect(await failure('none', [{ a: 1 }], { workspace_id: 'research', create_if_missing: false })).toBe(
      'workspace_not_found',
    );
    expect(await failure('none', [{ a: 1 }], { workspace_id: randomUUID() })).toBe('workspace_not_found');
    expect(await failure('none', null)).toBe('missing_data');
    expect(await failure('none', ['text'])).toBe('invalid_data');
    expect(await failure('', [{ a: 1 }])).toBe('invalid_params');
    expect(await failure('ok', [{ a: 1 }], { workspace_id: '***' })).toBe('invalid_workspace_name');
  });

  it('keeps owners and workspaces apart', async () => {
    const mine = await save('shared name', [{ a: 1 }], { workspace_id: 'Research 1' });
    const other = await fixture.run(
      'save_to_workspace',
      { data: [{ a: 2 }] },
      { table_name: 'shared name', workspace_id: 'research-1' },
      { ownerId: STRANGER },
    );
    expect(other.workspace_id).not.toBe(mine.workspace_id);
    const stolen = fixture.run(
      'save_to_workspace',
      { data: [{ a: 3 }] },
      { table_name: 'x', workspace_id: mine.workspace_id ?? null },
      { ownerId: STRANGER },
    );
    await expect(stolen).rejects.toMatchObject({ code: 'workspace_not_found' });
    expect((await save('shared name', [{ a: 4 }], { workspace_id: mine.workspace_id })).workspace_id).toBe(
      mine.workspace_id,
    );
  });

  it('takes hostile names as data', async () => {
    const hostile = JSON.parse(
      '[{"__proto__": 1, "a\\"; drop table runs; --": "x", "_run_id": "mine", "ctid": 5, "A": 1, "a": 2, "": 3, "\\u0000": {"\\u0000\\ud800": "\\u0000"}, "日本": "語"}]',
    ) as Json;
    const name = '"; drop schema public cascade; --';
    expect(await save(name, hostile)).toMatchObject({ rows_inserted: 1 });
    expect(Object.keys(await typesOf(name))).toHaveLength(9);
    const [row] = await fixture.rows(`select * from ${await fixture.table(name)}`);
    expect(row?._run_id).toBe(fixture.runId);
    expect((await fixture.rows('select count(*) from runs'))[0]).toEqual({ count: 1 });
  });

  it('rolls back as a whole with the step', async () => {
    const action = fixture.actions.save_to_workspace;
    const outcome = await action?.(
      { action: 'save_to_workspace', inputs: { data: [{ a: 1 }] }, params: { table_name: 'undone' } },
      fixture.context(),
    );
    const undone = fixture.db.database.tx(owner(OWNER), async (sql) => {
      if (outcome !== undefined && 'commit' in outcome) {
        await outcome.commit(sql);
      }
      throw new Error('the result could not be recorded');
    });
    await expect(undone).rejects.toThrow('could not be recorded');
    expect(await fixture.rows(`select 1 from workspace_tables where name = 'undone'`)).toEqual([]);
  });

  it('lets saves at one time into one new table', async () => {
    const saves = await Promise.all(
      Array.from({ length: 8 }, (_each, at) =>
        save('at once', [{ [`c${at}`]: at, id: at }], { workspace_id: 'fresh', upsert_key: 'id' }),
      ),
    );
    expect(saves.map((saved) => saved.rows_inserted)).toEqual(Array(8).fill(1));
    expect(await fixture.rows(`select count(*) from ${await fixture.table('at once')}`)).toEqual([{ count: 8 }]);
  });

  it('writes ten thousand rows in a few statements', async () => {
    const data = Array.from({ length: 10_000 }, (_each, at) => ({
      id: at,
      name: `Person ${at}`,
      pay: at / 7,
      tags: [at],
      note: at % 3 === 0 ? null : 'x'.repeat(40),
    }));
    expect(await save('large', data, { upsert_key: 'id' })).toMatchObject({ rows_inserted: 10_000, rows_updated: 0 });
    expect(await save('large', data.slice(0, 5000), { upsert_key: 'id' })).toMatchObject({
      rows_inserted: 0,
      rows_updated: 5000,
    });
    // Rows of one statement carry one command number of their transaction: 3 statements updated, 5 inserted, of
    // whose rows the last 2 to 3 are still there.
    const [written] = await fixture.rows(
      `select count(distinct (xmin::text, cmin::text)) as statements from ${await fixture.table('large')}`,
    );
    expect(written?.['statements']).toBe(6);
  });

  it('saves nothing from an empty list, and one record as one row', async () => {
    expect(await save('empty', [])).toMatchObject({ rows_inserted: 0, table_name: 'empty' });
    expect(await save('single', { a: 1 })).toMatchObject({ rows_inserted: 1 });
  });
});
