import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../../infra/db/database';
import { migrate, migrateDown } from '../../infra/db/migrate';
import { MIGRATIONS } from '../../migrations/all';
import { toOldChain } from '../db/upgrade/to-old-chain';
import { startInProcess, type InProcess } from '../support/in-process';
import { freshDatabase } from '../support/postgres';
import { openAdmin } from '../support/admin';
import { startApi, startRun } from './api-fixture';

const WAITING = 100;
let product: InProcess;
beforeAll(async () => {
  product = await startInProcess();
});
afterAll(() => product?.close());

async function inTens<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += 10) {
    results.push(...(await Promise.all(items.slice(at, at + 10).map(work))));
  }
  return results;
}

async function allAre(status: string): Promise<void> {
  const others = (): Promise<unknown[]> => product.admin.query('select 1 from runs where status <> $1', [status]);
  while ((await others()).length > 0) await sleep(250);
}

it(`F30c: a migration while ${WAITING} runs wait leaves each of them its answer`, async () => {
  await product.save(`
id: waits
name: Waits
steps:
  - {name: gate, step_type: approval, prompt: "Go on?", on_reject: stop}
  - {name: note, step_type: tool, action: write_journal_entry, inputs: {summary: "went on"}}
`);
  const runs = await inTens(Array.from({ length: WAITING }), () => product.start('waits'));
  await allAre('waiting_approval');

  const schema = await Database.connect({ url: product.config.databaseUrl ?? '', poolSize: 2 });
  await migrateDown(schema);
  const applied = await migrate(schema);
  await schema.close();
  expect(applied).toEqual([MIGRATIONS.at(-1)?.name]);

  const answers = await inTens(runs, async (runId) => product.decide(runId, await product.approval(runId), 'approve'));
  expect(answers.filter(({ state }) => state === 'refused')).toEqual([]);
  await allAre('complete');
  const [row] = await product.admin.query<{ count: string }>('select count(*) from journal_entries where kind <> $1', [
    'run',
  ]);
  expect(Number(row?.count)).toBe(WAITING);
});

describe.each([
  ['its last migration', undefined],
  ['0035', 35],
])('a database of the old chain up to %s', (_name, to) => {
  it('is brought up to date while runs wait, and each of them goes on with its answer', async () => {
    const prompts = ['gate', 'later'].map(
      (name) => `{name: ${name}, step_type: approval, prompt: "Go on?", on_reject: stop}`,
    );
    const slug = `old-${to ?? 'whole'}`;
    await product.save(`
id: ${slug}
name: Old
steps:
  - {name: before, step_type: tool, action: write_journal_entry, inputs: {summary: "began"}}
  - ${prompts[0]}
  - {name: after, step_type: tool, action: write_journal_entry, inputs: {summary: "went on"}}
  - ${prompts[1]}
`);
    const runs = await inTens(Array.from({ length: 10 }), () => product.start(slug));
    const open = await inTens(runs, async (runId) => product.approval(runId));
    const url = product.config.databaseUrl ?? '';

    await toOldChain(product.admin, url, to);
    const schema = await Database.connect({ url, poolSize: 2 });
    const applied = await migrate(schema);
    await schema.close();
    expect(applied.at(-1)).toEqual(MIGRATIONS.at(-1)?.name);

    for (const [at, runId] of runs.entries())
      expect(await product.decide(runId, open[at] ?? '', 'approve')).toMatchObject({ state: 'counted' });
    for (const runId of runs) {
      const next = await product.until(runId, ({ steps_done }) => steps_done === 3);
      expect(next.status).toBe('waiting_approval');
      await product.decide(runId, await product.approval(runId), 'approve');
      expect(await product.done(runId)).toMatchObject({ status: 'complete' });
      const events = await product.events(runId);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, at) => at + 1));
    }
    const notes = await product.admin.query<{ summary: string; times: number }>(
      `select summary, count(*)::int as times from journal_entries where run_id = any($1) and kind <> 'run' group by 1 order by 1`,
      [runs],
    );
    expect(notes).toEqual([
      { summary: 'began', times: 10 },
      { summary: 'went on', times: 10 },
    ]);
  });
});

it('F30b: a migration that only adds leaves a build that runs its reads and writes', async () => {
  const { url, drop } = await freshDatabase();
  const api = await startApi({ databaseUrl: url });
  const runId = await startRun(api);
  const later = openAdmin(url);
  await later.query(`insert into migrations (timestamp, name) values (9764288000099, 'Later9764288000099')`);
  await later.query(`alter table runs add column later text not null default 'x'`);
  await later.query(`alter table playbook_versions add column later jsonb`);
  await later.query('create table later (id int)');
  await later.close();
  const next = await startRun(api);
  expect((await api.call('GET', `/runs/${runId}`)).body).toMatchObject({ runId, status: 'pending' });
  expect((await api.call('GET', '/runs')).body.items?.map((run) => run['runId'])).toEqual([next, runId]);
  expect((await api.call('POST', `/runs/${runId}/cancel`)).status).toBeLessThan(300);
  await api.close();
  await drop();
});
