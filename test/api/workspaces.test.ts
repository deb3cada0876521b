import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import type { Json, JsonObject } from '../../core/base/json';
import { owner } from '../../infra/db/database';
import { WorkspacesStore } from '../../infra/db/stores/workspaces.store';
import { saveRows } from '../../infra/workspace/save-rows';
import { PREFIX, startApi, type TestApi } from './api-fixture';
import { pagesOf } from './pages';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

async function save(table: string, rows: JsonObject[], workspace?: string, ownerId = LOCAL_USER_ID): Promise<string> {
  const store = new WorkspacesStore(api.database);
  const request = {
    table,
    rows,
    createIfMissing: true,
    key: { fields: [], onConflict: 'update' as const },
    runId: null,
    step: 's',
  };
  const saved = await api.database.tx(owner(ownerId), (sql) =>
    saveRows({ sql, store }, { ...request, ownerId, ...(workspace === undefined ? {} : { workspace }) }),
  );
  return saved.workspace_id;
}
const at = (table: string): string => `/workspaces/default/tables/${encodeURIComponent(table)}`;
const filter = (...conditions: Json[]): string => `filter=${encodeURIComponent(JSON.stringify(conditions))}`;
const values = (row: Record<string, unknown>): JsonObject => row['values'] as JsonObject;

describe('workspaces and tables', () => {
  it('are listed by name', async () => {
    await save('t1', [{ a: 1 }], 'Beta');
    const alpha = await save('t2', [{ a: 1, 'b c': 'x' }], 'Alpha');
    await save('t1', [{ a: 1 }], 'Alpha');
    expect(await pagesOf(api, '/workspaces?limit=1', (row) => row['slug'])).toEqual(
      expect.arrayContaining(['alpha', 'beta']),
    );
    expect((await api.call('GET', `/workspaces/${alpha}`)).body).toMatchObject({
      id: alpha,
      slug: 'alpha',
      name: 'Alpha',
    });
    expect(await pagesOf(api, '/workspaces/alpha/tables?limit=1', (row) => row['name'])).toEqual(['t1', 't2']);
    const { body } = await api.call('GET', '/workspaces/alpha/tables/t2');
    expect(body).toMatchObject({
      name: 't2',
      columns: [
        { name: 'a', type: 'bigint' },
        { name: 'b c', type: 'text' },
      ],
    });
    expect((await api.call('GET', `/workspaces/alpha/tables/${String(body['id'])}`)).body).toEqual(body);
    expect(await api.call('GET', '/workspaces/none')).toMatchObject({
      status: 404,
      body: { code: 'workspace_not_found' },
    });
    expect(await api.call('GET', '/workspaces/alpha/tables/none/rows')).toMatchObject({
      status: 404,
      body: { code: 'workspace_table_not_found' },
    });
  });
});

