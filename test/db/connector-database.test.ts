import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ask, otherDatabase, parameter, type OtherDatabase } from './connector-database-fixture';

let other: OtherDatabase;
let address: string;
beforeAll(async () => {
  other = await otherDatabase();
  address = other.addressOf('reader');
});
afterAll(() => other.close());

const rowsOfT = async (): Promise<unknown> =>
  (await other.admin.query<{ count: number }>('select count(*)::int as count from t'))[0]?.count;

describe('what a database answers', () => {
  it('gives rows with JSON of their types', async () => {
    const sql = 'select id, name, amount, day, at, tags, doc from t order by id';
    expect(await ask(sql, { address })).toEqual({
      results: [
        {
          id: 1,
          name: 'Ångström & Söhne',
          amount: 1234.5,
          day: '2026-01-31',
          at: '2026-01-31T10:00:00Z',
          tags: ['a', 'b, c', null],
          doc: { k: [1, null] },
        },
        { id: 2, name: null, amount: '12345678901234567890.12', day: null, at: null, tags: null, doc: null },
      ],
      count: 2,
      truncated: false,
    });
  });

  it.each([
    ['true, false', [true, false]],
    ['1::int2, 2::int8, 9007199254740993::int8', [1, 2, '9007199254740993']],
    ["1.5::float8, 'NaN'::float8, 'Infinity'::float4, 0.1::float4", [1.5, 'NaN', 'Infinity', 0.1]],
    [
      "'NaN'::numeric, 1.10::numeric, -0.001, 999999999999999, 9999999999999999",
      ['NaN', 1.1, -0.001, 999999999999999, '9999999999999999'],
    ],
    [
      "'2026-01-31 10:00:00.5'::timestamp, 'infinity'::timestamp, '0044-03-15 BC'::date",
      ['2026-01-31T10:00:00.5', 'infinity', '0044-03-15 BC'],
    ],
    ["'1 year 2 days'::interval, '10:00'::time", ['P1Y2D', '10:00:00']],
    [
      `array[[1,2],[3,4]], '[0:1]={a,"q\\"\\\\"}'::text[], array[true], array['{"a":1}'::jsonb]`,
      [
        [
          [1, 2],
          [3, 4],
        ],
        ['a', 'q"\\'],
        [true],
        [{ a: 1 }],
      ],
    ],
    ['array[]::int[], \'{"",NULL,"NULL"}\'::text[]', [[], ['', null, 'NULL']]],
    ["'{(1,1),(0,0);(2,2),(0,0)}'::box[]", [['(1,1),(0,0)', '(2,2),(0,0)']]],
    ["'null'::json, '1e999'::json, '{\"__proto__\": 1}'::json", [null, '1e999', JSON.parse('{"__proto__": 1}')]],
    [
      "'6ba7b810-9dad-11d1-80b4-00c04fd430c8'::uuid, '10.0.0.1/8'::inet, int4range(1, 5), row(1, 'a')",
      ['6ba7b810-9dad-11d1-80b4-00c04fd430c8', '10.0.0.1/8', '[1,5)', '(1,a)'],
    ],
  ])('%s', async (list, values) => {
    const names = values.map((_value, index) => `c${index}`);
    const sql = `select * from (values (${list})) as v (${names.join(', ')})`;
    const { results } = await ask(sql, { address });
    expect(Object.values((results as object[])[0] ?? {})).toEqual(values);
  });

  it.each([
    ['bytes', 'select raw from t', 'unsupported_type', 'encode(raw'],
    ['a list of bytes', "select array['x'::bytea] as list", 'unsupported_type', 'list'],
    ['two columns of one name', 'select a.id, b.id from t a, t b', 'duplicate_column', '`id`'],
  ])('refuses %s before it reads', async (_name, sql, code, message) => {
    await expect(ask(sql, { address })).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it('stops at the cap on rows and says so', async () => {
    const many = 'select n from generate_series(1, 5000) n';
    const cut = await ask(many, { address, endpoint: { max_rows: 1200 } });
    expect(cut).toMatchObject({ count: 1200, truncated: true });
    expect((cut['results'] as unknown[])[1199]).toEqual({ n: 1200 });
    expect(await ask(many, { address, endpoint: { max_rows: 5000 } })).toMatchObject({ count: 5000, truncated: false });
    expect(await ask('select 1 as n where false', { address })).toEqual({ results: [], count: 0, truncated: false });
  });

  it('stops at the cap on bytes without reading on', async () => {
    const sql = "select n, repeat('x', 10000) as text from generate_series(1, 1000000) n";
    const cut = await ask(sql, { address, endpoint: { max_rows: 1_000_000, max_bytes: 205_000 } });
    expect(cut).toMatchObject({ count: 20, truncated: true });
  });

  it('refuses a row that is larger than the answer may be, while it comes', async () => {
    const before = process.memoryUsage().rss;
    const sql = "select repeat(repeat('x', 10000), 20000) as text";
    await expect(ask(sql, { address, endpoint: { max_bytes: 1_000_000 } })).rejects.toMatchObject({
      code: 'response_too_large',
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  });

  it('takes a mapping', async () => {
    const endpoint = {
      response_mapping: { fields: { who: 'name', first: 'doc.k[0]', none: 'nothing' }, entity_extraction: [] },
    };
    expect(await ask('select name, doc from t where id = 1', { address, endpoint })).toMatchObject({
      results: [{ who: 'Ångström & Söhne', first: 1, none: null }],
    });
  });

  it('masks what the secret holds', async () => {
    const { results } = await ask("select 'it is a pass/word indeed' as text", { address });
    expect(results).toEqual([{ text: 'it is [masked] indeed' }]);
  });
});

describe('D03 values of parameters', () => {
  const hostile = [
    "x'); DROP TABLE t;--",
    "' or '1'='1",
    '$1',
    ':b',
    '\\',
    "E'\\'",
    '{1,2}',
    '"; select 1',
    '\u{1f600}',
    '',
  ];
  it.each(hostile)('%j is bound, never written into the text', async (value) => {
    const endpoint = { parameters: [parameter('a', 'string'), parameter('list', 'array')] };
    const inputs = { a: value, list: [value, 'other'] };
    const sql = 'select :a::text as a, :list::text[] as list, (select count(*) from t where name = :a) as n';
    expect(await ask(sql, { address, endpoint, inputs })).toMatchObject({
      results: [{ a: value, list: [value, 'other'], n: 0 }],
    });
    expect(await rowsOfT()).toBe(2);
  });

  it('takes the type that the statement gives them', async () => {
    const endpoint = {
      parameters: [
        parameter('id', 'integer'),
        parameter('day', 'date'),
        parameter('doc', 'object'),
        parameter('ids', 'array'),
        parameter('yes', 'boolean'),
      ],
    };
    const inputs = { id: '1', day: '2026-01-31', doc: { k: [1, null] }, ids: [1, 2], yes: true };
    const sql = 'select id from t where id = :id and day >= :day and doc @> :doc and id = any (:ids) and :yes';
    expect(await ask(sql, { address, endpoint, inputs })).toMatchObject({ results: [{ id: 1 }] });
    expect(await ask('select :id::int is null as n', { address, endpoint })).toMatchObject({ results: [{ n: true }] });
  });

  it.each([
    ['a wrong type', { id: 'x' }, 'invalid_input', 'of type integer'],
    ['an unknown input', { id: 1, idd: 2 }, 'invalid_input', '`idd` is no parameter'],
    ['an object where an id is expected', { id: { $gt: '' } }, 'invalid_input', 'of type integer'],
    ['a missing one', {}, 'invalid_input', '`id` is missing'],
  ])('refuses %s', async (_name, inputs, code, message) => {
    const endpoint = { parameters: [{ ...parameter('id', 'integer'), required: true }] };
    await expect(ask('select :id::int as id', { address, endpoint, inputs })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });

  it('helps where the statement gives a parameter no type', async () => {
    const endpoint = { parameters: [parameter('a', 'string')] };
    const sql = 'select 1 as one from t where\n  :a is null';
    await expect(ask(sql, { address, endpoint })).rejects.toMatchObject({
      code: 'invalid_sql',
      message: expect.stringContaining(':since::date'),
    });
  });
});

const LOUD_ORDER = [
  'create operator family loud_order using btree',
  `create or replace function loud_compare(a pair, b pair) returns int language plpgsql volatile as 'begin return 0; end'`,
  'alter operator family loud_order using btree add function 1 (pair, pair) loud_compare(pair, pair)',
];

describe('D01 a statement that does more than read', () => {
  const refuse = (sql: string): Promise<unknown> =>
    Promise.allSettled([ask(sql, { address }), ask(undefined, { address, inputs: { sql } })]);

  it('`SELECT 1; COMMIT; DROP TABLE t;--` is refused, and the table is there', async () => {
    const outcomes = await refuse('SELECT 1; COMMIT; DROP TABLE t;--');
    expect(outcomes).toMatchObject([
      { status: 'rejected', reason: { code: 'invalid_sql', category: 'validation' } },
      { status: 'rejected', reason: { code: 'invalid_sql', category: 'validation' } },
    ]);
    expect(await rowsOfT()).toBe(2);
  });

  it.each([
    ['a volatile function', 'select loud(1) as n', 'public.loud'],
    ['one that is named with its schema', 'select public.loud(1) as n', 'public.loud'],
    ['one that has the name of a harmless one', 'select app.random() as n', 'app.random'],
    ['one behind the dot of a row', 'select t.loud_part from t', 'public.loud_part'],
    ['one behind the dot of an expression', 'select (r).loud_part from t r', 'public.loud_part'],
    ['one inside an aggregate', 'select loud_sum(id) from t', 'public.loud_sum'],
    ['one inside an operator', 'select 1 ^^^ 2 as n', 'public.^^^'],
    ['one of a sequence', 'select lastval() as n', 'pg_catalog.lastval'],
    ['one of a cast', "select ('x'::text)::pair as p", 'cast (text as pair)'],
    ['one of a cast that looks like a call', "select pair('x'::text) as p", 'cast (text as pair)'],
    ['one in the check of a domain', "select 'a@b'::loud_mail as m", 'public.loud'],
    ['one in the check of a domain below a domain', "select 'a@b'::deep_mail as m", 'public.loud'],
    ['one in the check of a list of a domain', "select '{a@b}'::loud_mail[] as m", 'public.loud'],
    ['one in the check of a column', "select row('s', 'a@b')::envelope as e", 'public.loud'],
    ['one in the check of a record', "select * from json_to_record('{}') as x (m loud_mail)", 'public.loud'],
    ['one in the check of a parameter', "select takes_mail('a@b') as m", 'public.loud'],
    ['one in a default', 'select with_default() as n', 'public.loud'],
    ['one that resets statistics', 'select pg_stat_reset() as n', 'pg_catalog.pg_stat_reset'],
  ])('%s is refused', async (_name, sql, found) => {
    await expect(ask(sql, { address })).rejects.toMatchObject({
      code: 'sql_refused',
      message: expect.stringContaining(`\`${found}\``),
    });
  });

  it('what is never allowed is not allowed in the check of a domain either', async () => {
    await expect(ask('select 1::sleepy as n', { address })).rejects.toMatchObject({
      code: 'sql_refused',
      message: expect.stringMatching(/check of the domain `sleepy`.*`pg_sleep`/),
    });
  });

  it('types with a quiet check, casts of PostgreSQL and its samples may be used', async () => {
    const sql = `select 'a@b'::quiet_mail as m, '2026-01-31'::date as d, '{1,2}'::int[] as l, '7'::int8 as n, 'x'::varchar(3) as v,
      interval '1 day' as i from t tablesample bernoulli (100) where id = 1`;
    expect(await ask(sql, { address })).toMatchObject({
      results: [{ m: 'a@b', d: '2026-01-31', l: [1, 2], n: 7, v: 'x', i: 'P1D' }],
    });
  });

  it('what a view calls is not looked up: the transaction that only reads is its wall', async () => {
    expect(await ask('select n from loud_view', { address })).toMatchObject({ count: 2 });
    await expect(ask('select n from writing_view', { address })).rejects.toMatchObject({ code: 'sql_refused' });
    expect(await rowsOfT()).toBe(2);
  });

  it('a cast that happens unasked, by a volatile function, is refused wherever it could happen', async () => {
    await other.admin.query('create cast (pair as text) with function from_pair(pair) as implicit');
    try {
      await expect(ask('select count(*) as n from t', { address })).rejects.toMatchObject({
        code: 'sql_refused',
        message: expect.stringContaining('`cast (pair as text)`'),
      });
    } finally {
      await other.admin.query('drop cast (pair as text)');
    }
    expect(await ask('select count(*) as n from t', { address })).toMatchObject({ results: [{ n: 2 }] });
  });

  it('a comparison that an ORDER BY makes by a volatile function is refused', async () => {
    for (const statement of LOUD_ORDER) await other.admin.query(statement);
    try {
      await expect(ask('select day from t order by day', { address })).rejects.toMatchObject({
        code: 'sql_refused',
        message: expect.stringContaining('`operator class of pair`'),
      });
    } finally {
      await other.admin.query('drop operator family loud_order using btree cascade');
    }
  });

  it('stable functions, and volatile ones that change nothing, may be called', async () => {
    const sql =
      'select quiet(3) as n, random() < 2 as r, now() <= clock_timestamp() as c, gen_random_uuid() is not null as u';
    expect(await ask(sql, { address })).toMatchObject({ results: [{ n: 3, r: true, c: true, u: true }] });
  });

  it('a function that lies about itself meets a transaction that only reads', async () => {
    await expect(ask('select sneaky() as n', { address })).rejects.toMatchObject({
      code: expect.stringMatching(/^(sql_refused|invalid_sql)$/),
    });
    expect(await rowsOfT()).toBe(2);
  });

  it('a statement that takes too long ends at its time, here and there', async () => {
    const sql = 'select count(*) from generate_series(1, 1000000000000) n';
    await expect(ask(sql, { address, connector: { timeout_seconds: 1 } })).rejects.toMatchObject({
      code: 'upstream_timeout',
      retryable: true,
    });
  });
});
