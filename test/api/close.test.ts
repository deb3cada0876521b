import { expect, it } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { startApi, startRun } from './api-fixture';

const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

it('a closed API leaves nothing behind that keeps its process alive, also where Temporal never answered', async () => {
  const before = timers();
  const api = await startApi();
  await startRun(api);
  // The start of the run is tried again and again: the SDK holds timers for it.
  expect(timers()).toBeGreaterThan(before);
  await api.close();
  await nextTurn();
  expect(timers()).toBeLessThanOrEqual(before);
});
