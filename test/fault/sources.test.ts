import { afterAll, beforeAll } from '@jest/globals';
import { startFaultBench, type FaultBench } from '../support/fault-bench';
import { failingSources } from './cases/sources';

let bench: FaultBench;
beforeAll(async () => {
  bench = await startFaultBench();
});
afterAll(() => bench?.close());

failingSources(() => bench);
