import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { JoinedSignal } from '../../infra/joined-signal';

describe('JoinedSignal', () => {
  it.each([0, 1])('aborts with the first that aborts, and with its reason: %i', (at) => {
    const controllers = [new AbortController(), new AbortController()] as const;
    const { signal } = new JoinedSignal(controllers[0].signal, controllers[1].signal);
    expect(signal.aborted).toBe(false);
    controllers[at]?.abort(new Error(`reason ${at}`));
    controllers[1 - at]?.abort(new Error('later'));
    expect(signal.reason).toEqual(new Error(`reason ${at}`));
  });

  it('is aborted where one of them was before', () => {
    const late = new AbortController();
    const { signal } = new JoinedSignal(late.signal, AbortSignal.abort('before'));
    expect([signal.aborted, signal.reason]).toEqual([true, 'before']);
    expect(getEventListeners(late.signal, 'abort')).toEqual([]);
  });

  it('leaves nothing on the others once it is released, or has aborted', () => {
    const [long, other] = [new AbortController(), new AbortController()];
    const released = new JoinedSignal(long.signal, other.signal);
    released.release();
    const over = new JoinedSignal(long.signal, other.signal);
    other.abort();
    expect(over.signal.aborted).toBe(true);
    expect([long, other].map(({ signal }) => getEventListeners(signal, 'abort'))).toEqual([[], []]);
    expect(released.signal.aborted).toBe(false);
  });
});