describe('rows', () => {
  const name = '"; drop schema public cascade; --';
  beforeAll(async () => {
    await save(name, [
      { n: 3, text: 'Gamma', price: 1.5, day: '2026-01-03', yes: true, tags: ['x'] },
      { n: 1, text: 'alpha', price: null, day: '2026-01-01', yes: false, tags: [] },
      { n: null, text: null, price: 2.5, day: null, yes: null, tags: null },
      { n: 2, text: 'Beta', price: 1.5, day: '2026-01-02', yes: true, tags: { a: 1 } },
      JSON.parse('{"n": 2, "text": "50% _off", "__proto__": "own", "a\\" ; b": 1}') as JsonObject,
    ]);
  });

  it('come in the order in which they were saved, as the data have them', async () => {
    expect(await pagesOf(api, `${at(name)}/rows?limit=2`, (row) => values(row)['n'])).toEqual([3, 1, null, 2, 2]);
    const { body } = await api.call('GET', `${at(name)}/rows?limit=1`);
    expect(body.items).toMatchObject([
      { row_no: 1, step: 's', values: { n: 3, text: 'Gamma', price: 1.5, day: '2026-01-03', yes: true, tags: ['x'] } },
    ]);
    const [odd] =
      (await api.call('GET', `${at(name)}/rows?${filter({ column: '__proto__', op: 'eq', value: 'own' })}`)).body
        .items ?? [];
    expect(Object.entries(values(odd ?? {}))).toEqual(
      expect.arrayContaining([
        ['__proto__', 'own'],
        ['a" ; b', 1],
      ]),
    );
  });

  it('numbers that a double does not hold are sorted, compared and given back to the last digit', async () => {
    const ids = ['9007199254740993', 5, '7615917337495251231', 10, '12345678901234567.50', '-9007199254740993'];
    await save(
      'exact',
      ids.map((id, at) => ({ id, at })),
    );
    const rows = (query: string): Promise<Json[]> =>
      pagesOf(api, `${at('exact')}/rows?limit=2&${query}`, (row) => values(row)['id']) as Promise<Json[]>;
    const sorted = ['-9007199254740993', 5, 10, '9007199254740993', '12345678901234567.50', '7615917337495251231'];
    expect(await rows('sort=id')).toEqual(sorted);
    expect(await rows('sort=-id')).toEqual([...sorted].reverse());
    expect(await rows(`sort=id&${filter({ column: 'id', op: 'gt', value: '9007199254740992' })}`)).toEqual(
      sorted.slice(3),
    );
    expect(await rows(filter({ column: 'id', op: 'eq', value: '9007199254740993' }))).toEqual(['9007199254740993']);
    expect(await rows(filter({ column: 'at', op: 'lt', value: '9007199254740993' }))).toEqual(ids);
    expect(
      await api.call('GET', `${at('exact')}/rows?${filter({ column: 'id', op: 'eq', value: 'x' })}`),
    ).toMatchObject({
      status: 400,
      body: { code: 'invalid_filter' },
    });
  });

  it('numbers beyond what a double reaches are numbers, too', async () => {
    const rows = [1, '1e400', 20, '1e-400', 3, '-2.5e999', 1e300, null];
    await save(
      'far',
      rows.map((v) => ({ v })),
    );
    const { body } = await api.call('GET', at('far'));
    expect(body['columns']).toEqual([{ name: 'v', type: 'numeric' }]);
    const read = (query: string): Promise<Json[]> =>
      pagesOf(api, `${at('far')}/rows?limit=3&${query}`, (row) => values(row)['v']) as Promise<Json[]>;
    const sorted = ['-2.5e+999', '1e-400', 1, 3, 20, 1e300, '1e+400'];
    expect(await read('')).toEqual([1, '1e+400', 20, '1e-400', 3, '-2.5e+999', 1e300, null]);
    expect(await read('sort=v')).toEqual([...sorted, null]);
    expect(await read(`sort=v&${filter({ column: 'v', op: 'gte', value: 3 })}`)).toEqual(sorted.slice(3));
    expect(await read(`sort=v&${filter({ column: 'v', op: 'lt', value: '1e-399' })}`)).toEqual(sorted.slice(0, 2));
    expect(await read(filter({ column: 'v', op: 'eq', value: '10e399' }))).toEqual(['1e+400']);
    // Saves values that were read back: they stay the same.
    await save('again', [{ v: '1e+400' }, { v: '1e-400' }, { v: 2 }]);
    expect(await api.call('GET', at('again'))).toMatchObject({ body: { columns: [{ name: 'v', type: 'numeric' }] } });
    // A number of more digits than anybody counts with is a text, and no fault of the save.
    await save('beyond', [{ v: 1 }, { v: '1e2000' }, { v: '1e999999' }, { v: '1e-20000' }]);
    expect(await api.call('GET', at('beyond'))).toMatchObject({ body: { columns: [{ name: 'v', type: 'text' }] } });
    expect(await pagesOf(api, `${at('beyond')}/rows?limit=2`, (row) => values(row)['v'])).toEqual([
      '1',
      '1e2000',
      '1e999999',
      '1e-20000',
    ]);
  });

  it.each([
    ['n', [1, 2, 2, 3, null]],
    ['-n', [3, 2, 2, 1, null]],
    ['price', [3, 2, null, 1, 2]],
    ['-day', [3, 2, 1, null, 2]],
    ['yes', [1, 3, 2, null, 2]],
  ])('are sorted by %s, empty values last, over pages of every size', async (sort, expected) => {
    for (const limit of [1, 2, 5]) {
      expect(await pagesOf(api, `${at(name)}/rows?limit=${limit}&sort=${sort}`, (row) => values(row)['n'])).toEqual(
        expected,
      );
    }
  });

  it.each<[string, Json[], (number | null)[]]>([
    ['equal', [{ column: 'n', op: 'eq', value: 2 }], [2, 2]],
    ['not equal, empty ones too', [{ column: 'n', op: 'ne', value: 2 }], [3, 1, null]],
    [
      'a range',
      [
        { column: 'price', op: 'gte', value: 1.5 },
        { column: 'price', op: 'lt', value: 2.5 },
      ],
      [3, 2],
    ],
    ['a date', [{ column: 'day', op: 'gt', value: '2026-01-01' }], [3, 2]],
    ['a truth', [{ column: 'yes', op: 'eq', value: false }], [1]],
    ['a part of a text, whatever its case', [{ column: 'text', op: 'contains', value: 'A' }], [3, 1, 2]],
    ['signs of patterns as they are', [{ column: 'text', op: 'contains', value: '% _' }], [2]],
    ['empty ones', [{ column: 'text', op: 'is_null' }], [null]],
    ['lists', [{ column: 'tags', op: 'not_null' }], [3, 1, 2]],
    ['a name with a quote', [{ column: 'a" ; b', op: 'eq', value: 1 }], [2]],
  ])('are filtered: %s', async (_what, conditions, expected) => {
    expect(await pagesOf(api, `${at(name)}/rows?limit=1&${filter(...conditions)}`, (row) => values(row)['n'])).toEqual(
      expected,
    );
  });

  it.each([
    ['an unknown column', filter({ column: 'x', op: 'eq', value: 1 }), 'unknown_column'],
    ['an unknown column to sort by', 'sort=_id', 'unknown_column'],
    ['an order of lists', 'sort=tags', 'invalid_sort'],
    ['a value of another type', filter({ column: 'n', op: 'eq', value: 'x' }), 'invalid_filter'],
    ['a date that is none', filter({ column: 'day', op: 'eq', value: '2026-02-30' }), 'invalid_filter'],
    ['a comparison without a value', filter({ column: 'n', op: 'eq' }), 'invalid_filter'],
    ['an unknown operator', filter({ column: 'n', op: 'like', value: 'x' }), 'invalid_filter'],
    ['a part of a number', filter({ column: 'n', op: 'contains', value: 1 }), 'invalid_filter'],
    [
      'more than is looked at',
      filter(...Array.from({ length: 11 }, () => ({ column: 'n', op: 'is_null' }))),
      'invalid_filter',
    ],
    ['what is no JSON', 'filter=x', 'invalid_filter'],
    ['a cursor that is none', 'cursor=x', 'invalid_cursor'],
  ])('are refused for %s', async (_what, query, code) => {
    expect(await api.call('GET', `${at(name)}/rows?${query}`)).toMatchObject({ status: 400, body: { code } });
  });

  it('have cursors that fit one order and one filter', async () => {
    const { body } = await api.call('GET', `${at(name)}/rows?limit=1&sort=n`);
    const cursor = `cursor=${String(body['next_cursor'])}`;
    for (const query of ['', '&sort=-n', `&sort=n&${filter({ column: 'n', op: 'not_null' })}`]) {
      expect(await api.call('GET', `${at(name)}/rows?limit=1&${cursor}${query}`)).toMatchObject({
        status: 400,
        body: { code: 'invalid_cursor' },
      });
    }
  });
});

