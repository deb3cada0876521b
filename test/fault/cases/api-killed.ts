import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { waitUntil } from '../../../infra/embedded/process';
import { callStep, playbook } from '../../support/fault-texts';
import { checkLedger } from '../../support/ledger';
import { postThrough, type OutageBench } from '../../support/outage-bench';
import type { Stack } from '../../support/stack';

const LIMIT = { timeoutMs: 60_000 };

interface Row {
  id: string;
  status: string;
}

async function rowsOf(stack: Stack, key: string): Promise<Row[]> {
  return stack.admin.query<Row>('select id, status from runs where idempotency_key = $1', [key]);
}

/** The same request again, as a client does that heard nothing. */
async function repeat(stack: Stack, slug: string, key: string): Promise<unknown> {
  const { status, body } = await stack.api.call(
    'POST',
    '/runs',
    { playbook: slug, inputs: {} },
    { 'idempotency-key': key },
  );
  expect([200, 201]).toContain(status);
  return body['runId'];
}

/** One run for the key, carried out once, wherever the API died. */
async function expectOneRun({ stack, witness }: OutageBench, slug: string, key: string): Promise<void> {
  const [row, ...more] = await rowsOf(stack, key);
  expect(more).toEqual([]);
  const runId = row?.id ?? '';
  expect(await repeat(stack, slug, key)).toBe(runId);
  stack.api.acknowledged.add(runId);
  expect(await stack.api.done(runId)).toMatchObject({ status: 'complete' });
  expect(await rowsOf(stack, key)).toHaveLength(1);
  expect(await checkLedger(stack, { witness, runs: [runId], effects: new Map([[runId, 2]]) })).toEqual([]);
}

/** kill -9 of the API at each moment between a request and its answer. */
export function apiKilled(bench: () => OutageBench): void {
  const steps = [callStep('first', 'keyed'), callStep('second', 'keyed')];

  describe('the API killed', () => {
    it('F03a: after its row is committed, before the workflow is started', async () => {
      const { stack, apiToTemporal, clientToApi } = bench();
      const slug = await stack.api.savePlaybook(playbook('f03a', steps));
      const key = randomUUID();
      apiToTemporal.hold();
      // The answer follows the commit at once: whether the kill is quicker must not be luck.
      clientToApi.hold('answers');
      const answer = postThrough(bench(), '/runs', { playbook: slug, inputs: {} }, { 'idempotency-key': key });
      await waitUntil(async () => (await rowsOf(stack, key)).length === 1, { what: 'the row', ...LIMIT });
      await stack.apiProcess.kill();
      clientToApi.cut();
      expect(await answer).toBeUndefined();
      clientToApi.mend();
      clientToApi.release();
      expect(await rowsOf(stack, key)).toMatchObject([{ status: 'pending' }]);
      apiToTemporal.release();
      await stack.startApi();
      await expectOneRun(bench(), slug, key);
    });

    it('F03b: after the start, before the answer, with a run that finished meanwhile', async () => {
      const { stack, apiToTemporal } = bench();
      const slug = await stack.api.savePlaybook(playbook('f03b', steps));
      const key = randomUUID();
      // The start reaches Temporal, its answer does not come back: the API may not note that it started.
      apiToTemporal.hold('answers');
      const answer = postThrough(bench(), '/runs', { playbook: slug, inputs: {} }, { 'idempotency-key': key });
      await waitUntil(() => apiToTemporal.waiting('answers') > 0, { what: 'the started workflow', ...LIMIT });
      await waitUntil(async () => (await rowsOf(stack, key)).length === 1, { what: 'the row', ...LIMIT });
      await stack.apiProcess.kill();
      await answer;
      await waitUntil(async () => (await rowsOf(stack, key))[0]?.status === 'complete', {
        what: 'the finished run',
        ...LIMIT,
      });
      apiToTemporal.release();
      await stack.startApi();
      await expectOneRun(bench(), slug, key);
    });

    it('F03c: after the start, with an answer that the client never gets', async () => {
      const { stack, clientToApi } = bench();
      const slug = await stack.api.savePlaybook(playbook('f03c', steps));
      const key = randomUUID();
      clientToApi.hold('answers');
      const answer = postThrough(bench(), '/runs', { playbook: slug, inputs: {} }, { 'idempotency-key': key });
      await waitUntil(() => clientToApi.waiting('answers') > 0, { what: 'the withheld answer', ...LIMIT });
      await stack.apiProcess.kill();
      clientToApi.cut();
      expect(await answer).toBeUndefined();
      clientToApi.mend();
      clientToApi.release();
      await stack.startApi();
      await expectOneRun(bench(), slug, key);
    });
  });
}
