import { describe, expect, it } from '@jest/globals';
import { positionalSql } from '../../../../connectors/kinds/database/named-parameters';

describe('named parameters', () => {
  it.each([
    ['one', 'select :a', 'select $1', ['a']],
    ['one twice', 'select :a, :b, :a', 'select $1, $2, $1', ['a', 'b']],
    ['a cast', 'select :a::int, b::text', 'select $1::int, b::text', ['a']],
    ['a text', `select ':a', :b`, `select ':a', $1`, ['b']],
    ['a doubled quote', `select 'it''s :a', :b`, `select 'it''s :a', $1`, ['b']],
    ['a backslash, which is none', `select '\\', :b`, `select '\\', $1`, ['b']],
    ['an escape text', `select E'\\' :a', :b`, `select E'\\' :a', $1`, ['b']],
    ['a quoted name', 'select ":a" from t where x = :b', 'select ":a" from t where x = $1', ['b']],
    ['a line comment', 'select 1 -- :a\n, :b', 'select 1 -- :a\n, $1', ['b']],
    ['a nested comment', 'select /* /* :a */ :c */ :b', 'select /* /* :a */ :c */ $1', ['b']],
    ['dollar quotes', 'select $$ :a $$, $x$ :c $$ $x$, :b', 'select $$ :a $$, $x$ :c $$ $x$, $1', ['b']],
    ['a dollar in a name', 'select a$b$c, :b', 'select a$b$c, $1', ['b']],
    ['an unclosed text', `select ':a`, `select ':a`, []],
    ['an assignment', 'select f(a := 1, b := :b)', 'select f(a := 1, b := $1)', ['b']],
    ['a number before', 'select x[1::int]', 'select x[1::int]', []],
  ])('%s', (_name, source, text, names) => {
    expect(positionalSql(source)).toMatchObject({ text, names });
  });

  it('finds the way back to the text of the author', () => {
    const source = 'select :first, :second, oops';
    const sql = positionalSql(source);
    expect(sql.sourceAt(sql.text.indexOf('oops'))).toBe(source.indexOf('oops'));
    expect(sql.sourceAt(sql.text.indexOf('$2'))).toBe(source.indexOf(':second'));
    expect(sql.sourceAt(0)).toBe(0);
  });

  it('takes time in proportion to the text', () => {
    const source = `select ${"'".repeat(20_001)}${'/*'.repeat(10_000)}`;
    expect(positionalSql(source).names).toEqual([]);
  });
});
