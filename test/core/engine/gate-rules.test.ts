import { describe, expect, it } from '@jest/globals';
import { Simulator } from './simulator';

const yaml = (rules: string): string => `
id: g
name: G
steps:
  - {name: ask, step_type: approval, prompt: Go?${rules}}
  - {name: end, step_type: tool, action: slow, inputs: {d: "{ask.decision}"}}
`;
const NAMED = ', approvers: {users: [ann, bob]}, quorum: 2';
const NUDGED =
  ', timeout_minutes: 60, remind_after_minutes: 10, escalate_after_minutes: 20, escalate_to: {users: [eve]}';

describe('the rules of a gate', () => {
  it('travel with the request as data; a gate without any sends what it always sent', () => {
    expect(new Simulator(yaml(NAMED)).approvals[0]?.policy).toEqual({
      approvers: { users: ['ann', 'bob'] },
      quorum: 2,
    });
    expect(new Simulator(yaml('')).approvals[0]).not.toHaveProperty('policy');
    expect(new Simulator(yaml(', timeout_minutes: 60')).of('timer')).toHaveLength(1);
  });

  it('remind and escalate by timers that leave the gate as it is', () => {
    const sim = new Simulator(yaml(NUDGED));
    expect(sim.approvals[0]?.policy).toEqual({ escalate_to: { users: ['eve'] } });
    expect(sim.of('timer').map((timer) => (timer.at - sim.now) / 60_000)).toEqual([60, 10, 20]);
    expect(sim.patches.at(-1)).toMatchObject({ status: 'waiting_approval' });
    sim.timer('remind');
    sim.timer('escalate');
    expect(sim.patches.at(-1)).toMatchObject({ status: 'waiting_approval' });
    expect(sim.of('timer')).toHaveLength(1);
    sim.decide('ask', 'approved');
    expect(sim.of('timer')).toHaveLength(0);
    sim.ok('end');
    expect(sim.finish?.status).toBe('complete');
  });

  it('a decision ends them, and they go on across continue-as-new', () => {
    const sim = new Simulator(yaml(NUDGED));
    sim.continueAsNew();
    expect(sim.of('timer')).toHaveLength(3);
    sim.decide('ask', 'approved');
    expect(sim.of('timer')).toHaveLength(0);
  });

  it('others who are named are asked, whatever the run or an earlier answer says', () => {
    const auto = { approvalPolicy: 'auto_approve' } as const;
    expect(new Simulator(yaml(NAMED), auto).approvals[0]).toMatchObject({ status: 'waiting' });
    expect(new Simulator(yaml(', link_only: true'), auto).approvals[0]).toMatchObject({ status: 'auto_approved' });
    const presets = { ask: { decision: 'approved' } } as const;
    expect(new Simulator(yaml(NAMED), { presets }).approvals[0]).toMatchObject({ status: 'waiting' });
    expect(new Simulator(yaml(''), { presets }).approvals).toEqual([]);
  });
});
