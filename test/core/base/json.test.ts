import { describe, expect, it } from '@jest/globals';
import { isJsonObject, type Json, type JsonObject, ownField } from '../../../core/base/json';
import { isTerminal, LOCAL_USER_ID, QUEUES, RUN_STATUSES } from '../../../core/base/run-status';

describe('isJsonObject', () => {
  it.each<[Json | undefined, boolean]>([
    [{}, true],
    [{ a: 1 }, true],
    [[], false],
    [null, false],
    [undefined, false],
    ['{}', false],
    [1, false],
    [true, false],
  ])('of %j is %p', (value, expected) => {
    expect(isJsonObject(value)).toBe(expected);
  });
});

describe('ownField', () => {
  it('reads own fields, also null ones', () => {
    expect(ownField({ a: 1 }, 'a')).toBe(1);
    expect(ownField({ a: null }, 'a')).toBeNull();
    expect(ownField({}, 'a')).toBeUndefined();
  });

  it.each(['toString', 'constructor', '__proto__', 'hasOwnProperty', 'valueOf'])('does not reach %s', (name) => {
    expect(ownField({}, name)).toBeUndefined();
  });

  it('reads a field that shadows a method, and objects without a prototype', () => {
    expect(ownField({ hasOwnProperty: 1 }, 'hasOwnProperty')).toBe(1);
    const bare = Object.assign(Object.create(null) as JsonObject, { a: 2 });
    expect(ownField(bare, 'a')).toBe(2);
  });
});

describe('run statuses', () => {
  it('are terminal or not, in the order of a life', () => {
    const terminal = RUN_STATUSES.filter(isTerminal);
    expect(terminal).toEqual(['suppressed', 'complete', 'partial', 'rejected', 'failed', 'cancelled', 'timed_out']);
    expect(RUN_STATUSES.slice(-terminal.length)).toEqual(terminal);
    expect(new Set(RUN_STATUSES).size).toBe(RUN_STATUSES.length);
  });

  it('queues have distinct names, the local user a fixed id', () => {
    const names = Object.values(QUEUES);
    expect(new Set(names).size).toBe(names.length);
    expect(LOCAL_USER_ID).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});
