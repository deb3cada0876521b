import { describe, expect, it } from '@jest/globals';
import compute from '../../../activities/runner/compute-thread';
import type { ComputeAnswer, ComputeRef, ComputeTask } from '../../../activities/runner/compute-types';
import type { Json, JsonObject } from '../../../core/base/json';

/** Answer of the thread to a task, called here as the thread calls it. */
const run = (more: Partial<ComputeTask>): ComputeAnswer =>
  compute({
    action: 'transform_data',
    inputTemplate: { data: '{in.rows}' },
    params: {},
    inputOverride: {},
    refs: {},
    valueLimit: 1_000_000,
    ...more,
  });

type PartKind = 'whole' | 'slice' | 'element';
const part = (kind: PartKind, value: Json) => ({ kind, bytes: Buffer.from(JSON.stringify(value)) });
const rows = (from: number, count: number): JsonObject[] =>
  Array.from({ length: count }, (_unused, at) => ({ id: from + at }));
const dataOf = (ref: ComputeRef, more: Partial<ComputeTask> = {}): unknown => {
  const answer = run({ refs: { 'in.rows': ref }, ...more });
  return answer.ok ? (answer.value as JsonObject)['data'] : answer.code;
};

describe('a reference of a task', () => {
  it('is its value, or what was put together of its parts', () => {
    expect(dataOf({ kind: 'value', value: rows(0, 2) })).toEqual(rows(0, 2));
    const path = [{ kind: 'field' as const, name: 'rows' }];
    const parts = (...given: ReturnType<typeof part>[]): ComputeRef => ({
      kind: 'parts',
      base: { rows: null, note: 'kept' },
      fields: [{ field: 'rows', parts: given }],
      path,
    });
    expect(dataOf(parts(part('whole', rows(0, 3))))).toEqual(rows(0, 3));
    expect(dataOf(parts(part('slice', rows(0, 2)), part('slice', rows(2, 1))))).toEqual(rows(0, 3));
    // One slice is a list of what it holds as well.
    expect(dataOf(parts(part('slice', rows(5, 1))))).toEqual(rows(5, 1));
    // Elements of their own stand among slices.
    expect(dataOf(parts(part('slice', rows(0, 1)), part('whole', { id: 1 })))).toEqual(rows(0, 2));
  });

  it.each<[string, ReturnType<typeof part>[], number[]]>([
    ['the whole', [part('whole', [1])], [1]],
    ['a whole element and a slice', [part('whole', [1]), part('slice', [2])], [2]],
    ['slices', [part('slice', [0]), part('slice', [2])], [0, 2]],
    ['one element, that is a list', [part('element', [2])], []],
    ['an element among slices', [part('slice', [0]), part('element', [2])], [0]],
    ['a slice that holds no list', [part('slice', 1)], [1]],
    ['nothing', [], []],
  ])('is put together of %s', (_what, parts, ids) => {
    const operations = [{ type: 'filter', field: 'id', operator: 'in', value: '{in.x}' }];
    const x: ComputeRef = { kind: 'parts', base: null, fields: [{ field: '', parts }], path: [] };
    const refs: ComputeTask['refs'] = { 'in.rows': { kind: 'value', value: rows(0, 3) }, 'in.x': x };
    expect(run({ refs, params: { operations } })).toMatchObject({ value: { data: ids.map((id) => ({ id })) } });
  });

  it('may be the whole output, and keeps the fields beside a large one', () => {
    const whole: ComputeRef = {
      kind: 'parts',
      base: null,
      fields: [{ field: '', parts: [part('whole', rows(0, 2))] }],
      path: [],
    };
    expect(dataOf(whole)).toEqual(rows(0, 2));
    const beside: ComputeRef = {
      kind: 'parts',
      base: { rows: null, few: rows(7, 1) },
      fields: [{ field: 'rows', parts: [part('whole', rows(0, 2))] }],
      path: [{ kind: 'field', name: 'few' }],
    };
    expect(dataOf(beside)).toEqual(rows(7, 1));
  });

  it('is no field of a value that has none', () => {
    const fields = [{ field: 'rows', parts: [part('whole', rows(0, 2))] }];
    const path = [{ kind: 'field' as const, name: 'rows' }];
    for (const base of [null, 'text', [1]]) expect(dataOf({ kind: 'parts', base, fields, path })).toBe('missing_data');
  });

  it('that has no value is none: the action says that its data are missing', () => {
    expect(dataOf({ kind: 'undefined' })).toBe('missing_data');
  });
});

describe('a task', () => {
  const refs: ComputeTask['refs'] = {
    'in.rows': { kind: 'value', value: rows(0, 3) },
    'in.n': { kind: 'value', value: 2 },
  };

  it('reads references in its settings too, and takes edits in place of its inputs', () => {
    const params = { operations: [{ type: 'limit', count: '{in.n}' }] };
    expect(run({ refs, params })).toMatchObject({ ok: true, value: { data: rows(0, 2), count: 2 }, large: [] });
    expect(run({ refs, inputOverride: { data: rows(9, 1) } })).toMatchObject({ ok: true, value: { data: rows(9, 1) } });
  });

  it('of an action that is none, or that cannot be done, fails with a code', () => {
    expect(run({ action: 'call_connector' })).toMatchObject({ ok: false, code: 'not_available' });
    expect(run({ action: 'toString' })).toMatchObject({ ok: false, code: 'not_available' });
    const failed = run({ refs, params: { operations: [{ type: 'limit', count: -1 }] } });
    expect(failed).toMatchObject({ ok: false, code: 'invalid_operation' });
  });

  it('whose text becomes too long fails; content that cannot be read is trouble of the platform', () => {
    const value = 'x'.repeat(1 << 20);
    const params = { operations: [{ type: 'filter', field: 'id', value: '{in.text} '.repeat(33) }] };
    expect(run({ refs: { ...refs, 'in.text': { kind: 'value', value } }, params })).toStrictEqual({
      ok: false,
      code: 'rendered_text_too_large',
      message: expect.stringContaining('would exceed 33554432 characters'),
    });
    const damaged = [{ field: '', parts: [{ kind: 'whole' as const, bytes: Buffer.from('[1,') }] }];
    expect(() => run({ refs: { 'in.rows': { kind: 'parts', base: null, fields: damaged, path: [] } } })).toThrow(
      SyntaxError,
    );
  });

  it('gives what is too large for a value apart, as bytes with their count, and keeps what is small', () => {
    const size = JSON.stringify({ data: rows(0, 3), count: 3 }).length;
    expect(run({ refs, valueLimit: size })).toMatchObject({ ok: true, value: { data: rows(0, 3) }, large: [] });
    const small = run({ refs, valueLimit: 20 });
    expect(small).toMatchObject({ ok: true, value: { data: null, count: 3 } });
    if (!small.ok) throw new Error(small.code);
    expect(small.large.map(({ field, count }) => [field, count])).toEqual([['data', 3]]);
    expect(JSON.parse(Buffer.from(small.large[0]?.bytes ?? []).toString())).toEqual(rows(0, 3));
  });

  it('keeps no field of more than 64 KB once its output is too large as a whole', () => {
    const many = rows(0, 10_000);
    const held = run({ refs: { 'in.rows': { kind: 'value', value: many } } });
    expect(held).toStrictEqual({ ok: true, value: { data: many, count: 10_000 }, large: [] });
    const large = run({ refs: { 'in.rows': { kind: 'value', value: many } }, valueLimit: 90_000 });
    expect(large).toMatchObject({
      ok: true,
      value: { data: null, count: 10_000 },
      large: [{ field: 'data', count: 10_000 }],
    });
  });
});
