import { describe, expect, it } from '@jest/globals';
import type { GateEvent } from '../../core/engine/inbox';
import { decidedEnd, gateEventOf, type DecidedEnd } from '../../workflows/decided-end';
import { Simulator } from '../core/engine/simulator';

const YES: GateEvent = { decision: 'approved', decided_by: 'ann', via: 'api', at: '2026-01-01T00:00:00.123Z' };
const AFTER = '  - {name: after, step_type: tool, action: transform_data, inputs: {data: [{n: 1}]}}';

function foreseen(steps: string, answer = YES, inputs = {}): { sim: Simulator; end: DecidedEnd | undefined } {
  const sim = new Simulator(`id: g\nname: G\nsteps:\n${steps}`, { inputs });
  const approvalId = sim.approvals[0]?.id ?? '';
  return { sim, end: decidedEnd(sim.index, sim.state, { approvalId, answer }, { now: sim.now, draining: false }) };
}

describe('the end behind a decision', () => {
  it('is foreseen where inline work alone is left, and leaves the state as it is', () => {
    const gate = '  - {name: ask, step_type: approval, prompt: Go?, timeout_minutes: 60}';
    const { sim, end } = foreseen(`${gate}\n${AFTER}`);
    expect(end?.finish).toMatchObject({ status: 'complete', outputs: { after: expect.anything() as unknown } });
    expect(end?.result.events.at(-1)?.type).toBe('complete');
    expect(sim.state.finished).toBe(false);
    sim.decide('ask', 'approved');
    expect(sim.finish).toEqual(end?.finish);
  });

  it('is that of a rejection, too', () => {
    const gate = '  - {name: ask, step_type: approval, prompt: Go?, on_reject: stop}';
    const steps = `${gate}\n  - {name: send, step_type: tool, action: slow}`;
    expect(foreseen(steps, { ...YES, decision: 'rejected' }).end?.finish.status).toBe('rejected');
    expect(foreseen(steps).end).toBeUndefined();
  });

  it('is not foreseen where more is left, or the state is large', () => {
    const gate = '  - {name: ask, step_type: approval, prompt: Go?}';
    expect(foreseen(`${gate}\n  - {name: send, step_type: tool, action: quick}`).end).toBeUndefined();
    expect(foreseen(`${gate}\n${gate.replace('ask', 'again')}`).end).toBeUndefined();
    expect(foreseen(`${gate}\n${AFTER}`, YES, { text: 'x'.repeat(70_000) }).end).toBeUndefined();
  });

  it('rests on what the row says', () => {
    const said = { decided_by: 'ann', via: 'link', at: '2026-01-01T00:00:00.123Z', instructions: 'fine' };
    expect(gateEventOf({ decision: 'reject', ...said })).toEqual({ decision: 'rejected', ...said });
  });
});
