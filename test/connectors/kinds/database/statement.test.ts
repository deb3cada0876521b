import { describe, expect, it } from '@jest/globals';
import { SqlFault } from '../../../../connectors/kinds/database/sql-fault';
import { readStatement, sqlFault } from '../../../../connectors/kinds/database/statement';

const READS = [
  'select 1',
  'select 1;',
  '  -- a comment\n select 1 -- and one at the end',
  "select ';' || $$; drop table t$$ || E'\\';' as x",
  'values (1), (2)',
  'table filings',
  'with a as (select 1 as n), b as (select n from a) select * from b',
  'with recursive r (n) as (select 1 union all select n + 1 from r where n < 5) select * from r',
  'select (select max(a) from t) as m, case when b then 1 else 0 end from t left join u using (id)',
  'select * from t where a = any (:ids) and b between :low and :high and c ~~ :pattern and d is not null',
  'select a, row_number() over (partition by b order by c) from t order by a limit :n offset 5',
  'select * from a union select * from b except select * from c',
  "select date_trunc('day', at) as day, count(*) filter (where x) from t group by grouping sets ((1), ())",
  "select j -> 'a' ->> 'b', j #> '{a,b}', j @> '{}' from t",
  "select * from jsonb_to_recordset('[]') as x (a int, b text)",
  "select * from json_table('[]', '$[*]' columns (a int path '$.a'))",
  'select xmlelement(name a, b) from t',
  "select a[1], a[1:2], (row(1, 2)).f1, t.*, extract(year from d), x at time zone 'UTC' from t tablesample system (10)",
  'select distinct on (a) a, b from t, lateral (select 1) l, generate_series(1, 3) g',
  "select current_date, current_user, coalesce(a, b), greatest(a, b), nullif(a, b), a::numeric(10, 2), interval '1 day'",
];

/** Statement, where its problem stands, and what is said. */
const REFUSED: [string, string, RegExp][] = [
  ['select 1; COMMIT; DROP TABLE t;--', 'COMMIT', /more than one statement/],
  ['select 1; select 2', 'select 2', /more than one statement/],
  ['select 1 /* x */; /* y */ drop table t', 'drop', /more than one statement/],
  ['', '', /no statement/],
  ['-- nothing', '', /no statement/],
  ['/* open', '/* open', /unterminated/],
  ["select 'open", "'open", /unterminated/],
  ['selct 1', 'selct', /syntax error/],
  ['select * from t where', '', /syntax error/],
  ['drop table t', '', /DROP|Drop/],
  ['insert into t values (1)', '', /INSERT/],
  ['update t set a = 1', '', /UPDATE/],
  ['delete from t', '', /DELETE/],
  ['merge into t using u on true when matched then delete', '', /MERGE/],
  ['truncate t', '', /Truncate/],
  ["copy t to program 'id'", '', /COPY/],
  ["copy (select 1) to '/tmp/x'", '', /COPY/],
  ['do $$ begin end $$', '', /DO/],
  ['call p()', '', /CALL/],
  ['prepare p as select 1', '', /PREPARE/],
  ['execute p', '', /EXECUTE/],
  ['explain analyze select 1', '', /EXPLAIN/],
  ['set role postgres', '', /SET/],
  ['reset all', '', /SET/],
  ['show all', '', /SHOW/],
  ['begin', '', /transaction/],
  ['declare c cursor for select 1', '', /DECLARE/],
  ['lock table t', '', /LOCK/],
  ['notify x', '', /NOTIFY/],
  ["load 'x'", '', /Load/],
  ['create table t as select 1', '', /CREATE TABLE AS/],
  ['select * into t from u', '', /INTO/],
  ['select * from (select * into t from u) x', '', /INTO|syntax/],
  ['with x as (select 1) select * into t from x', '', /INTO/],
  ['select * from t for update', '', /FOR UPDATE/],
  ['select * from t for no key update of t nowait', '', /FOR UPDATE/],
  ['select * from (select * from t for share) x', '', /FOR UPDATE/],
  ['with d as (delete from t returning *) select * from d', 'd as', /DELETE/],
  ['with i as (insert into t values (1) returning *) select * from i', 'i as', /INSERT/],
  ['select * from (with u as (update t set a = 1 returning a) select * from u) x', 'u as', /UPDATE/],
  ['select pg_sleep(10)', 'pg_sleep', /pg_sleep/],
  ['select PG_SLEEP(10)', 'PG_SLEEP', /pg_sleep/],
  ['select "pg_sleep"(10)', '"pg_sleep"', /pg_sleep/],
  ['select pg_catalog.pg_sleep(10)', 'pg_catalog.pg_sleep', /pg_sleep/],
  ['select U&"pg\\005fsleep"(10)', 'U&"pg', /pg_sleep/],
  ['select 1, pg_sleep/**/ -- x\n (10)', 'pg_sleep/**/', /pg_sleep/],
  ["select pg_read_file('/etc/passwd')", 'pg_read_file', /pg_read_file/],
  ["select * from pg_ls_dir('/')", 'pg_ls_dir', /pg_ls_dir/],
  ["select set_config('role', 'postgres', false)", 'set_config', /set_config/],
  ["select * from dblink('dbname=x', 'drop table t') as t (a int)", 'dblink', /dblink/],
  ["select lo_export(1, '/tmp/x')", 'lo_export', /lo_export/],
  ["select lo_import('/etc/passwd')", 'lo_import', /lo_import/],
  ["select query_to_xml('drop table t', true, true, '')", 'query_to_xml', /query_to_xml/],
  ["select * from crosstab('delete from t returning 1,2,3') as c (a int)", 'crosstab', /crosstab/],
  ["select * from ts_stat('select 1')", 'ts_stat', /ts_stat/],
  ["select nextval('s')", 'nextval', /nextval/],
  ['select * from t tablesample system_rows (10)', '', /SYSTEM or BERNOULLI, not `system_rows`/],
  ['select * from t tablesample app.system (10)', '', /SYSTEM or BERNOULLI, not `app.system`/],
  ['select pg_terminate_backend(1)', 'pg_terminate_backend', /pg_terminate_backend/],
  ['select pg_advisory_lock(1)', 'pg_advisory_lock', /pg_advisory_lock/],
  ["select pg_notify('a', 'b')", 'pg_notify', /pg_notify/],
  ['select * from t order by (select pg_sleep(1))', 'pg_sleep', /pg_sleep/],
  ['values (pg_sleep(1))', 'pg_sleep', /pg_sleep/],
  ['select $1', '$1', /`:name`/],
  ['select :a, $1', '$1', /`:name`/],
  ['select a[x:n] from t', ':n', /no parameter|syntax/],
  ['select 1\0; drop table t', '\0', /control character/],
  [`select ${'1+'.repeat(60_000)}1`, '', /at most/],
];

