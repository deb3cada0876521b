import { afterAll, beforeAll } from '@jest/globals';
import { startOutageBench, type OutageBench } from '../support/outage-bench';
import { apiKilled } from './cases/api-killed';
import { pausedLists } from './cases/paused-lists';
import { streams } from './cases/streams';

let bench: OutageBench;
beforeAll(async () => {
  bench = await startOutageBench();
});
afterAll(() => bench?.close());

apiKilled(() => bench);
pausedLists(() => bench);
streams(() => bench);
