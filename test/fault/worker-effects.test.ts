import { afterAll, beforeAll } from '@jest/globals';
import { startFaultBench, type FaultBench } from '../support/fault-bench';
import { cancelling } from './cases/cancel';
import { outages } from './cases/outage';
import { repeats } from './cases/repeats';
import { shutdown } from './cases/shutdown';
import { unsafeEffects } from './cases/unsafe';

let bench: FaultBench;
beforeAll(async () => {
  bench = await startFaultBench();
});
afterAll(() => bench?.close());

unsafeEffects(() => bench);
repeats(() => bench);
cancelling(() => bench);
shutdown(() => bench);
outages(() => bench);
