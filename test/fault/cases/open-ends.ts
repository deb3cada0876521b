import { describe, expect, it } from '@jest/globals';
import { LOCAL_USER_ID } from '../../../core/base/run-status';
import { waitUntil } from '../../../infra/embedded/process';
import { stopAt } from '../../support/database-stop';
import type { FaultBench } from '../../support/fault-bench';
import { callStep, GATE, playbook } from '../../support/fault-texts';
import { checkLedger } from '../../support/ledger';
import type { ModelServer } from '../../support/model-server';
import type { RunView } from '../../support/product-api';

const ASK =
  '{name: ask, step_type: llm_task, action: llm_analyze, inputs: {a: 1}, params: {instructions: judge}, output_schema: {type: object, fields: [{name: verdict, type: string}]}}';
const CHILD = playbook('open-child', [GATE]);

/** A request, a call in flight, one that its source keeps waiting, a model call and a sub-playbook with a request. */
function everything(id: string, more = ''): string {
  const steps = [
    `{name: gate, step_type: approval, prompt: go on${more}}`,
    callStep('slow', 'keyed'),
    callStep('busy', 'keyed', { connector: 'wp', more: 'retry_count: 2' }),
    ASK,
    '{name: sub, action: run_playbook, playbook: open-child}',
  ];
  return playbook(id, [`{name: all, parallel_steps: [${steps.join(', ')}]}`]);
}

/** `$output` writes a document. */
const OUTPUT = `${playbook('open-output', [callStep('first', 'keyed')])}output:
  sections: [{title: First, source: first}]
  destinations: [{type: document}]
`;

/** Ends of a run in which everything is open. */
const ENDS = ['paused, then cancelled', 'terminated in Temporal', 'its worker killed, then cancelled'] as const;
type End = (typeof ENDS)[number];
const STATUS: Record<End, string> = {
  'paused, then cancelled': 'cancelled',
  'terminated in Temporal': 'failed',
  'its worker killed, then cancelled': 'cancelled',
};

interface Open {
  runId: string;
  /** All events, once the stream has ended. */
  stream: Promise<{ event: string; data: unknown }[]>;
  link: string;
}

/** Whatever ends a run: nothing of it is open, in rows, in the stream and on the page of a link. */
export function openEnds(bench: () => FaultBench, model: () => ModelServer): void {
  const kinds = ({ waits }: RunView): string[] => waits.map(({ kind }) => kind).toSorted();

  async function opened(slug: string): Promise<Open> {
    const { stack, witness } = bench();
    const { api } = stack;
    const runId = await api.startRun(slug);
    const stream = api.events(runId);
    await witness.arrived(({ key }) => key === `${runId}/all/slow`);
    await api.until(runId, (run) => String(kinds(run)) === 'approval,child,source', 'everything open');
    const page = await api.must<{ items: { approvalId: string }[] }>('GET', `/approvals?run=${runId}&status=waiting`);
    const link = await api.must<{ url: string }>('POST', `/approvals/${page.items[0]?.approvalId}/links`, {
      user: LOCAL_USER_ID,
    });
    return { runId, stream, link: link.url };
  }

  async function end({ runId }: Pick<Open, 'runId'>, how: End | 'cancelled'): Promise<void> {
    const { stack, calm } = bench();
    if (how === 'terminated in Temporal') {
      await stack.client.workflow.getHandle(`run-${runId}`).terminate('by an operator');
      return;
    }
    if (how === 'paused, then cancelled') {
      await stack.api.command(runId, 'pause');
      await stack.api.until(runId, ({ status }) => status === 'paused', 'the pause');
    }
    if (how === 'its worker killed, then cancelled') await stack.killWorkers();
    expect((await stack.api.command(runId, 'cancel')).status).toBeLessThan(300);
    if (how === 'its worker killed, then cancelled') await calm();
  }

  async function expectClosed({ runId, stream, link }: Open, status: string): Promise<void> {
    const { stack } = bench();
    const closed = await stack.api.done(runId);
    expect(closed).toMatchObject({ status, waits: [] });
    expect((await stream).at(-1)).toMatchObject({ event: 'complete', data: { status } });
    const shown = await fetch(new URL(link, stack.api.url), { headers: { accept: 'application/json' } });
    expect(await shown.json()).toMatchObject({ usable: false });
    expect(await checkLedger(stack, { runs: [runId] })).toEqual([]);
  }

  describe('ends with everything open', () => {
    it('nothing stays open, whatever ends the run', async () => {
      const { stack, witness } = bench();
      const { api } = stack;
      witness.respond(({ key }) => {
        if (key.endsWith('/slow')) return new Promise(() => undefined);
        return key.endsWith('/busy') ? { status: 429, headers: { 'retry-after': '60' } } : undefined;
      });
      model().respond(() => ({ silent: true }));
      const before = model().requests.length;
      await api.savePlaybook(CHILD);
      const slug = await api.savePlaybook(everything('open-all'));
      const timed = await api.startRun(
        await api.savePlaybook(everything('open-timed', ', timeout_minutes: 0.3, on_timeout: stop')),
      );
      const runs = new Map<End, Open>();
      for (const how of ENDS) runs.set(how, await opened(slug));
      await waitUntil(() => model().requests.length >= ENDS.length, { what: 'the model calls', timeoutMs: 120_000 });
      for (const [how, open] of runs) {
        await end(open, how);
        await expectClosed(open, STATUS[how]);
      }
      expect(await api.done(timed)).toMatchObject({ status: 'timed_out', code: 'approval_timed_out', waits: [] });
      expect(await checkLedger(stack, { runs: [timed] })).toEqual([]);
      // A call whose worker was killed is asked again, and both were paid for: each that left is booked.
      const all = [timed, ...[...runs.values()].map(({ runId }) => runId)];
      const calls = await stack.admin.query('select from model_calls where run_id = any($1)', [all]);
      expect(calls.length).toBeGreaterThanOrEqual(model().requests.length - before);
    });

    it.each(['cancelled', 'terminated in Temporal'] as const)('its $output under way: %s', async (how) => {
      const { stack } = bench();
      const slug = await stack.api.savePlaybook(OUTPUT);
      const stop = await stopAt(stack.postgres.url, { table: 'documents', when: `new.step_path = '$output'` });
      const runId = await stack.api.startRun(slug);
      const stream = stack.api.events(runId);
      await stop.reached();
      await end({ runId }, how);
      await stop.release();
      const { status } = await stack.api.done(runId);
      // The document may be there before the cancel is heard of: then the run has its result.
      expect(['cancelled', 'complete', 'failed']).toContain(status);
      expect((await stream).at(-1)).toMatchObject({ event: 'complete', data: { status } });
      expect(await checkLedger(stack, { runs: [runId] })).toEqual([]);
    });
  });
}
