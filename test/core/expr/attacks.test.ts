import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../../core/base/json';
import { parseCondition } from '../../../core/expr/condition';
import { parseReference, walkPath } from '../../../core/expr/reference';
import { parseTemplate, renderValue } from '../../../core/expr/template';
import type { Lookup } from '../../../core/expr/types';
import { isTrue, problemOf, rendered, scopeLookup, valueOf } from './support';

const HOSTILE = [
  '{step.constructor.constructor("return process")()}',
  '{step["constructor"]["constructor"]("return process")()}',
  "{step['__proto__'].polluted}",
  '{step.__proto__.polluted}',
  '{step.prototype}',
  '{constructor}',
  '{__proto__.x}',
  '{prototype.x}',
  '{step["\\u0063onstructor"]}',
  '{step["\\u005f_proto__"]}',
  '{step[*].constructor.name}',
  '{(()=>{})()}',
  '{process.exit(1)}',
  '{require("fs")}',
  '{a+b}',
  '{a`x`}',
  '{a;b}',
  '{a?.b}',
  '{this["a"+"b"]}',
];

describe('X01: expressions that reach for the host', () => {
  it.each(HOSTILE)('%s is refused or text as a template', (text) => {
    const result = parseTemplate(text);
    if (result.ok) expect(result.value).toEqual({ kind: 'literal', text });
    else expect(result.problem.code).toBe('invalid_expression');
  });

  it.each(HOSTILE)('%s is refused as an expression', (text) => {
    expect(problemOf(parseCondition(text)).code).toBe('invalid_expression');
  });

  it.each(HOSTILE)('%s renders to itself, nothing is looked up', (text) => {
    const nothing: Lookup = (reference) => {
      throw new Error(`looked up ${reference.text}`);
    };
    expect(renderValue({ a: [text] }, nothing)).toEqual({ a: [text] });
  });

  it('says what is wrong with the classic one, where, and how to write it as text', () => {
    const problem = problemOf(parseTemplate('run {step.constructor.constructor("return process")()}'));
    expect(problem).toMatchObject({ code: 'invalid_expression', offset: 10 });
    expect(problem.message).toContain('`constructor` can never be read');
    expect(problem.suggestion).toContain('{{');
  });

  it('accepts it as text when its braces are escaped', () => {
    expect(rendered('{{step.constructor}}')).toBe('{step.constructor}');
  });

  it.each([
    'eval("1")',
    'Function("return 1")',
    'constructor("x")',
    'toString()',
    'hasOwnProperty({a})',
    '__proto__({a})',
    'text.constructor("x")',
    '"x".constructor',
    "('x')['constructor']",
    '[].map({a})',
    '`${1}`',
    '1; 2',
    '/x/',
    '{a} => {b}',
    'new Date()',
    'this',
    'globalThis',
  ])('%s is no expression', (text) => {
    expect(problemOf(parseCondition(text)).code).toBe('invalid_expression');
  });
});

describe('X10: names of secrets', () => {
  it.each(['{secrets.api_key}', '{env.HOME}', '{connection.accessToken}', '{secret.x}'])(
    '%s is an ordinary name without a value',
    (text) => {
      expect(rendered(text)).toBeUndefined();
      expect(valueOf(text)).toBeUndefined();
      expect(rendered(`key: ${text}`)).toBe('key: ');
    },
  );
});

describe('prototypes', () => {
  const polluted = JSON.parse('{"__proto__":{"x":1},"constructor":{"y":2},"prototype":3,"ok":4}') as Json;

  it('never resolve, not even where data has such a field', () => {
    for (const name of ['__proto__', 'constructor', 'prototype']) {
      expect(walkPath(polluted, [{ kind: 'field', name }])).toBeUndefined();
      expect(problemOf(parseReference(`a.${name}`)).offset).toBe(2);
      expect(problemOf(parseReference(`a["${name}"]`)).offset).toBe(2);
      expect(problemOf(parseReference(name)).offset).toBe(0);
    }
    expect(walkPath(polluted, [{ kind: 'field', name: 'ok' }])).toBe(4);
  });

  it('are not found by `in` and `contains`', () => {
    for (const name of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
      expect(isTrue(`'${name}' in {a}`, { a: polluted })).toBe(false);
      expect(isTrue(`{a} contains '${name}'`, { a: {} })).toBe(false);
    }
    expect(isTrue("'ok' in {a}", { a: polluted })).toBe(true);
  });

  it('are not changed by rendering data that names them', () => {
    const source = JSON.parse('{"__proto__":{"admin":"{a}"},"b":"{a}"}') as Json;
    const copy = renderValue(source, scopeLookup({ a: 'yes' })) as { [key: string]: Json };
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"admin":"yes"},"b":"yes"}');
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });

  it('are not reached through inherited names', () => {
    for (const text of ['{a.toString}', '{a.valueOf}', '{a.hasOwnProperty}', '{a.list.length}', '{a.list.map}']) {
      expect(valueOf(text, { a: { list: [1] } })).toBeUndefined();
    }
  });
});

describe('values are never parsed again', () => {
  const scope = { a: '{b}', b: 'SECRET', list: ['{b}', { text: '{b} {{' }] };

  it.each([
    ['{a}', '{b}'],
    ['x {a} y', 'x {b} y'],
    ['{{{a}}}', '{{b}}'],
    ['{list[0]}{a}', '{b}{b}'],
    ['{list}!', '["{b}",{"text":"{b} {{"}]!'],
  ])('%s renders to %s', (text, expected) => {
    expect(rendered(text, scope)).toBe(expected);
  });

  it('nor in expressions', () => {
    expect(valueOf('{a}', scope)).toBe('{b}');
    expect(isTrue("{a} == 'SECRET'", scope)).toBe(false);
    expect(isTrue('"{b}" == {b}', scope)).toBe(false);
    expect(isTrue('{cond}', { cond: '1 == 2' })).toBe(true);
  });

  it('nor where a whole structure is placed', () => {
    const once = renderValue({ x: '{a}', list: '{list}' }, scopeLookup(scope));
    expect(once).toEqual({ x: '{b}', list: ['{b}', { text: '{b} {{' }] });
  });
});
