import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { startInProcess, type InProcess } from '../support/in-process';
import { startApiOf, TWO_STEPS, type TestApi } from './api-fixture';

/** The API with its loops, in front of a real Temporal server and a real worker; one run of an owner at a time. */
let product: InProcess;
let api: TestApi;
beforeAll(async () => {
  product = await startInProcess();
  api = await startApiOf(product, { AF_OWNER_RUNNING_CAP: '1' });
});
afterAll(async () => {
  await api.close();
  await product.close();
});

const GATED = TWO_STEPS.replace('id: two-steps', 'id: gated').replace(
  '  - name: first_rows',
  `  - name: look
    step_type: approval
    prompt: "Keep {sort_rows.count} rows?"
    on_reject: stop
  - name: first_rows`,
);

it('runs above the cap say why they are pending, and each has its turn as soon as there is room', async () => {
  await api.call('POST', '/playbooks', { source: GATED });
  const start = () => api.call('POST', '/runs', { playbook: 'gated', inputs: { rows: [{ size: 1 }] } });
  const answers = await Promise.all(Array.from({ length: 5 }, start));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
  const ids = answers.map(({ body }) => String(body['runId']));
  const views = async () => Promise.all(ids.map(async (id) => (await api.call('GET', `/runs/${id}`)).body));
  const held = (await views()).filter((run) => run['code'] === 'owner_cap');
  // Held runs wait: the loops that would start them do not run yet.
  expect(held.length).toBeGreaterThanOrEqual(1);
  expect(held[0]).toMatchObject({ status: 'pending', waits: [{ kind: 'owner_cap', since: expect.any(String) }] });
  api.deps.loops.forEach((loop) => loop.start());
  // A run at its gate does not count any more: all get there, though one runs at a time and nobody decides.
  while (!(await views()).every((run) => run['status'] === 'waiting_approval')) {
    await sleep(100);
  }
});
