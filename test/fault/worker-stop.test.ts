import { afterAll, beforeAll } from '@jest/globals';
import { startFaultBench, type FaultBench } from '../support/fault-bench';
import { shutdownInSegments } from './cases/shutdown-segments';

let bench: FaultBench;
beforeAll(async () => {
  bench = await startFaultBench();
});
afterAll(() => bench?.close());

shutdownInSegments(() => bench);