describe('export', () => {
  const read = async (query: string): Promise<{ type: string | null; disposition: string | null; text: string }> => {
    const answer = await fetch(`${api.url}${PREFIX}${at('export me')}/export${query}`, { headers: api.headers });
    const { headers } = answer;
    return {
      type: headers.get('content-type'),
      disposition: headers.get('content-disposition'),
      text: await answer.text(),
    };
  };
  beforeAll(() =>
    save(
      'export me',
      Array.from({ length: 2_500 }, (_, n) => ({ n, text: n === 0 ? '=1+1' : `"ä", ${n}` })),
    ),
  );

  it('gives all rows as CSV that no spreadsheet takes for formulas', async () => {
    const { type, disposition, text } = await read('');
    expect({ type, disposition }).toEqual({
      type: 'text/csv; charset=utf-8',
      disposition: expect.stringContaining('export%20me.csv'),
    });
    const lines = text.trimEnd().split('\n');
    expect(lines).toHaveLength(2_501);
    expect(lines.slice(0, 3)).toEqual(['n,text', "0,'=1+1", '1,"""ä"", 1"']);
  });

  it('gives them as JSON, also filtered', async () => {
    const rows = JSON.parse((await read('?format=json')).text) as JsonObject[];
    expect(rows).toHaveLength(2_500);
    expect(rows.at(-1)).toEqual({ n: 2_499, text: '"ä", 2499' });
    const some = JSON.parse(
      (await read(`?format=json&${filter({ column: 'n', op: 'lt', value: 2 })}`)).text,
    ) as JsonObject[];
    expect(some).toEqual([
      { n: 0, text: '=1+1' },
      { n: 1, text: '"ä", 1' },
    ]);
    const none = await read(`?format=json&${filter({ column: 'n', op: 'lt', value: 0 })}`);
    expect(JSON.parse(none.text)).toEqual([]);
  });
});

it('shows nothing of a stranger', async () => {
  const user = randomUUID();
  await api.admin.query(`insert into users (id, handle, display_name) values ($1, $2, 'Somebody')`, [user, user]);
  const theirs = await save('secret', [{ a: 1 }], 'Theirs', user);
  for (const path of ['', '/tables', '/tables/secret', '/tables/secret/rows', '/tables/secret/export']) {
    for (const id of [theirs, 'theirs']) {
      expect(await api.call('GET', `/workspaces/${id}${path}`)).toMatchObject({
        status: 404,
        body: { code: 'workspace_not_found' },
      });
    }
  }
});
