import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { ServerEvent } from '../../../cli/http/server-events';
import { waitUntil } from '../../../infra/embedded/process';
import { callStep, GATE, playbook } from '../../support/fault-texts';
import { checkLedger } from '../../support/ledger';
import { postThrough, type OutageBench } from '../../support/outage-bench';
import type { ProductApi } from '../../support/product-api';

const BRANCHES = 50;

/** Reads until the stream ends or breaks; gives the number of the last event. */
async function read(api: ProductApi, runId: string, into: ServerEvent[]): Promise<void> {
  const last = Number(into.at(-1)?.id ?? 0);
  try {
    for await (const event of api.follow(runId, last)) into.push(event);
  } catch {
    // A broken stream is taken up again by the caller.
  }
}

const numbers = (events: readonly ServerEvent[]): number[] => events.map((event) => Number(event.id));
const upTo = (last: number): number[] => Array.from({ length: last }, (_unused, index) => index + 1);

/** Readers of a run's events miss none and see none twice. */
export function streams(bench: () => OutageBench): void {
  describe('event streams', () => {
    it('F29b: SIGTERM of an API with open streams and a POST in flight', async () => {
      const { stack, witness, apiToTemporal } = bench();
      const { api } = stack;
      const slug = await api.savePlaybook(
        playbook('f29b', [callStep('first', 'keyed'), GATE, callStep('second', 'keyed')]),
      );
      const runId = await api.startRun(slug);
      const approvalId = await api.approval(runId);
      const readers: ServerEvent[][] = [[], [], []];
      const open = readers.map((events) => read(api, runId, events));
      await waitUntil(() => readers.every((events) => events.some(({ event }) => event === 'approval.requested')), {
        what: 'three readers',
        timeoutMs: 60_000,
      });

      apiToTemporal.hold();
      const key = randomUUID();
      const post = postThrough(bench(), '/runs', { playbook: slug, inputs: {} }, { 'idempotency-key': key });
      const row = () => stack.admin.query<{ id: string }>('select id from runs where idempotency_key = $1', [key]);
      await waitUntil(async () => (await row()).length === 1, {
        what: 'the row of the POST in flight',
        timeoutMs: 60_000,
      });
      const exit = await stack.apiProcess.stop();
      apiToTemporal.release();
      const answer = await post;
      await Promise.all(open);
      expect(exit).toEqual({ code: 0, signal: null });
      expect(answer).toMatchObject({ status: 201, body: { runId: (await row())[0]?.id, status: 'pending' } });
      const second = answer?.body['runId'] as string;
      api.acknowledged.add(second);

      await stack.startApi();
      const resumed = readers.map((events) => read(api, runId, events));
      expect((await api.decide(approvalId, 'approve')).status).toBe(200);
      expect((await api.decide(await api.approval(second), 'approve')).status).toBe(200);
      await api.done(second);
      await Promise.all(resumed);
      for (const events of readers) {
        expect(numbers(events)).toEqual(upTo(events.length));
        expect(events.at(-1)).toMatchObject({ event: 'complete', data: { status: 'complete' } });
      }
      expect(
        await checkLedger(stack, {
          witness,
          runs: [runId, second],
          effects: new Map([
            [runId, 2],
            [second, 2],
          ]),
        }),
      ).toEqual([]);
    });

    it(`a reader that reconnects after every event sees each of ${BRANCHES} parallel branches once`, async () => {
      const { stack } = bench();
      const { api } = stack;
      const branches = Array.from(
        { length: BRANCHES },
        (_unused, at) =>
          `    - {name: b${at}, step_type: tool, action: write_journal_entry, inputs: {summary: "branch ${at}"}}\n`,
      );
      const slug = await api.savePlaybook(
        `id: branches\nname: branches\nsteps:\n  - name: all\n    action: parallel\n    parallel_steps:\n${branches.map((line) => `  ${line}`).join('')}`,
      );
      const runId = await api.startRun(slug);
      const seen: ServerEvent[] = [];
      while (seen.at(-1)?.event !== 'complete') {
        for await (const event of api.follow(runId, Number(seen.at(-1)?.id ?? 0))) {
          seen.push(event);
          break;
        }
      }
      expect(numbers(seen)).toEqual(upTo(seen.length));
      expect(seen).toEqual(await api.events(runId));
      for (const kind of ['step.started', 'step.finished']) {
        const steps = seen.filter(({ event }) => event === kind).map(({ data }) => data['step']);
        expect(new Set(steps.filter((step) => step !== 'all')).size).toBe(BRANCHES);
      }
      expect(await api.done(runId)).toMatchObject({ status: 'complete' });
      expect(await checkLedger(stack, { runs: [runId] })).toEqual([]);
    });
  });
}
