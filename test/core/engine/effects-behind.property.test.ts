import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { EngineEvent } from '../../../core/engine/inbox';
import { noteGateEffects } from '../../../core/playbook/note-gate-effects';
import { effectOf } from '../../../core/playbook/effects';
import { allSteps } from '../../../core/playbook/walk';
import { Chaos, type Weather } from './chaos';
import { makePlan, shapes } from './random-plans';
import type { Simulator } from './simulator';

const FAILING: Weather = { failures: true, people: false, losses: false, drains: false, waits: false, cancel: false };
const choices = fc.array(fc.nat(1_000_000), { maxLength: 500, size: 'max' });
const RUNS = Number(process.env['AF_PROPERTY_RUNS'] ?? 250);

/** Names of the steps whose calls the last event sent. */
function sent({ last }: Simulator): string[] {
  return last.flatMap((command) => {
    if (command.kind === 'child') return [command.name];
    return command.kind === 'run' ? command.units.map(({ name }) => name) : [];
  });
}

describe('what a decision sends at once', () => {
  it('was named by its request, in lists, loops, branches and graphs', async () => {
    let decisions = 0;
    await fc.assert(
      fc.asyncProperty(shapes, fc.boolean(), choices, async (list, dag, picks) => {
        const made = makePlan(list, dag);
        noteGateEffects(made.plan, { lookup: {} });
        const effects = allSteps(made.plan.steps).filter((step) => effectOf(step, {}) !== 'none');
        const names = new Set(effects.map(({ name }) => name));
        const chaos = new Chaos(made, picks, FAILING);
        const { sim } = chaos;
        const send = sim.send.bind(sim);
        sim.send = (event: EngineEvent) => {
          send(event);
          if (event.type !== 'gate') return;
          const behind = sim.approvals.find(({ id }) => id === event.approvalId)?.effects_behind;
          const named = event.answer.decision === 'rejected' ? behind?.on_reject : behind;
          if (named?.more !== undefined) return;
          const told = (named?.steps ?? []).map(({ step }) => step);
          const effectsSent = sent(sim).filter((name) => names.has(name));
          decisions += effectsSent.length;
          expect(told).toEqual(expect.arrayContaining(effectsSent));
        };
        await chaos.run();
      }),
      { numRuns: RUNS },
    );
    expect(decisions).toBeGreaterThan(0);
  });
});
