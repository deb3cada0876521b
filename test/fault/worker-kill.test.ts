import { afterAll, beforeAll } from '@jest/globals';
import { startFaultBench, type FaultBench } from '../support/fault-bench';
import { batches } from './cases/batch';
import { killPoints } from './cases/kill-points';
import { segments } from './cases/segments';

let bench: FaultBench;
beforeAll(async () => {
  bench = await startFaultBench({ env: { AF_DB_POOL: '20' } });
});
afterAll(() => bench?.close());

killPoints(() => bench);
segments(() => bench);
batches(() => bench);
