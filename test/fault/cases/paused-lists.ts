import { expect, it } from '@jest/globals';
import { isJsonObject } from '../../../core/base/json';
import { jsonText } from '../../../core/base/json-text';
import { waitUntil } from '../../../infra/embedded/process';
import { playbook } from '../../support/fault-texts';
import { checkLedger } from '../../support/ledger';
import type { OutageBench } from '../../support/outage-bench';
import type { Seen } from '../../support/witness';

const ITEMS = 6;
const LIMIT = { timeoutMs: 120_000 };
const call = (name: string): string =>
  `{name: ${name}, step_type: tool, action: call_connector, connector: w, endpoint: keyed, inputs: {run: "{execution_id}", what: "${name} {n}"}}`;
const INNER = playbook('paused-inner', [call('inner')], 'inputs: [{name: n, type: integer, required: true}]\n');
const LIST = playbook('paused-list', [
  `{name: each, for_each: {items: ${JSON.stringify(Array.from({ length: ITEMS }, (_unused, at) => at + 1))}, as: n, max_parallel: 2, steps: [${call('own')}, {name: sub, action: run_playbook, playbook: paused-inner, inputs: {n: "{n}"}}]}}`,
]);
const PAUSED = {
  kind: 'paused',
  until: null,
};
const whatOf = ({ body }: Seen): string => (isJsonObject(body) ? jsonText(body['what'] ?? null) : '');

interface Row {
  id: string;
  status: string;
  control: string;
  waits: { kind: string; step_path?: string }[];
}

/** A pause while items of a list and sub-playbooks are in flight, and the API killed in it: nothing is lost, nothing is done twice. */
export function pausedLists(bench: () => OutageBench): void {
  async function tree(runId: string): Promise<[Row, ...Row[]]> {
    const { admin } = bench().stack;
    const rows = await admin.query<Row>(
      'select id, status, control, waits from runs where root_run_id = $1 order by depth, created_at',
      [runId],
    );
    return rows as [Row, ...Row[]];
  }

  /** Pauses or resumes a run until the API may die: with its message to Temporal on its way, or in rows alone. */
  async function order(runId: string, what: 'pause' | 'resume', heard: boolean): Promise<void> {
    const { stack, apiToTemporal } = bench();
    if (!heard) apiToTemporal.cut();
    expect((await stack.api.command(runId, what)).status).toBe(heard ? 200 : 202);
    await stack.apiProcess.kill();
    apiToTemporal.mend();
  }

  it.each([true, false])(
    'a pause inside a list, the API killed in it and at the end of it; heard of by the runs: %s',
    async (heard) => {
      const { stack, witness } = bench();
      const { api } = stack;
      await api.savePlaybook(INNER);
      const slug = await api.savePlaybook(LIST);
      const before = witness.seen.length;
      const seen = (): string[] => witness.seen.slice(before).map(whatOf).toSorted();
      let go: () => void = () => undefined;
      const open = new Promise<void>((resolve) => (go = resolve));
      witness.respond((request) =>
        ['own 2', 'inner 1'].includes(whatOf(request)) ? open.then(() => undefined) : undefined,
      );
      const runId = await api.startRun(slug);
      // A call of one item, and the sub-playbook of another.
      await waitUntil(() => seen().length === 3, { what: 'the calls of two items', ...LIMIT });
      await order(runId, 'pause', heard);
      go();
      const held = async (): Promise<boolean> => {
        const rows = (await tree(runId)).filter(({ status }) => status !== 'complete');
        const atRest = rows.every(({ status, control }) => status === 'paused' && control === 'pause');
        const calls = await stack.admin.query(
          `select 1 from step_results where run_id = $1 and step_path like 'each[%]/own'`,
          [runId],
        );
        return atRest && calls.length === 2 && (await tree(runId)).some(({ status }) => status === 'complete');
      };
      await waitUntil(held, { what: 'the pause, with what was in flight at its end', ...LIMIT });
      await stack.startApi();
      const [, ...children] = await tree(runId);
      // A sub-playbook that came into being under the pause waits for the same.
      const below = children.filter(({ status }) => status === 'paused');
      const { status, waits } = await api.run(runId);
      expect({ status, waits }).toMatchObject({
        status: 'paused',
        waits: [
          ...below.map(({ id }) => ({ kind: 'child', runId: id })),
          { ...PAUSED, message: 'Nothing new begins, here and in the runs that it started, until it is resumed.' },
        ],
      });
      for (const { id } of below)
        expect(await api.run(id)).toMatchObject({
          status: 'paused',
          waits: [{ ...PAUSED, message: `Paused with the run ${runId}: resume that one.` }],
        });
      expect(seen()).toEqual(['inner 1', 'own 1', 'own 2']);

      await order(runId, 'resume', heard);
      await stack.startApi();
      const run = await api.done(runId);
      expect(run).toMatchObject({
        status: 'complete',
        waits: [],
        outputs: { each: { count: ITEMS, failed_count: 0 } },
      });
      expect((await tree(runId)).map(({ status }) => status)).toEqual(
        Array.from({ length: ITEMS + 1 }, () => 'complete'),
      );
      const all = Array.from({ length: ITEMS }, (_unused, at) => [`inner ${at + 1}`, `own ${at + 1}`]).flat();
      expect(seen()).toEqual(all.toSorted());
      expect(await checkLedger(stack, { witness, runs: [runId], effects: new Map([[runId, ITEMS]]) })).toEqual([]);
    },
  );
}
