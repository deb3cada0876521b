import { describe, expect, it } from '@jest/globals';
import type { FieldSpec } from '../../../core/actions/types';
import type { Json, JsonObject } from '../../../core/base/json';
import { columnAt, columnsAfter, fieldsRead, type Columns } from '../../../core/validate/columns';

const ROWS: FieldSpec[] = [
  { name: 'id', type: 'integer' },
  { name: 'sum', type: 'number' },
  { name: 'who', type: 'object', fields: [{ name: 'name', type: 'string' }] },
  { name: 'open', type: 'object' },
  { name: 'parts', type: 'record[]', fields: [{ name: 'no', type: 'integer' }] },
  { name: 'texts', type: 'string[]' },
  { name: 'free', type: 'any' },
  { name: 'a.b', type: 'date' },
];
const OTHERS: Record<string, FieldSpec[]> = {
  more: [
    { name: 'id', type: 'string' },
    { name: 'note', type: 'string' },
  ],
};
const after = (operation: Json, columns: Columns = ROWS): string | undefined =>
  columnsAfter(operation, columns, (name) => OTHERS[name])
    ?.map(({ name, type }) => `${name}:${type}`)
    .join(' ');
const ALL = ROWS.map(({ name, type }) => `${name}:${type}`).join(' ');

describe('the columns behind an operation', () => {
  it.each<[JsonObject, string | undefined]>([
    [{ type: 'filter', field: 'id' }, ALL],
    [{ type: 'sort', field: 'id' }, ALL],
    [{ type: 'limit', count: 1 }, ALL],
    [{ type: 'deduplicate' }, ALL],
    [{ type: 'join', with: 'more', on: { left: 'id', right: 'note' } }, `${ALL} more_id:string note:string`],
    [{ type: 'unheard' }, undefined],
    [{ type: 'select', fields: ['sum', 'id'] }, 'sum:number id:integer'],
    [{ type: 'select', field: 'id' }, 'id:integer'],
    [{ type: 'select', fields: [{ field: 'who.name', as: 'n' }, { field: 'sum' }] }, 'n:string sum:number'],
    [{ type: 'select', fields: ['unknown'] }, 'unknown:any'],
    [{ type: 'select', fields: ['id', '{name}'] }, undefined],
    [{ type: 'select', fields: [{ field: 'id', as: '{name}' }] }, undefined],
    [{ type: 'select', fields: [''] }, undefined],
    [{ type: 'select', fields: [5] }, undefined],
    [{ type: 'select' }, undefined],
    [{ type: 'rename', fields: { id: 'no', nope: 'x' } }, ALL.replace('id:', 'no:')],
    [{ type: 'rename', mapping: { sum: 'total' } }, ALL.replace('sum:', 'total:')],
    [{ type: 'rename', fields: { id: '{x}' }, mapping: { sum: 'total' } }, ALL],
    [{ type: 'rename', fields: 'id' }, ALL],
    [{ type: 'compute', as: 'x', expression: '1' }, `${ALL} x:any`],
    [{ type: 'compute', as: 'id', expression: '1' }, `${ALL.replace('id:integer ', '')} id:any`],
    [{ type: 'compute', fields: [{ as: 'x' }, { as: 'y' }] }, `${ALL} x:any y:any`],
    [{ type: 'compute', fields: [{ as: 'x' }, { as: '{y}' }] }, undefined],
    [{ type: 'compute', fields: ['x'] }, undefined],
    [{ type: 'compute', expression: '1' }, undefined],
    [{ type: 'aggregate', op: 'count' }, 'count:any'],
    [{ type: 'aggregate', op: 'count', field: 'id' }, 'count_id:any'],
    [{ type: 'aggregate', op: 'sum', field: 'sum', group_by: 'id' }, 'id:integer sum_sum:any'],
    [{ type: 'aggregate', operator: 'max', field: 'sum', group_by: null }, 'max_sum:any'],
    [{ type: 'aggregate', function: 'min', field: 'sum', as: 'least' }, 'least:any'],
    [{ type: 'aggregate', op: 'sum', field: 'sum', as: null }, 'sum_sum:any'],
    [{ type: 'aggregate', op: 'sum', field: 'sum', as: '{x}' }, undefined],
    [{ type: 'aggregate', op: 'sum' }, undefined],
    [{ type: 'aggregate', field: 'sum' }, undefined],
    [{ type: 'aggregate', op: 'sum', field: '{x}' }, undefined],
    [{ type: 'aggregate', group_by: '{x}', op: 'count' }, undefined],
    [
      {
        type: 'aggregate',
        group_by: [{ field: 'id', as: 'no' }],
        metrics: [{ op: 'count' }, { op: 'sum', field: 'sum' }],
      },
      'no:integer count:any sum_sum:any',
    ],
    [{ type: 'aggregate', metrics: [{ op: 'count' }, 'sum'] }, undefined],
    [{ type: 'aggregate', metrics: [], op: 'count' }, 'count:any'],
    [{ type: 'flatten', field: 'parts' }, `${ALL.replace(' parts:record[]', '')} no:integer`],
    [{ type: 'flatten', field: 'parts', keep: ['id'] }, 'id:integer no:integer'],
    [{ type: 'flatten', field: 'parts', keep: null, as: 'part' }, `${ALL.replace(' parts:record[]', '')} part:any`],
    [{ type: 'flatten', field: 'texts', as: 'text', keep: [] }, 'text:any'],
    [{ type: 'flatten', field: 'texts' }, undefined],
    [{ type: 'flatten', field: 'who' }, undefined],
    [{ type: 'flatten', field: 'parts', as: '{x}' }, undefined],
    [{ type: 'flatten', field: '{x}', as: 'a' }, undefined],
    [{ type: 'flatten', field: 'parts', keep: ['{x}'] }, undefined],
    [{ type: 'join', with: 'more', on: 'id' }, `${ALL} note:string`],
    [{ type: 'join', with: 'more', on: ['id'] }, `${ALL} note:string`],
    [{ type: 'join', with: 'more', on: { left: 'id', right: 'id' } }, `${ALL} note:string`],
    [{ type: 'join', with: 'more', on: { left: 'sum', right: 'note' } }, `${ALL} more_id:string note:string`],
    [{ type: 'join', with: 'more', on: 'id', prefix: 'm_' }, `${ALL} m_id:string m_note:string`],
    [{ type: 'join', with: 'more', on: 'id', prefix: '{x}' }, undefined],
    [{ type: 'join', with: 'more', on: 'id', prefix: 5 }, undefined],
    [{ type: 'join', with: 'none', on: 'id' }, undefined],
    [{ type: 'join', on: 'id' }, undefined],
    [{ type: 'previous', field: 'sum' }, `${ALL} previous_sum:any`],
    [
      { type: 'previous', fields: ['sum', { field: 'id', as: 'no' }], prefix: 'last_' },
      `${ALL} last_sum:any last_no:any`,
    ],
    [{ type: 'previous', fields: ['sum'], prefix: '{x}' }, undefined],
    [{ type: 'previous', fields: ['sum'], prefix: 5 }, undefined],
    [{ type: 'previous', fields: ['{x}'] }, undefined],
    [{ type: 'join', with: 'more', on: 'id', how: 'full' }, `${ALL} note:string`],
    [{ type: 'zip', with: 'more' }, `${ALL} more_id:string note:string`],
    [{ type: 'zip', with: 'none' }, undefined],
    [{ type: 'pivot', group_by: 'id', column: 'who', value: 'sum' }, undefined],
    [
      { type: 'pivot', group_by: 'id', column: 'who', value: 'sum', columns: ['a', 'b'], prefix: 'p_' },
      'id:integer p_a:any p_b:any',
    ],
    [{ type: 'pivot', column: 'who', value: 'sum', columns: ['{x}'] }, undefined],
    [{ type: 'pivot', group_by: '{x}', column: 'who', columns: ['a'] }, undefined],
    [{ type: 'unpivot', fields: ['sum'] }, `${ALL.replace(/ ?sum:[a-z]+/, '')} name:string value:any`],
    [{ type: 'unpivot', fields: ['sum'], keep: ['id'], name_as: 'n', value_as: 'v' }, 'id:integer n:string v:any'],
    [{ type: 'unpivot', fields: ['sum'], name_as: '{x}' }, undefined],
    [{ type: 'window', op: 'sum', field: 'sum' }, `${ALL} running_sum_sum:any`],
    [{ type: 'window', fields: [{ op: 'rank' }, { op: 'count', as: 'c' }] }, `${ALL} rank:any c:any`],
    [{ type: 'window', fields: ['x'] }, undefined],
    [{ type: 'chunk', size: 3 }, 'number:integer count:integer rows:record[]'],
    [{ type: 'chunk', size: 3, as: '{x}' }, undefined],
    [{ type: 'sample', count: 3 }, ALL],
    [{ type: 'concat', with: 'more' }, `${ALL.replace('id:integer', 'id:any')} note:string`],
    [{ type: 'concat', with: ['more', 'more'] }, `${ALL.replace('id:integer', 'id:any')} note:string`],
    [{ type: 'concat', with: 'none' }, undefined],
    [{ type: 'concat', with: ['more', '{x}'] }, undefined],
    [{ type: 'concat' }, undefined],
  ])('%j', (operation, columns) => {
    expect(after(operation)).toBe(columns);
  });

  it.each<Json>(['sort', null, ['sort'], 5])('what is no operation, %j, makes all unknown', (operation) => {
    expect(after(operation)).toBeUndefined();
  });

  it.each<[JsonObject, string | undefined]>([
    [{ type: 'sort', field: 'id' }, undefined],
    [{ type: 'select', fields: ['id'] }, 'id:any'],
    [{ type: 'rename', fields: { id: 'no' } }, undefined],
    [{ type: 'compute', as: 'x' }, undefined],
    [{ type: 'aggregate', op: 'count', group_by: ['id'] }, 'id:any count:any'],
    [{ type: 'flatten', field: 'parts', as: 'part', keep: ['id'] }, 'id:any part:any'],
    [{ type: 'flatten', field: 'parts', as: 'part' }, undefined],
    [{ type: 'join', with: 'more', on: 'id' }, undefined],
    [{ type: 'previous', field: 'id' }, undefined],
    [{ type: 'concat', with: 'more' }, undefined],
  ])('of unknown columns: %j', (operation, columns) => {
    expect(
      columnsAfter(operation, undefined, (name) => OTHERS[name])
        ?.map(({ name, type }) => `${name}:${type}`)
        .join(' '),
    ).toBe(columns);
  });
});

