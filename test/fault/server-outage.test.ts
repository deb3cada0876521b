import { afterAll, beforeAll } from '@jest/globals';
import { startOutageBench, type OutageBench } from '../support/outage-bench';
import { databaseRestarted } from './cases/database-restarted';
import { temporalKilled } from './cases/temporal-killed';
import { waysCut } from './cases/ways-cut';

let bench: OutageBench;
beforeAll(async () => {
  bench = await startOutageBench();
});
afterAll(() => bench?.close());

temporalKilled(() => bench);
databaseRestarted(() => bench);
waysCut(() => bench);
