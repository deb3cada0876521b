import { describe, expect, it } from '@jest/globals';
import { array, assert, jsonValue, property } from 'fast-check';
import type { Json } from '../../../core/base/json';
import { learnSchema } from '../../../core/connector/learn-schema';
import { schemaDrift } from '../../../core/connector/schema-drift';
import type { EndpointSchema } from '../../../core/connector/types';

describe('a schema is learned from records', () => {
  it('types, what is always there, records inside', () => {
    const records: Json[] = [
      {
        id: 1,
        when: '2020-02-29',
        at: '2020-01-01T10:00:00Z',
        n: 1,
        tags: ['a'],
        who: { name: 'A', age: null },
        items: [{ k: 1 }],
      },
      {
        id: 2,
        when: '2020-03-01',
        at: '2020-01-01T10:00:00+01:00',
        n: 1.5,
        tags: [],
        who: { name: 'B' },
        items: [],
        extra: true,
      },
    ];
    expect(learnSchema(records)).toEqual({
      type: 'record_set',
      fields: [
        { name: 'id', type: 'integer', required: true },
        { name: 'when', type: 'date', required: true },
        { name: 'at', type: 'datetime', required: true },
        { name: 'n', type: 'number', required: true },
        { name: 'tags', type: 'string[]', required: true },
        {
          name: 'who',
          type: 'object',
          required: true,
          fields: [
            { name: 'name', type: 'string', required: true },
            { name: 'age', type: 'any' },
          ],
        },
        { name: 'items', type: 'object[]', required: true, fields: [{ name: 'k', type: 'integer', required: true }] },
        { name: 'extra', type: 'boolean' },
      ],
      metadata_fields: [],
    });
  });
  it.each<[string, Json[], string]>([
    ['no date of the calendar', ['2020-02-30'], 'string'],
    ['dates and texts', ['2020-02-29', 'soon'], 'string'],
    ['numbers and texts', [1, 'a'], 'any'],
    ['nothing but null', [null], 'any'],
    ['lists of lists', [[[1]]], 'any[]'],
    ['empty lists', [[]], 'any[]'],
  ])('%s', (_name, values, type) => {
    expect(learnSchema(values.map((v) => ({ v }))).fields[0]?.type).toBe(type);
  });
  it('values that are no records', () => {
    expect(learnSchema([1, 2])).toEqual({
      type: 'scalar',
      fields: [{ name: 'value', type: 'integer' }],
      metadata_fields: [],
    });
    expect(learnSchema([])).toEqual({ type: 'record_set', fields: [], metadata_fields: [] });
  });
  it('deep and wide records end', () => {
    let deep: Json = 1;
    for (let level = 0; level < 400; level += 1) deep = level % 2 === 0 ? [deep] : { a: deep };
    const wide = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`c${index}`, index]));
    expect(learnSchema([{ deep }]).fields[0]?.type).toBe('object');
    expect(learnSchema([wide]).fields).toHaveLength(500);
  });
});

describe('drift', () => {
  const declared: EndpointSchema = {
    type: 'record_set',
    fields: [
      { name: 'id', type: 'string', required: true },
      { name: 'sum', type: 'number' },
      { name: 'who', type: 'object', fields: [{ name: 'name', type: 'string' }] },
      { name: 'tags', type: 'string[]' },
    ],
    metadata_fields: [],
  };
  const good = { id: '1', sum: 1, who: { name: 'A' }, tags: ['a'] };
  it('none where records are as declared, or there are none', () => {
    expect(schemaDrift(declared, [good, { ...good, sum: null, tags: [] }])).toEqual([]);
    expect(schemaDrift(declared, [])).toEqual([]);
    expect(schemaDrift({ ...declared, fields: [] }, [good])).toEqual([]);
  });
  it('a date is a text, an integer a number', () => {
    expect(schemaDrift(declared, [{ ...good, id: '2020-01-01' }])).toEqual([]);
  });
  it('missing, of another type, not in every record, new', () => {
    const records: Json[] = [
      { id: '1', sum: 'many', who: { nom: 'A' }, tags: [1], more: true },
      { sum: 'few', who: {}, tags: [2] },
    ];
    expect(schemaDrift(declared, records)).toEqual([
      { kind: 'absent', field: 'id', declared: 'string' },
      { kind: 'type', field: 'sum', declared: 'number', seen: 'string' },
      { kind: 'missing', field: 'who.name', declared: 'string' },
      { kind: 'new', field: 'who.nom', seen: 'string' },
      { kind: 'type', field: 'tags', declared: 'string[]', seen: 'integer[]' },
      { kind: 'new', field: 'more', seen: 'boolean' },
    ]);
  });
  it('what was learned from records never drifts from them', () => {
    assert(
      property(array(jsonValue(), { maxLength: 5 }), (records) => {
        const data = records as Json[];
        expect(schemaDrift(learnSchema(data), data).filter(({ kind }) => kind !== 'new')).toEqual([]);
      }),
    );
  });
});
