import { describe, expect, it } from '@jest/globals';
import { parseReference } from '../../../core/expr/reference';
import { typeWithArticle, followPath, isRecord, shapeOf, type Shape } from '../../../core/validate/shape';

const STEP: Shape = {
  type: 'object',
  fields: [
    { name: 'count', type: 'integer' },
    { name: 'at', type: 'date' },
    { name: 'any', type: 'any' },
    { name: 'open', type: 'record' },
    { name: 'texts', type: 'string[]' },
    { name: 'old', type: 'array' },
    { name: 'list', type: 'list' },
    {
      name: 'rows',
      type: 'record[]',
      fields: [
        { name: 'name', type: 'string' },
        { name: 'tags', type: 'string[]' },
        { name: 'who', type: 'object', fields: [{ name: 'id', type: 'integer' }] },
        { name: 'parts', type: 'record[]', fields: [{ name: 'no', type: 'integer' }] },
        { name: 'free', type: 'any' },
      ],
    },
  ],
};

function at(text: string): string {
  const parsed = parseReference(`s.${text}`);
  if (!parsed.ok) throw new Error(text);
  const found = followPath(STEP, parsed.value.path, text);
  if ('message' in found) return `fault: ${found.suggestion ?? 'no way'}`;
  return found.fields === undefined ? found.type : `${found.type} of ${found.fields.map(({ name }) => name).join(',')}`;
}

describe('where a path leads', () => {
  it.each([
    ['count', 'integer'],
    ['texts', 'string[]'],
    ['texts[0]', 'string'],
    ['texts[*]', 'string[]'],
    ['old', 'any[]'],
    ['list', 'any[]'],
    ['old[3]', 'any'],
    ['any', 'any'],
    ['any.x[0].y', 'any'],
    ['any[*].x', 'any'],
    ['open.x', 'any'],
    ['open.x.y', 'any'],
    ['rows', 'record[] of name,tags,who,parts,free'],
    ['rows[0]', 'record of name,tags,who,parts,free'],
    ['rows[0].name', 'string'],
    ['rows[0].who', 'object of id'],
    ['rows[0].who.id', 'integer'],
    ['rows[*].name', 'string[]'],
    ['rows[*]', 'record[] of name,tags,who,parts,free'],
    ['rows[*].who', 'object[] of id'],
    ['rows[*].who.id', 'integer[]'],
    ['rows[*].tags', 'any[]'],
    ['rows[*].tags[0]', 'string[]'],
    ['rows[*].parts', 'any[]'],
    ['rows[*].parts[0]', 'record[] of no'],
    ['rows[*].parts[*].no', 'any[]'],
    ['rows[*].free', 'any[]'],
    ['rows[*].free.x', 'any[]'],
    ['rows[*].free[*].x', 'any[]'],
  ])('%s: %s', (text, shape) => {
    expect(at(text)).toBe(shape);
  });

  it.each([
    ['cuont', /Did you mean `count`\? Known fields: count, at/],
    ['zzzzzz', /^fault: Known fields: count/],
    ['rows.name', /\[\*\]\.name .*\[0\]\.name/],
    ['count.x', /no way/],
    ['count[0]', /\[0\]/],
    ['count[*]', /\[\*\]/],
    ['rows[0].name.x', /no way/],
    ['rows[0].who[1]', /\[1\]/],
    ['at.year', /no way/],
  ])('%s leads nowhere', (text, fault) => {
    expect(at(text)).toMatch(/^fault/);
    expect(at(text)).toMatch(fault);
  });
});

describe('types', () => {
  it.each([
    ['string', 'a string'],
    ['integer', 'an integer'],
    ['object', 'an object'],
    ['entity', 'an entity'],
    ['date', 'a date'],
    ['any', 'a value of any type'],
    ['any[]', 'a list'],
    ['string[]', 'a list of string'],
  ])('%s is read as %s', (type, text) => {
    expect(typeWithArticle(type)).toBe(text);
  });

  it.each([
    ['record', true],
    ['object', true],
    ['entity', true],
    ['document', true],
    ['string', false],
    ['number', false],
    ['integer', false],
    ['boolean', false],
    ['date', false],
    ['entity_name', false],
    ['any', false],
    ['record[]', false],
  ])('%s is a record: %s', (type, record) => {
    expect(isRecord(type)).toBe(record);
  });

  it('a list is one by either name', () => {
    expect([shapeOf({ name: 'a', type: 'array' }), shapeOf({ name: 'a', type: 'list' })]).toEqual([
      { type: 'any[]' },
      { type: 'any[]' },
    ]);
    const fields = [{ name: 'b', type: 'string' }];
    expect(shapeOf({ name: 'a', type: 'record', fields })).toEqual({ type: 'record', fields });
    expect(shapeOf({ name: 'a', type: 'record' })).toStrictEqual({ type: 'record' });
  });
});
