import { afterAll, beforeAll } from '@jest/globals';
import { startOutageBench, type OutageBench } from '../support/outage-bench';
import { decisions } from './cases/decisions';
import { operator } from './cases/operator';
import { outside } from './cases/outside';
import { receipt } from './cases/receipt';

let bench: OutageBench;
beforeAll(async () => {
  bench = await startOutageBench();
});
afterAll(() => bench?.close());

decisions(() => bench);
receipt(() => bench);
outside(() => bench);
operator(() => bench);
