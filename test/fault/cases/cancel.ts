import { describe, expect, it } from '@jest/globals';
import type { FaultBench } from '../../support/fault-bench';
import { callStep, playbook } from '../../support/fault-texts';
import { size } from '../../support/fault-size';
import { checkLedger } from '../../support/ledger';

const CHILDREN = size(4, 10);
const CHILD = playbook('cancel-child', [callStep('point', 'keyed'), callStep('never', 'keyed')]);
const PARENT = `id: cancel-parent
name: cancel-parent
inputs: [{name: items, type: list, required: true}]
steps:
  - name: all
    for_each:
      items: "{items}"
      as: item
      max_parallel: ${CHILDREN}
      steps:
        - {name: sub, step_type: tool, action: run_playbook, playbook: cancel-child, inputs: {}}
`;

/** A cancelled run has one end, and shows what it did before. */
export function cancelling(bench: () => FaultBench): void {
  const twoSteps = playbook('cancel-two', [callStep('point', 'keyed'), callStep('never', 'keyed')]);

  describe('cancel', () => {
    it('F26a: in a tool step: one end, the effect is shown, nothing begins after it', async () => {
      const { stack, witness } = bench();
      const { api } = stack;
      const slug = await api.savePlaybook(twoSteps);
      const held = witness.hold((seen) => seen.key.endsWith('/point'));
      const runId = await api.startRun(slug);
      await held;
      expect(await api.command(runId, 'cancel')).toMatchObject({ status: 200 });
      expect(await api.done(runId)).toMatchObject({ status: 'cancelled' });
      (await held).release();
      expect(await api.tries(runId, 'point')).toMatchObject([{ effect_sent_count: 1, effect: 'keyed' }]);
      const events = (await api.events(runId)).map((event) => event.event);
      expect(events.filter((event) => event === 'effect.sent')).toHaveLength(1);
      expect(events.filter((event) => event === 'complete')).toHaveLength(1);
      expect(events.at(-1)).toBe('complete');
      expect(await checkLedger(stack, { witness, runs: [runId], effects: new Map([[runId, 1]]) })).toEqual([]);
    });

    it('F26c: twice at once, and once more after the end', async () => {
      const { stack, witness } = bench();
      const { api } = stack;
      const slug = await api.savePlaybook(twoSteps);
      const held = witness.hold((seen) => seen.key.endsWith('/point'));
      const runId = await api.startRun(slug);
      await held;
      const answers = await Promise.all([api.command(runId, 'cancel'), api.command(runId, 'cancel')]);
      expect(await api.done(runId)).toMatchObject({ status: 'cancelled' });
      answers.push(await api.command(runId, 'cancel'));
      for (const { status } of answers) expect([200, 202, 409]).toContain(status);
      expect(answers[0]?.status).toBeLessThan(300);
      const ends = (await api.events(runId)).filter((event) => event.event === 'complete');
      expect(ends).toHaveLength(1);
      (await held).release();
      expect(await checkLedger(stack, { witness, runs: [runId], effects: new Map([[runId, 1]]) })).toEqual([]);
    });

    it(`F26d: of a parent with ${CHILDREN} children in slow steps ends them all`, async () => {
      const { stack, witness } = bench();
      const { api } = stack;
      await api.savePlaybook(CHILD);
      const slug = await api.savePlaybook(PARENT);
      const before = witness.seen.length;
      witness.respond((seen) => (seen.key.endsWith('/point') ? new Promise(() => undefined) : undefined));
      const runId = await api.startRun(slug, { items: Array.from({ length: CHILDREN }, (_unused, at) => at) });
      await witness.arrived((seen) => witness.seen.indexOf(seen) >= before && seen.key.endsWith('/point'), CHILDREN);
      expect(await api.command(runId, 'cancel')).toMatchObject({ status: 200 });
      const parent = await api.done(runId);
      witness.respond(undefined);
      expect(parent).toMatchObject({ status: 'cancelled' });
      const children = parent['children'] as { runId: string; status: string }[];
      expect(children.map((child) => child.status)).toEqual(Array.from({ length: CHILDREN }, () => 'cancelled'));
      const effects = new Map(children.map((child) => [child.runId, 1]));
      expect(await checkLedger(stack, { witness, runs: [runId], effects })).toEqual([]);
    });
  });
}
