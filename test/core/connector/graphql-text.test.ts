import { describe, expect, it } from '@jest/globals';
import { isGraphqlFault, readGraphql } from '../../../core/connector/graphql-text';

/** The variables that a text needs, with `!` behind those that must be given; or where its fault is. */
function read(text: string): string {
  const found = readGraphql(text);
  if (isGraphqlFault(found)) return `fault at ${found.at}`;
  return [found.operation, ...found.variables.map(({ name, required }) => `${name}${required ? '!' : ''}`)].join(' ');
}

describe('the variables of a GraphQL text', () => {
  it.each([
    ['{ a }', 'query'],
    ['query { a }', 'query'],
    ['mutation M { a }', 'mutation'],
    ['query ($a: Int) { a }', 'query a'],
    ['query ($a: Int!) { a }', 'query a!'],
    ['query ($a: Int!, $b: String) { a }', 'query a! b'],
    ['query ($a: Int $b: String!) { a }', 'query a b!'],
    ['query ($a: [Int!]) { a }', 'query a'],
    ['query ($a: [Int]!) { a }', 'query a!'],
    ['query ($a: [[Int!]!]!) { a }', 'query a!'],
    ['query ($a: Int! = 3) { a }', 'query a'],
    ['query ($a: [Int!]! = [1, 2]) { a }', 'query a'],
    ['query ($a: In! = {k: "!"}) { a }', 'query a'],
    ['query ($a: In! = {k: [1]} @d(x: 1), $b: Int!) { a }', 'query a b!'],
    ['query ($a: Int = 1, $b: Int!) { a }', 'query a b!'],
    ['query ($a: Int! @d, $b: [Int!]! @d(x: 1, y: [2]) @e) { a }', 'query a! b!'],
    ['query ($a: Int @d(x: "!"), $b: [Int!] @d, $c: Int! @d = 3) { a }', 'query a b c'],
    ['query () { a }', 'query'],
    ['query Q ($a: Int!) @live { a(x: $a) }', 'query a!'],
    ['query ($a: Int) { a(x: $a) } fragment F on T { b(y: $a) }', 'query a'],
    ['fragment F on T @d(x: 1) { b } query { a ...F }', 'query'],
    ['# ($x: Int!)\nquery { a }', 'query'],
    ['query { a(t: "$x ) }") }', 'query'],
    ['query { a(t: """$x " \\""" }""") }', 'query'],
    ['\ufeffquery,,, { a }', 'query'],
    ['query { a(n: -1.5e+3, ok: true, e: OPEN) ... on T { b } }', 'query'],
  ])('%s', (text, variables) => {
    expect(read(text)).toBe(variables);
  });
});

describe('a GraphQL text with a fault says where', () => {
  it.each([
    ['', 0],
    ['   # nothing', 0],
    ['fragment F on T { a }', 0],
    ['subscription { a }', 0],
    ['query { a', 9],
    ['query', 5],
    ['query { a { b }', 15],
    ['{ a } { b }', 6],
    ['query { a } mutation { b }', 12],
    ['query { a } }', 12],
    ['query ($a) { a }', 7],
    ['query (a: Int) { a }', 7],
    ['query ($: Int) { a }', 7],
    ['query ($a: Int { a }', 20],
    ['query { a(x: $b) }', 14],
    ['query { a } fragment F on T { b(x: $c) }', 36],
    ['query @d(x: $c) { a }', 13],
    ['query { a; }', 9],
    ['query { a(t: "open) }', 13],
    ['query { a(t: "open\n") }', 13],
    ['query { a(t: """open) }', 13],
  ])('%j: at %d', (text, at) => {
    expect(read(text)).toBe(`fault at ${at}`);
  });

  it('when its selections are deeper than a hundred', () => {
    const deep = (levels: number): string => `${'{ a '.repeat(levels)}${'}'.repeat(levels)}`;
    expect(read(deep(100))).toBe('query');
    expect(read(deep(101))).toBe('fault at 400');
  });
});