describe('a statement by its text', () => {
  it.each(READS)('%s', (sql) => {
    expect(sqlFault(sql)).toBeUndefined();
    expect(readStatement(sql).source).toBe(sql);
  });

  it.each(REFUSED)('refuses %j', (sql, at, message) => {
    const fault = sqlFault(sql);
    expect(fault?.message).toMatch(message);
    if (at !== '') expect(sql.slice(fault?.at)).toMatch(new RegExp(`^${at.replace(/[.*+?^${}()|[\]\\/$]/g, '\\$&')}`));
  });

  it('says the line and column of the text as it was written, behind parameters and letters of several bytes', () => {
    const sql = "select 'größe', :first,\n  :second, '😀' x y z";
    const fault = sqlFault(sql);
    expect(fault?.at).toBe(sql.indexOf('y z'));
    expect(fault?.message).toContain('line 2, column');
  });

  it('gives names, and what has to be looked up in the database', () => {
    const statement = readStatement(
      'select app.f(:b), count(*), t.field, (r).part, a OPERATOR(app.+) b from t, g(:a) where x = :b and y in (1, 2)',
    );
    expect(statement.names).toEqual(['b', 'a']);
    expect(statement.facts.functions).toEqual(
      expect.arrayContaining([
        { schema: 'app', name: 'f' },
        { schema: null, name: 'count' },
        { schema: null, name: 'g' },
      ]),
    );
    expect(statement.facts.operators.map((operator) => operator.name)).toEqual(expect.arrayContaining(['+', '=']));
    expect(readStatement('select a::app.mail, cast(b as int[]) from f() as x (c mood)').facts.types).toEqual(
      expect.arrayContaining([
        { schema: 'app', name: 'mail' },
        { schema: 'pg_catalog', name: 'int4' },
        { schema: null, name: 'mood' },
      ]),
    );
    expect(statement.facts.fields).toEqual(expect.arrayContaining(['field', 'part']));
  });

  it.each([
    ['parentheses', `select ${'('.repeat(20_000)}1${')'.repeat(20_000)}`],
    ['negations', `select ${'not '.repeat(20_000)} true`],
    ['subqueries', `${'select (select '.repeat(5_000)}1${')'.repeat(5_000)}`],
    ['sums', `select ${'1+'.repeat(30_000)}1`],
    ['arrays', `select ${'array['.repeat(10_000)}1${']'.repeat(10_000)}`],
  ])('reads or refuses deep %s, and the next statement is read all the same', (_name, sql) => {
    try {
      readStatement(sql);
    } catch (error) {
      expect(error).toBeInstanceOf(SqlFault);
    }
    expect(sqlFault('select 1')).toBeUndefined();
    expect(sqlFault('select 1; select 2')).toBeDefined();
  });
});
