import { describe, expect, it } from '@jest/globals';
import { assert, constantFrom, array, property } from 'fast-check';
import { isGraphqlFault, readGraphql } from '../../../core/connector/graphql-text';
import { sqlPlaceholders } from '../../../core/connector/sql-placeholders';

describe('GraphQL texts', () => {
  it.each([
    ['{ a }', 'query', []],
    ['query { a }', 'query', []],
    ['query Q($a: Int!, $b: [String!]! = ["$x"], $c: [Int!]) @d(e: $a) { f(g: {h: $b}) }', 'query', ['a']],
    ['mutation M($a: ID!) { f(a: $a) { g } } fragment F on T { h }', 'mutation', ['a']],
    ['# query {\n{ a(b: "} $no") }', 'query', []],
    ['{ a(b: """ } " \\""" $no """) }', 'query', []],
    ['\ufeffquery($a:Int){a(b:-1.5e3,c:$a)...F}fragment F on T{x}', 'query', []],
    ['query($a: String! = "x") { b(c: $a) }', 'query', []],
  ])('%s', (text, operation, required) => {
    const read = readGraphql(text);
    expect(isGraphqlFault(read)).toBe(false);
    expect(read).toMatchObject({ operation });
    const variables = isGraphqlFault(read) ? [] : read.variables;
    expect(variables.filter((variable) => variable.required).map((variable) => variable.name)).toEqual(required);
  });
  it.each([
    ['', 0],
    ['fragment F on T { a }', 0],
    ['{ a', 3],
    ['{ a } }', 6],
    ['query', 5],
    ['query(a: Int) { b }', 6],
    ['query($a: Int', 13],
    ['{ a(b: $c) }', 8],
    ['{ a } { b }', 6],
    ['subscription { a }', 0],
    ['{ a(b: "x\n") }', 7],
    ['{ a ~ }', 4],
    ['{ a """ b }', 4],
    [`${'{a'.repeat(101)}${'}'.repeat(101)}`, 200],
  ])('%j is refused', (text, at) => {
    expect(readGraphql(text)).toEqual({ message: expect.any(String), at });
  });
  it('P10: hostile texts are read once', () => {
    for (const piece of ['{', '"', '"""', '\\"""', '$a:', '(', '#', 'query ', '[', '...']) {
      expect(readGraphql(piece.repeat(20_000))).toHaveProperty('at');
    }
  });
  it('never throws', () => {
    const piece = constantFrom(
      '{',
      '}',
      '(',
      ')',
      '$',
      'a',
      ':',
      '!',
      '=',
      '"',
      '"""',
      '\\',
      '\n',
      ' ',
      'query',
      'fragment',
      '[',
      ']',
      '...',
      '@',
    );
    assert(
      property(array(piece, { maxLength: 40 }), (pieces) => {
        expect(readGraphql(pieces.join(''))).toBeDefined();
      }),
      { numRuns: 500 },
    );
  });
});

describe('placeholders of SQL', () => {
  const names = (sql: string): string[] => sqlPlaceholders(sql).map(({ name }) => name);
  it.each<[string, string[]]>([
    ['SELECT :a, :b_2', ['a', 'b_2']],
    ["SELECT ':a', ':b'':c', :d", ['d']],
    ['SELECT ":a", ":b"":c", :d', ['d']],
    ["SELECT E'\\':a', :b", ['b']],
    ["SELECT '\\', :a, '", ['a']],
    ["SELECT NAME':a', :b", ['b']],
    ['SELECT a::text, :b::int', ['b']],
    ['SELECT $$ :a $$, $t$ :b $$ $t$, :c', ['c']],
    ['SELECT a$1, :b', ['b']],
    ['SELECT 1 -- :a\n, :b', ['b']],
    ['SELECT /* :a /* :b */ :c */ :d', ['d']],
    ["SELECT ':a", []],
    ['SELECT /* :a', []],
    ['SELECT $x$ :a', []],
    ['SELECT a[1:2], b := 3', []],
    ['SELECT $1, :a', ['1', 'a']],
  ])('%s', (sql, expected) => {
    expect(names(sql)).toEqual(expected);
  });
  it('says where, and which are numbers', () => {
    expect(sqlPlaceholders('SELECT $1, :a')).toEqual([
      { name: '1', at: 7, numbered: true },
      { name: 'a', at: 11, numbered: false },
    ]);
  });
  it('P10: hostile texts are read once', () => {
    for (const piece of ["'", '"', '$', '$a', '/*', '--', ':', '::', ':a ', "E'\\"]) {
      expect(Array.isArray(sqlPlaceholders(piece.repeat(20_000)))).toBe(true);
    }
  });
});
