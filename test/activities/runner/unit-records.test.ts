import { describe, expect, it } from '@jest/globals';
import { factsOf, finishedEvent, asStepFailure, recordBase } from '../../../activities/runner/unit-records';
import type { Json, JsonObject } from '../../../core/base/json';
import type { ReportFacts, UnitCall } from '../../../core/engine/commands';
import type { UnitOutcome } from '../../../core/engine/inbox';
import { AppError, type AppErrorOptions } from '../../../core/errors/app-error';
import { tagDatabaseErrors } from '../../../infra/db/outage';

const unit = (path: string, more: Partial<UnitCall> = {}): UnitCall => ({
  path,
  name: path,
  key: path,
  effectKey: `run/${path}`,
  tryNo: 2,
  action: 'call_connector',
  inputs: {},
  params: {},
  refs: {},
  timeoutMs: 1_000,
  valueLimit: 1_000,
  ...more,
});
const startedAt = new Date('2026-01-01T00:00:00Z');
const base = { unit: unit('a'), startedAt, rendered: { renderedInput: {}, params: {}, shown: { inputs: { x: 1 } } } };

describe('what the work for a step throws', () => {
  const of = (error: unknown): Promise<unknown> => asStepFailure(unit('a'), () => Promise.reject(error as Error));
  const made = (code: string, options: AppErrorOptions): AppError => new AppError(code, 'Why.', options);

  it('is nothing where it is done', async () => {
    expect(await asStepFailure(unit('a'), () => Promise.resolve(5))).toBe(5);
  });

  it('is its failure, with its name, where that is data', async () => {
    const said = { code: 'bad', message: 'Step a: Why.', category: 'too_large' };
    expect(await of(made('bad', { category: 'too_large' }))).toStrictEqual({
      kind: 'failed',
      error: { ...said, retryable: false },
      events: [],
    });
    expect(await of(made('bad', { category: 'too_large', retryable: true, details: { n: 1 } }))).toStrictEqual({
      kind: 'failed',
      error: { ...said, retryable: true, details: { n: 1 } },
      events: [],
    });
  });

  it.each(['blob_not_found', 'blob_damaged'])('waits for a person where content is lost: %s', async (code) => {
    expect(await of(made(code, { category: 'internal' }))).toStrictEqual({
      kind: 'attention',
      error: { code, message: 'Step a: Why.', category: 'internal', retryable: false },
    });
  });

  it('is thrown on where it is no matter of the step', async () => {
    const outage = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
    await tagDatabaseErrors(Promise.reject(outage)).catch(() => undefined);
    for (const error of [
      new Error('broken'),
      outage,
      made('away', { category: 'unavailable' }),
      made('storage_full', { category: 'internal' }),
    ])
      await expect(of(error)).rejects.toBe(error);
  });
});

it('the record of a unit says what was carried out', () => {
  expect(recordBase(base)).toStrictEqual({
    effect_key: 'run/a',
    try_no: 2,
    step_path: 'a',
    step_name: 'a',
    action: 'call_connector',
    input: { inputs: { x: 1 } },
    started_at: '2026-01-01T00:00:00.000Z',
  });
});

describe('what the report of a step says of those before it', () => {
  const facts: ReportFacts = {
    status: 'running',
    decisions: [],
    missing: ['before'],
    lacks: ['known'],
    rests: ['a'],
  };
  const cut: Json = { results: [], truncated: true, stopped_by: 'max_pages' };
  const ok = (path: string, value: Json = cut): UnitOutcome => ({ path, status: 'ok', output: { value } });
  const LINE = (path: string): string => `${path}: there is more than was read (stopped by max_pages)`;
  const said = (before: UnitCall[], outcomes: UnitOutcome[]): ReportFacts | undefined =>
    factsOf(unit('put', { facts }), before, outcomes);

  it('is nothing for a step that writes no report', () => {
    expect(factsOf(unit('put'), [unit('a')], [ok('a')])).toBeUndefined();
  });

  it.each<[string, UnitCall[], UnitOutcome[], string[], string[]]>([
    ['nothing', [], [], [], []],
    ['what its data rest on', [unit('a')], [ok('a')], [LINE('a')], [LINE('a')]],
    ['what others lack', [unit('b')], [ok('b')], [], [LINE('b')]],
    ['both', [unit('a'), unit('b')], [ok('b'), ok('a')], [LINE('a')], [LINE('b'), LINE('a')]],
    ['nothing of a whole result', [unit('a')], [ok('a', { results: [], truncated: false })], [], []],
    ['nothing of one that gave none', [unit('a')], [{ path: 'a', status: 'failed' }], [], []],
    ['nothing of a unit that it does not know', [unit('b')], [ok('a')], [], []],
    ['nothing of a cap that was asked for', [unit('a', { inputs: { max_pages: 1 } })], [ok('a')], [], []],
    ['nothing of a cap that a person asked for', [unit('a', { edits: { max_pages: 1 } })], [ok('a')], [], []],
  ])('%s', (_what, before, outcomes, lacks, missing) => {
    expect(said(before, outcomes)).toStrictEqual({
      ...facts,
      lacks: ['known', ...lacks],
      missing: ['before', ...missing],
    });
  });
});

it('the end of a unit is told with its result in short, and what that lacks', () => {
  const event = (value: Json, more: Partial<UnitCall> = {}): JsonObject => {
    const { payload, ...rest } = finishedEvent({ ...base, unit: unit('a', more) }, { value });
    expect(rest).toStrictEqual({ id: 'a:f', type: 'step.finished', step_path: 'a' });
    return payload;
  };
  const told = {
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    step: 'a',
    status: 'ok',
    try_no: 2,
    started_at: '2026-01-01T00:00:00.000Z',
    duration_ms: expect.any(Number),
  };
  const { duration_ms: duration, ...payload } = event({ n: 1 });
  expect({ ...payload, duration_ms: duration }).toStrictEqual({ ...told, size: 7, output_preview: { n: 1 } });
  expect(Number(duration)).toBeGreaterThanOrEqual(0);
  expect(Number(duration)).toBeLessThanOrEqual(Date.now() - startedAt.getTime());
  expect(event({ errors: [{}] })['incomplete']).toEqual([
    { code: 'not_read', message: '1 errors came beside the data' },
  ]);
  expect(event({ truncated: true, stopped_by: 'max_pages' }, { edits: { max_pages: 1 } })).not.toHaveProperty(
    'incomplete',
  );
});
