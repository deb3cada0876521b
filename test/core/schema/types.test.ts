import { describe, expect, it } from '@jest/globals';
import type { ActionContract } from '../../../core/actions/types';
import { fieldsSchema } from '../../../core/schema/field-schema';
import { described, listOf, typeSchema, type TypeSchema } from '../../../core/schema/json-schema';
import { resultSchema } from '../../../core/schema/output-schema';
import { toolSpecs } from '../../../core/schema/tool-specs';

const RECORD: TypeSchema = { schema: { type: 'object', properties: {} }, closed: true };

describe('the JSON Schema of a type', () => {
  it.each<[string, object, boolean]>([
    ['string', { type: 'string' }, true],
    ['text', { type: 'string' }, true],
    ['entity_name', { type: 'string' }, true],
    ['number', { type: 'number' }, true],
    ['integer', { type: 'integer' }, true],
    ['boolean', { type: 'boolean' }, true],
    ['date', { type: 'string', format: 'date' }, true],
    ['datetime', { type: 'string' }, true],
    ['array', { type: 'array' }, false],
    ['string[]', { type: 'array', items: { type: 'string' } }, true],
    ['string[][]', { type: 'array', items: { type: 'array', items: { type: 'string' } } }, true],
    ['list', { type: 'array', items: {} }, false],
    ['record_set', { type: 'array', items: {} }, false],
    ['object', { type: 'object' }, false],
    ['record', { type: 'object' }, false],
    ['entity', { type: 'object' }, false],
    ['object[]', { type: 'array', items: { type: 'object' } }, false],
    ['any', {}, false],
    ['constructor', {}, false],
    ['unheard', {}, false],
  ])('%s', (type, schema, closed) => {
    expect(typeSchema(type)).toEqual({ schema, closed });
  });

  it('of records is the one that is known of them', () => {
    expect(typeSchema('object', RECORD)).toEqual(RECORD);
    expect(typeSchema('document', RECORD)).toEqual(RECORD);
    expect(typeSchema('record_set', RECORD)).toEqual(listOf(RECORD));
    expect(typeSchema('record[]', RECORD)).toEqual({ schema: { type: 'array', items: RECORD.schema }, closed: true });
    expect(typeSchema('string', RECORD)).toEqual({ schema: { type: 'string' }, closed: true });
  });

  it('has a description where there is one', () => {
    expect(described({ type: 'string' }, 'A')).toEqual({ type: 'string', description: 'A' });
    expect([described({}, ''), described({}, undefined)]).toEqual([{}, {}]);
  });
});

it('the arguments of a tool are closed, the records in them open', () => {
  expect(
    fieldsSchema([
      { name: 'a', type: 'string', required: true, description: 'An a', enum: ['x'], default: 'x' },
      { name: 'b', type: 'record[]', fields: [{ name: 'c', type: 'integer', required: true }] },
    ]),
  ).toEqual({
    type: 'object',
    properties: {
      a: { type: 'string', enum: ['x'], default: 'x', description: 'An a' },
      b: {
        type: 'array',
        items: { type: 'object', properties: { c: { type: 'integer' } }, required: ['c'], additionalProperties: true },
      },
    },
    required: ['a'],
    additionalProperties: false,
  });
});

describe('the result of a model', () => {
  it('of one value may be anything where nothing is said of it', () => {
    expect(resultSchema({ type: 'scalar', fields: [] })).toEqual({
      wire: { type: 'object', properties: { value: {} }, required: ['value'], additionalProperties: false },
      strict: false,
      check: { type: 'object', properties: { value: {} }, required: ['value'] },
    });
  });
  it('is checked for what it must have, and may have more', () => {
    const fields = [
      { name: 'a', type: 'string' },
      { name: 'b', type: 'any', required: false },
      { name: 'c', type: 'number', required: false },
    ];
    expect(resultSchema({ type: 'record_set', fields }).check).toEqual({
      type: 'object',
      properties: {
        results: {
          type: 'array',
          items: {
            type: 'object',
            properties: { a: { type: 'string' }, b: {}, c: { anyOf: [{ type: 'number' }, { type: 'null' }] } },
            required: ['a'],
          },
        },
      },
      required: ['results'],
    });
  });
});

describe('a tool that a model may not have', () => {
  const contract = (more: Partial<ActionContract>): ActionContract => ({
    name: 't',
    group: 'search',
    description: 'T.',
    step_type: 'tool',
    inputs: [],
    params: [],
    outputs: [],
    short: true,
    pure: false,
    effect: 'none',
    available: true,
    ...more,
  });
  it.each<[string, ActionContract[], string | undefined]>([
    ['one that reads is fine', [contract({})], undefined],
    ['one that nobody knows', [], 'unknown_tool'],
    ['a model', [contract({ step_type: 'llm_task' })], 'unknown_tool'],
    ['one that is to come', [contract({ available: false })], 'not_available'],
    ['one that calls any endpoint', [contract({ dynamic: 'connector_endpoint' })], 'tool_needs_endpoint'],
    ['one that changes something', [contract({ effect: 'unsafe' })], 'tool_has_effect'],
  ])('%s', (_what, contracts, code) => {
    const { specs, problems } = toolSpecs(['t'], contracts);
    expect(problems.map((problem) => problem.code)).toEqual(code === undefined ? [] : [code]);
    expect(specs).toHaveLength(code === undefined ? 1 : 0);
    for (const problem of problems)
      expect(problem).toMatchObject({ severity: 'error', field: 'params.tools', suggestion: expect.any(String) });
  });
  it('of a name that is unknown the tools that read are named', () => {
    const known = [
      contract({ name: 'reads' }),
      contract({ name: 'writes', effect: 'unsafe' }),
      contract({ name: 'thinks', step_type: 'llm_task' }),
    ];
    expect(toolSpecs(['t'], known).problems[0]?.suggestion).toMatch(/^[^:]*: reads\.$/);
  });
});
