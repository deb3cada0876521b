import { describe, expect, it } from '@jest/globals';
import type { OutputSchema } from '../../../core/playbook/types';
import { resultSchema } from '../../../core/schema/output-schema';
import { schemaCheck } from '../../../infra/llm/schema-check';

const PEOPLE: OutputSchema = {
  type: 'object',
  fields: [
    { name: 'name', type: 'string', description: 'Full name' },
    { name: 'age', type: 'integer', required: false },
    { name: 'born', type: 'date', required: false },
    { name: 'roles', type: 'object[]', fields: [{ name: 'title', type: 'string' }] },
  ],
};

describe('resultSchema', () => {
  it('sends a closed schema: everything required, optional fields nullable', () => {
    const { wire, strict } = resultSchema(PEOPLE);
    expect(strict).toBe(true);
    expect(wire).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Full name' },
        age: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
        born: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] },
        roles: {
          type: 'array',
          items: {
            type: 'object',
            properties: { title: { type: 'string' } },
            required: ['title'],
            additionalProperties: false,
          },
        },
      },
      required: ['name', 'age', 'born', 'roles'],
      additionalProperties: false,
    });
  });

  it.each<[string, unknown, string[]]>([
    ['everything', { name: 'A', age: 3, born: '1990-02-28', roles: [{ title: 'CEO' }] }, []],
    ['optional absent', { name: 'A', roles: [] }, []],
    ['optional null', { name: 'A', age: null, born: null, roles: [] }, []],
    ['further fields', { name: 'A', roles: [{ title: 'x', since: 2001 }], extra: 1 }, []],
    ['a missing field', { roles: [] }, ["/ must have required property 'name'"]],
    [
      'wrong types',
      { name: 1, age: '3', roles: [{ title: null }] },
      ['/name must be string', '/age must be integer', '/roles/0/title must be string'],
    ],
    ['a wrong date', { name: 'A', born: '28.2.1990', roles: [] }, ['/born must match format "date"']],
    ['a list', [], ['/ must be object']],
  ])('checks %s', (_name, value, problems) => {
    const found = schemaCheck(resultSchema(PEOPLE).check)(value as never);
    expect(found.map((problem) => `${problem.path} ${problem.message}`)).toEqual(problems);
  });

  it('wraps record sets and scalars', () => {
    const set = resultSchema({ type: 'record_set', fields: [{ name: 'a', type: 'number' }] });
    expect(set.wire).toMatchObject({
      required: ['results'],
      properties: { results: { type: 'array', items: { required: ['a'] } } },
    });
    const scalar = resultSchema({ type: 'scalar', fields: [{ name: 'score', type: 'number' }] });
    expect(scalar).toMatchObject({
      strict: true,
      wire: { properties: { value: { type: 'number' } }, required: ['value'] },
    });
  });

  it.each<[string, OutputSchema]>([
    ['a free object', { type: 'object', fields: [{ name: 'data', type: 'object' }] }],
    [
      'a free object beside a text',
      {
        type: 'object',
        fields: [
          { name: 'a', type: 'string' },
          { name: 'data', type: 'object' },
        ],
      },
    ],
    ['any value', { type: 'object', fields: [{ name: 'data', type: 'any' }] }],
    ['a list of anything', { type: 'object', fields: [{ name: 'data', type: 'list' }] }],
    ['a scalar without a type', { type: 'scalar', fields: [] }],
    ['no fields', { type: 'object', fields: [] }],
  ])('cannot be enforced strictly: %s', (_name, output) => {
    expect(resultSchema(output).strict).toBe(false);
  });

  it('a field named __proto__ reaches no prototype', () => {
    const { wire } = resultSchema({
      type: 'object',
      fields: [
        { name: '__proto__', type: 'string' },
        { name: 'constructor', type: 'string' },
      ],
    });
    expect(({} as { type?: unknown }).type).toBeUndefined();
    expect(JSON.stringify(wire)).toContain('constructor');
  });
});
