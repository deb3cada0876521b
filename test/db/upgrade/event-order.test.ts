import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Database } from '../../../infra/db/database';
import { migrate } from '../../../infra/db/migrate';
import type { PlacedEvent } from '../../../infra/db/stores/owner-events.store';
import { openAdmin, type Admin } from '../../support/admin';
import { freshDatabase } from '../../support/postgres';
import { OWNER } from '../db-fixture';
import { seedTenant } from '../tenant-rows';
import { Streams1764288000022 } from './chain/0022-streams';
import { oldChain } from './old-chain';

const append = (admin: Admin, runId: string, id: string): Promise<unknown> =>
  admin.query(
    `update runs set seq = af_append(id, owner_id, seq, json_build_array(json_build_object('id', $2::text, 'type', 'x', 'payload', '{}')))
      where id = $1`,
    [runId, id],
  );

/** Two runs without events. */
async function seedRuns(admin: Admin): Promise<string[]> {
  const rows = await seedTenant(admin, OWNER);
  const first = String(rows.get('runs')?.['id']);
  const second = randomUUID();
  await admin.query('delete from run_events');
  await admin.query(
    `insert into runs select (jsonb_populate_record(r, jsonb_build_object('id', $2::text, 'root_run_id', $2::text,
      'idempotency_key', null))).* from runs r where id = $1`,
    [first, second],
  );
  await admin.query('update runs set seq = 0');
  return [first, second];
}

it('events from before the column of their order come first, each run in its order', async () => {
  const { url, drop } = await freshDatabase();
  const admin = openAdmin(url);
  const schema = await Database.connect({ url, poolSize: 2 });
  const chain = await oldChain(url);
  try {
    await chain.up();
    await chain.downBefore(Streams1764288000022.name);
    const runs = await seedRuns(admin);
    for (const runId of [...runs, ...runs]) await append(admin, runId, randomUUID());
    await chain.up(35);
    await migrate(schema);
    await append(admin, runs[0] ?? '', 'new');
    const rows = await admin.query<PlacedEvent>('select * from run_events order by xid, run_id, seq');
    const [first = '', second = ''] = runs.toSorted();
    const before = [`${first} 1`, `${first} 2`, `${second} 1`, `${second} 2`];
    expect(rows.map((row) => `${row.run_id} ${row.seq}`)).toEqual([...before, `${runs[0]} 3`]);
    expect(new Set(rows.slice(0, 4).map((row) => row.xid)).size).toBe(1);
  } finally {
    await chain.close();
    await schema.close();
    await admin.close();
    await drop();
  }
});
