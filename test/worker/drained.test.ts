import { expect, it } from '@jest/globals';
import { IllegalStateError } from '@temporalio/worker';
import { passDrained } from '../../worker/drained';

// What the SDK throws at the end of a worker whose last call is still being put away.
const RACE = new IllegalStateError('Worker still in use: Expected 1 reference, but got 2');

it('the count of references at the end of a worker that has drained is no failure', () => {
  const noted: Error[] = [];
  passDrained({ getState: () => 'STOPPED' }, (error) => noted.push(error))(RACE);
  expect(noted).toEqual([RACE]);
});

it.each([
  ['of one that failed', 'FAILED', RACE],
  ['of one that still runs', 'RUNNING', RACE],
  ['by another error', 'STOPPED', new IllegalStateError('Poller was already closed')],
] as const)('the end %s stays one', (_what, state, error) => {
  expect(() => passDrained({ getState: () => state }, () => undefined)(error)).toThrow(error);
});
