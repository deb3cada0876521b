import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { RunClock } from '../../../core/engine/clock';
import { isBuiltin, resolveBuiltin } from '../../../core/expr/builtins';
import { parseReference } from '../../../core/expr/reference';
import { BUILTIN_NAMES, RESERVED_ROOTS } from '../../../core/expr/reserved-roots';

const clock: RunClock = {
  now: '2024-03-01T04:30:00Z',
  today: '2024-02-29',
  time_zone: 'America/New_York',
  last_execution_date: '2024-02-01',
};
const runId = 'b0c7a1f4';

describe('resolveBuiltin', () => {
  it.each([
    ['today', '2024-02-29'],
    ['now', '2024-03-01T04:30:00Z'],
    ['execution_id', runId],
    ['last_execution_date', '2024-02-01'],
    ['0_days_ago', '2024-02-29'],
    ['1_days_ago', '2024-02-28'],
    ['29_days_ago', '2024-01-31'],
    ['30_days_ago', '2024-01-30'],
    ['60_days_ago', '2023-12-31'],
    ['366_days_ago', '2023-02-28'],
    ['365_days_ago', '2023-03-01'],
    ['1461_days_ago', '2020-02-29'],
    ['36500_days_ago', '1924-03-25'],
  ])('%s is %s', (name, value) => {
    expect(resolveBuiltin(name, clock, runId)).toBe(value);
  });

  it.each([
    ['2024-03-01', 1, '2024-02-29'],
    ['2023-03-01', 1, '2023-02-28'],
    ['2024-01-01', 1, '2023-12-31'],
    ['2000-03-01', 1, '2000-02-29'],
    ['1900-03-01', 1, '1900-02-28'],
    ['2024-05-31', 31, '2024-04-30'],
    ['2024-12-31', 366, '2023-12-31'],
  ])('of %s, %d days ago is %s', (today, days, value) => {
    expect(resolveBuiltin(`${days}_days_ago`, { ...clock, today }, runId)).toBe(value);
  });

  it('counts from the local date, not from the instant', () => {
    const lateEvening: RunClock = { now: '2024-06-30T21:30:00Z', today: '2024-06-30', time_zone: 'UTC' };
    const inTokyo: RunClock = { ...lateEvening, today: '2024-07-01', time_zone: 'Asia/Tokyo' };
    expect(resolveBuiltin('1_days_ago', lateEvening, runId)).toBe('2024-06-29');
    expect(resolveBuiltin('1_days_ago', inTokyo, runId)).toBe('2024-06-30');
  });

  it('is not defined without a value', () => {
    expect(
      resolveBuiltin('last_execution_date', { now: clock.now, today: clock.today, time_zone: 'UTC' }, runId),
    ).toBeUndefined();
    expect(resolveBuiltin('1_days_ago', { ...clock, today: 'soon' }, runId)).toBeUndefined();
    expect(resolveBuiltin('400_days_ago', { ...clock, today: '0001-01-05' }, runId)).toBeUndefined();
  });

  it.each([
    '',
    'yesterday',
    'Today',
    '36501_days_ago',
    '99999999_days_ago',
    '-1_days_ago',
    '1.5_days_ago',
    '01_days_ago',
    '_days_ago',
    'x_days_ago',
    '1_days_agoo',
    '1_day_ago',
    '1e3_days_ago',
    '٣_days_ago',
    'toString',
    'constructor',
  ])('%p is none', (name) => {
    expect(resolveBuiltin(name, clock, runId)).toBeUndefined();
    expect(isBuiltin(name)).toBe(false);
  });
});

describe('isBuiltin', () => {
  it.each(['today', 'now', 'execution_id', 'last_execution_date', '0_days_ago', '7_days_ago', '36500_days_ago'])(
    '%s is one',
    (name) => {
      expect(isBuiltin(name)).toBe(true);
    },
  );

  it('agrees with the parser on every N_days_ago', () => {
    const number = fc.oneof(fc.integer({ min: -10, max: 40_000 }).map(String), fc.stringMatching(/^[0-9]{1,7}$/));
    fc.assert(
      fc.property(number, (days) => {
        const name = `${days}_days_ago`;
        expect(parseReference(name).ok).toBe(isBuiltin(name));
        expect(resolveBuiltin(name, clock, runId) !== undefined).toBe(isBuiltin(name));
      }),
    );
  });
});

describe('RESERVED_ROOTS', () => {
  it('holds the built-ins, and what must never be taken', () => {
    for (const name of [...BUILTIN_NAMES, 'secrets', 'env', 'connection', 'constructor', '__proto__', 'true', 'null']) {
      expect(RESERVED_ROOTS.has(name)).toBe(true);
    }
    expect(RESERVED_ROOTS.has('step')).toBe(false);
  });
});
