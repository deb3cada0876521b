import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import compute from '../../../activities/runner/compute-thread';
import type {
  ComputeAnswer,
  ComputePart,
  ComputeRef,
  ComputeTask,
  LargeField,
} from '../../../activities/runner/compute-types';
import type { Json, JsonObject } from '../../../core/base/json';
import type { BlobPart } from '../../../core/engine/values';

/** Answer of the thread to a task, called here as the thread calls it. */
const run = (more: Partial<ComputeTask>): Exclude<ComputeAnswer, { missing: string[] }> => {
  const answer = compute({ ...TASK, ...more });
  if ('missing' in answer) throw new Error(`it does not have ${answer.missing.join()}`);
  return answer;
};
const TASK: ComputeTask = {
  owner: 'owner',
  action: 'transform_data',
  inputTemplate: { data: '{in.rows}' },
  params: {},
  inputOverride: {},
  refs: {},
  valueLimit: 1_000_000,
};

type PartKind = 'whole' | 'slice' | 'element';
const blob = (kind: PartKind, bytes: Buffer) => ({ part: { sha256: sha256(bytes), size: bytes.length, kind }, bytes });
const part = (kind: PartKind, value: Json) => blob(kind, Buffer.from(JSON.stringify(value)));
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const rows = (from: number, count: number): JsonObject[] =>
  Array.from({ length: count }, (_unused, at) => ({ id: from + at }));
const dataOf = (ref: ComputeRef, more: Partial<ComputeTask> = {}): unknown => {
  const answer = run({ refs: { 'in.rows': ref }, ...more });
  return answer.ok ? (answer.value as JsonObject)['data'] : answer.code;
};

/** Text of a field in pieces; blobs that the task has read are given by `read`. */
const textOf = (pieces: LargeField['pieces'] = [], read: { part: BlobPart; bytes: Uint8Array }[] = []): string =>
  pieces
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      const bytes =
        piece instanceof Uint8Array ? piece : read.find(({ part: { sha256: at } }) => at === piece.sha256)?.bytes;
      return Buffer.from(bytes ?? []).toString('utf8');
    })
    .join('');

describe('what a task passes on', () => {
  const list = rows(0, 5_000);
  const whole = part('whole', { id: 'ä', records: list });
  const records = part('whole', list);
  const taskOf = (parts: ComputePart[], more: Partial<ComputeTask> = {}): ComputeTask => ({
    ...TASK,
    inputTemplate: { data: ['{in.x}'] },
    params: { operations: [{ type: 'compute', as: 'f', expression: '1' }] },
    refs: { 'in.x': { kind: 'parts', base: null, fields: [{ field: '', parts }], path: [] } },
    valueLimit: 1_000,
    ...more,
  });
  const piecesOf = (answer: ComputeAnswer): LargeField['pieces'] =>
    'ok' in answer && answer.ok ? (answer.large[0]?.pieces ?? []) : [];
  const kinds = (pieces: LargeField['pieces']): string[] =>
    pieces.map((piece) => (typeof piece === 'string' ? 'text' : piece instanceof Uint8Array ? 'bytes' : 'blob'));

  it('is apart from what it adds, and not written again where it is a blob that it has read', () => {
    const first = piecesOf(compute(taskOf([whole])));
    expect(kinds(first)).toEqual(['text', 'bytes', 'text']);
    expect(JSON.parse(textOf(first))).toEqual([{ id: 'ä', records: list, f: 1 }]);
    const around = { text: ['{"id":"ä","records":', records, ',"__proto__":[2]}'] };
    const next = piecesOf(compute(taskOf([around])));
    expect(kinds(next)).toEqual(['text', 'blob', 'text']);
    expect(next[1]).toEqual(records.part);
    expect(textOf(next, [records])).toBe(`[{"id":"ä","records":${JSON.stringify(list)},"__proto__":[2],"f":1}]`);
  });

  it('is known to the thread by its address, to its owner alone, until others take its room', () => {
    const { part: at } = records;
    compute(taskOf([records]));
    expect(kinds(piecesOf(compute(taskOf([{ text: ['{"records":', { part: at }, '}'] }]))))).toContain('blob');
    expect(compute(taskOf([{ part: at }], { owner: 'other' }))).toEqual({ missing: [at.sha256] });
    const large = blob('whole', Buffer.from(JSON.stringify(['x'.repeat(16_770_000)])));
    compute(taskOf([large]));
    expect(compute(taskOf([{ part: at }]))).toEqual({ missing: [at.sha256] });
    // What it had when the task came is there, whatever the task reads before it.
    compute(taskOf([records]));
    const both = compute(taskOf([{ ...part('slice', ['z']) }, large, { part: { ...at, kind: 'slice' } }]));
    expect(both).not.toHaveProperty('missing');
    compute(taskOf([large]));
    const larger = blob('whole', Buffer.from(JSON.stringify(['x'.repeat(17_000_000)])));
    compute(taskOf([larger]));
    expect(compute(taskOf([{ part: larger.part }]))).toEqual({ missing: [larger.part.sha256] });
    expect(compute(taskOf([{ part: large.part }]))).not.toHaveProperty('missing');
  });

  it('is whole again in many parts, or with much of its own', () => {
    const parts = Array.from({ length: 5 }, (_each, no) => rows(no, 2_000));
    expect(kinds(piecesOf(compute(taskOf([part('whole', parts)]))))).toEqual(['bytes']);
    const own = Array.from({ length: 3_000 }, (_each, no) => [`k${no}`, no] as const);
    const much = part('whole', { ...Object.fromEntries(own), records: list });
    expect(kinds(piecesOf(compute(taskOf([much]))))).toEqual(['bytes']);
  });
});

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
    const damaged = [{ field: '', parts: [blob('whole', Buffer.from('[1,'))] }];
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
    expect(JSON.parse(textOf(small.large[0]?.pieces))).toEqual(rows(0, 3));
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
