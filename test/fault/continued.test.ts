import { afterAll, beforeAll } from '@jest/globals';
import { startFaultBench, type FaultBench } from '../support/fault-bench';
import { continued } from './cases/continued';

let bench: FaultBench;
beforeAll(async () => {
  bench = await startFaultBench({ dynamicConfig: ['limit.historyCount.suggestContinueAsNew=40'] });
});
afterAll(() => bench?.close());

continued(() => bench);
