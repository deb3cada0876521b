import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ActionTable } from '../../activities/actions/types';
import { size } from '../support/fault-size';
import { startInProcess, type InProcess } from '../support/in-process';
import { startApiOf, type TestApi } from './api-fixture';
import { itemsOf } from './pages';
import { register, type Person } from './people';

/** One owner with many runs that do not end, one with short ones, one worker for both. Who waits for whom is counted, not measured. */
const CAP = 4;
const MANY = size(40, 1000);
const TOGETHER = 10;
const SHORT_RUNS = 5;
// The end of a hung test, not a measure.
jest.setTimeout(size(600_000, 7_200_000));

const inside = new Set<string>();
let most = 0;
let letGo: () => void = () => undefined;
const released = new Promise<void>((resolve) => (letGo = resolve));
const actions: ActionTable = {
  /** Delays like a source that answers when the test says so. */
  write_journal_entry: async ({ inputs }, { runId }) => {
    if (inputs['summary'] !== 'slow') return { output: { written: true } };
    inside.add(runId);
    most = Math.max(most, inside.size);
    await released;
    inside.delete(runId);
    return { output: { written: true } };
  },
};

let product: InProcess;
let api: TestApi;
beforeAll(async () => {
  product = await startInProcess({ actions });
  api = await startApiOf(product, {
    AF_OWNER_RUNNING_CAP: String(CAP),
    AF_SWEEP_SECONDS: '1',
    AF_WRITES_PER_SECOND: '1000',
  });
  api.deps.loops.forEach((loop) => loop.start());
});
afterAll(async () => {
  letGo();
  await api?.close();
  await product?.close();
});

const step = (name: string, summary: string): string =>
  `  - {name: ${name}, step_type: tool, action: write_journal_entry, inputs: {summary: "${summary}"}}`;
const playbook = (...steps: string[]): string => ['id: neighbour', 'name: Neighbour', 'steps:', ...steps].join('\n');

async function begin({ call }: Person): Promise<string> {
  const { status, body } = await call('POST', '/runs', { playbook: 'neighbour' });
  expect({ status, body }).toMatchObject({ status: 201 });
  return String(body['runId']);
}

function runsOf(person: Person): Promise<Record<string, unknown>[]> {
  return itemsOf(person, '/runs?limit=200');
}

async function allComplete({ call }: Person): Promise<void> {
  for (const status of ['pending', 'running']) {
    while ((await call('GET', `/runs?limit=1&status=${status}`)).body.items?.length !== 0) await sleep(100);
  }
}

it('F31: many slow runs of one owner leaves room for another; it waits with a reason and loses nothing', async () => {
  const [noisy, quiet] = [await register(api), await register(api)];
  await noisy.call('POST', '/playbooks', { source: playbook(step('one', 'slow')) });
  await quiet.call('POST', '/playbooks', { source: playbook(step('one', '1'), step('two', '2'), step('three', '3')) });
  for (let begun = 0; begun < MANY; begun += TOGETHER)
    await Promise.all(Array.from({ length: TOGETHER }, () => begin(noisy)));
  while (inside.size < CAP) await sleep(50);

  for (let no = 0; no < SHORT_RUNS; no += 1) {
    await begin(quiet);
    await allComplete(quiet);
  }
  expect((await runsOf(quiet)).map(({ status }) => status)).toEqual(
    Array.from({ length: SHORT_RUNS }, () => 'complete'),
  );

  const behind = await runsOf(noisy);
  expect(behind.filter(({ status, code }) => status === 'pending' && code === 'owner_cap')).toHaveLength(MANY - CAP);
  expect(behind.filter(({ status }) => status === 'running')).toHaveLength(CAP);

  letGo();
  await allComplete(noisy);
  const statuses = (await runsOf(noisy)).map(({ status }) => status);
  expect(statuses).toEqual(Array.from({ length: MANY }, () => 'complete'));
  expect(most).toBe(CAP);
});
