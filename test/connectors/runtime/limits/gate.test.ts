import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RateLimit } from '../../../../core/connector/types';
import { Gate } from '../../../../connectors/runtime/limits/gate';
import { identityAt } from '../../../../connectors/runtime/identity';
import { WaitBudget } from '../../../../connectors/runtime/limits/wait-budget';
import type { ConnectorRuntime } from '../../../../connectors/runtime/runtime';
import type { SourceWait } from '../../../../connectors/runtime/limits/source-wait';
import { OWNER, testDatabase, type TestDatabase } from '../../../db/db-fixture';
import { testRuntime } from '../../../support/connector-runtime';

let db: TestDatabase;
let runtime: ConnectorRuntime;
beforeAll(async () => {
  db = await testDatabase();
  const shipped = () => Promise.resolve({ concurrency: 1 });
  runtime = testRuntime(db.database, 'w', shipped);
});
afterAll(async () => {
  await runtime?.close();
  await db?.close();
});

interface GateOptions {
  origin: string;
  credential?: string;
  rateLimit?: RateLimit;
  leftMs?: number;
}

function gateFor({ origin, credential, rateLimit, leftMs = 30_000 }: GateOptions): { gate: Gate; waits: WaitBudget } {
  const waits = new WaitBudget({ maxWaitMs: 3_600_000, waitedMs: 0, refusals: 0 });
  const deadline = Date.now() + leftMs;
  const { signal } = new AbortController();
  const identity = identityAt(origin, OWNER, credential);
  return { gate: new Gate(runtime, waits, { identity, rateLimit, signal, deadline }), waits };
}

const newOrigin = (): string => `https://${randomUUID()}.example`;

describe('a place among the calls in flight', () => {
  it('that others have is waited for as for any limit: not out of the step’s own time', async () => {
    const asked = { origin: newOrigin(), credential: 'key', rateLimit: { concurrency: 1 } };
    const first = gateFor(asked).gate;
    const release = await first.slot(await first.passLimit());
    const { gate, waits } = gateFor({ ...asked, leftMs: 2000 });
    const pass = await gate.passLimit();
    const began = Date.now();
    const wait = await gate.slot(pass).catch((error: unknown) => error as SourceWait);
    const took = Date.now() - began;
    release?.();
    expect(wait).toMatchObject({ name: 'SourceWait', reason: 'source_busy', sleptMs: waits.sleptMs });
    expect(waits.sleptMs).toBeGreaterThan(0);
    expect(waits.sleptMs).toBeLessThanOrEqual(took);
  });

  it('of all owners is asked for also where the source asked for silence meanwhile', async () => {
    const origin = newOrigin();
    const { gate } = gateFor({ origin });
    const pass = await gate.passLimit();
    await runtime.limiter.block(identityAt(origin, OWNER, undefined).bucket, 1, 'rate_limited');
    const release = await gate.slot(pass);
    expect(release).toBeInstanceOf(Function);
    const held = await db.admin.query('select 1 from connector_slots where key = $1', [
      identityAt(origin, OWNER, undefined).bucket.key,
    ]);
    expect(held).toHaveLength(1);
    release?.();
  });
});
