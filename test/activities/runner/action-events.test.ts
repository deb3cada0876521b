import { describe, expect, it } from '@jest/globals';
import { ActionEvents } from '../../../activities/runner/action-events';
import { PlatformTrouble, storageTrouble } from '../../../activities/runner/types';
import type { UnitCall } from '../../../core/engine/commands';
import { AppError } from '../../../core/errors/app-error';

const unit: UnitCall = {
  path: 'each[0]/a',
  name: 'a',
  key: 'a',
  effectKey: 'run/each[0]/a',
  tryNo: 2,
  action: 'act',
  inputs: {},
  params: {},
  refs: {},
  timeoutMs: 1,
  valueLimit: 1,
};
const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
const event = (no: number, type: string, more: object) => ({
  id: `each[0]/a:n:2:${no}`,
  type,
  step_path: 'each[0]/a',
  payload: { at, step: 'a', ...more },
});

describe('what an action notes', () => {
  it('is an event each, under a name that a repeat gives again', () => {
    const notes = new ActionEvents(unit);
    expect([notes.all(), notes.count, notes.effectSent, notes.unsafeSent, notes.target]).toEqual([
      [],
      0,
      false,
      false,
      '',
    ]);
    notes.add('source.called', { n: 1 });
    notes.add('source.drift', { step: 'other' });
    expect(notes.count).toBe(2);
    expect(notes.all()).toStrictEqual([
      event(0, 'source.called', { n: 1 }),
      event(1, 'source.drift', { step: 'other' }),
    ]);
  });

  it('is forgotten from where it was undone', () => {
    const notes = new ActionEvents(unit);
    for (const n of [0, 1, 2]) notes.add('x', { n });
    notes.forgetSince(1);
    expect(notes.all()).toStrictEqual([event(0, 'x', { n: 0 })]);
    notes.add('y', {});
    expect(notes.all()).toStrictEqual([event(0, 'x', { n: 0 }), event(1, 'y', {})]);
    notes.forgetSince(0);
    expect(notes.count).toBe(0);
  });

  it('ends with the effect where a request left', () => {
    const notes = new ActionEvents(unit);
    notes.add('x', {});
    notes.effectSent = true;
    const recorded = {
      id: 'each[0]/a:er:2',
      type: 'effect.recorded',
      step_path: 'each[0]/a',
      payload: { at, step: 'a', effect_key: 'run/each[0]/a' },
    };
    expect(notes.all()).toStrictEqual([event(0, 'x', {}), recorded]);
    expect(notes.count).toBe(1);
  });
});

it('a full disk is told in the words of whoever met it', () => {
  const own = new AppError('storage_full', 'The disk of documents is full.', { category: 'unavailable' });
  const other = new Error('53100');
  expect(storageTrouble(own, 'a')).toMatchObject({
    name: 'PlatformTrouble',
    code: 'storage_full',
    message: 'The disk of documents is full.',
    path: 'a',
    cause: own,
  });
  expect(storageTrouble(other, 'b')).toMatchObject({
    message: 'The database has no room left.',
    path: 'b',
    cause: other,
  });
  expect(storageTrouble(other, 'b')).toBeInstanceOf(PlatformTrouble);
});