describe('the fields that an operation names', () => {
  const read = (operation: JsonObject): string[] =>
    fieldsRead(operation).map(
      ({ name, path, of }) => `${name} at ${path.join('.')}${of === undefined ? '' : ` of ${of}`}`,
    );
  it.each<[JsonObject, string[]]>([
    [{ type: 'filter', field: 'a' }, ['a at field']],
    [{ type: 'filter', field: '{a}' }, []],
    [{ type: 'filter', field: '' }, []],
    [{ type: 'sort', by: ['a', { field: 'b' }, 5, null] }, ['a at by.0', 'b at by.1.field']],
    [{ type: 'sort', by: { field: 'a' } }, ['a at by.field']],
    [{ type: 'deduplicate', fields: ['a'] }, ['a at fields.0']],
    [{ type: 'select', field: 'a', fields: 'b' }, ['a at field', 'b at fields']],
    [
      { type: 'previous', group_by: 'a', order_by: ['b'], field: 'c', fields: ['d'] },
      ['a at group_by', 'b at order_by.0', 'c at field', 'd at fields.0'],
    ],
    [
      { type: 'flatten', field: 'a', keep: ['b', { field: 'c', as: 'x' }] },
      ['a at field', 'b at keep.0', 'c at keep.1.field'],
    ],
    [{ type: 'rename', fields: { a: 'x', b: '{y}' } }, ['a at fields.a']],
    [{ type: 'rename', mapping: { a: 'x' } }, ['a at mapping.a']],
    [
      { type: 'aggregate', group_by: ['a'], field: 'b', metrics: [{ field: 'c' }, 'd', { field: '{e}' }] },
      ['a at group_by.0', 'b at field', 'c at metrics.0.field'],
    ],
    [{ type: 'join', with: 'more', on: 'a' }, ['a at on', 'a at on of more']],
    [
      { type: 'join', with: 'more', on: ['a', { left: 'b', right: 'c' }] },
      ['a at on.0', 'a at on.0 of more', 'b at on.1.left', 'c at on.1.right of more'],
    ],
    [{ type: 'join', with: '{x}', on: { left: 'b', right: 'c' } }, ['b at on.left']],
    [{ type: 'join', with: 'more' }, []],
    [{ type: 'limit', count: 1, field: 'a' }, []],
    [{ type: 'compute', fields: [{ as: 'a' }] }, []],
  ])('%j', (operation, fields) => {
    expect(read(operation)).toEqual(fields);
  });
});

describe('the column at a name', () => {
  it.each<[string, string | undefined]>([
    ['id', 'integer'],
    ['a.b', 'date'],
    ['who', 'object'],
    ['who.name', 'string'],
    ['who.nope', undefined],
    ['who.name.x', undefined],
    ['open.anything', 'any'],
    ['open.any.thing', 'any'],
    ['parts.0', 'record'],
    ['parts.0.no', 'integer'],
    ['parts.x', undefined],
    ['parts.no', undefined],
    ['texts.1', 'string'],
    ['texts.1.x', undefined],
    ['free.any.thing', 'any'],
    ['id.x', undefined],
    ['nope', undefined],
    ['nope.x', undefined],
    ['', undefined],
  ])('%s', (name, type) => {
    expect(columnAt(name, ROWS)?.type).toBe(type);
  });
});
