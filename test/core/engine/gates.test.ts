import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../../core/base/json';
import { callDigest } from '../../../core/engine/digest';
import { previewOf } from '../../../core/engine/preview';
import { Simulator } from './simulator';

const yaml = (
  gate: string,
  next = '{name: send, step_type: tool, action: slow, inputs: {to: "{who}", note: "{ask.instructions}"}}',
): string => `
id: g
name: G
inputs: [{name: who, type: string}]
steps:
  - {name: ask, step_type: approval, prompt: "Send to {who}?"${gate}}
  - ${next}
  - {name: end, step_type: tool, action: slow, inputs: {d: "{ask.decision}"}}
`;
const SEND = '{name: send, step_type: tool, action: slow, inputs: {to: "{who}"}}';
const facts = { inputs: { who: 'Ann' } };

describe('a gate', () => {
  it('before a step with the edited inputs of a retry shows these, and binds the decision to them', () => {
    const plain = new Simulator(yaml('', SEND), facts).approvals[0];
    const sim = new Simulator(yaml('', SEND), { ...facts, overrides: { send: { to: 'Bob {who}' } } });
    const [approval] = sim.approvals;
    expect(approval).toMatchObject({ action: { step: 'send', inputs: { to: 'Bob {who}' } } });
    expect(approval?.digest).not.toBe(plain?.digest);
    sim.decide('ask', 'approved');
    const [unit] = sim.run('send').units;
    expect(unit && callDigest(unit)).toBe(approval?.digest);
    expect(unit?.edits).toEqual({ to: 'Bob {who}' });
  });

  it('asks no longer question than a person can read', () => {
    const who = `${'x'.repeat(19_991)}\u{1f44d}${'y'.repeat(5_000_000)}`;
    const sim = new Simulator(yaml(''), { inputs: { who } });
    const prompt = sim.approvals[0]?.prompt ?? '';
    expect(prompt.startsWith('Send to xxx')).toBe(true);
    expect(prompt.length).toBeLessThan(20_200);
    // Marks that were cut in half are left out whole.
    expect(prompt).toMatch(/x… \(5000003 characters more; show long data with `preview_from`\)$/);
    expect(prompt).not.toMatch(/\p{Surrogate}/u);
    expect(sim.events.find((event) => event.type === 'approval.requested')?.payload['prompt']).toBe(prompt);
  });

  it('shows the exact action and binds the decision to its digest', () => {
    const sim = new Simulator(yaml('', SEND), facts);
    const [approval] = sim.approvals;
    expect(approval).toMatchObject({
      step_path: 'ask',
      status: 'waiting',
      prompt: 'Send to Ann?',
      action: { step: 'send', action: 'slow', inputs: { to: 'Ann' }, params: {} },
      due_at: null,
    });
    expect(approval?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(sim.patches.at(-1)).toMatchObject({
      status: 'waiting_approval',
      waits: [{ kind: 'approval', approvalId: approval?.id }],
    });
    sim.decide('ask', 'approved', { edits: { to: '{braces}' }, instructions: 'kindly' });
    const [unit] = sim.run('send').units;
    expect(unit).toMatchObject({ approvalId: approval?.id, edits: { to: '{braces}' } });
    expect(unit && callDigest(unit)).toBe(approval?.digest);
    sim.ok('send');
    sim.ok('end');
    expect(sim.output('ask')).toEqual({
      decision: 'approved',
      instructions: 'kindly',
      edits: { to: '{braces}' },
      decided_by: 'ann',
    });
  });

  it('before a list shows no action, and nothing of what the list rests on', () => {
    const sim = new Simulator(
      `id: g\nname: G\nsteps:\n  - {name: a, step_type: tool, action: slow, on_error: skip}\n  - {name: ask, step_type: approval, prompt: "Go?"}\n  - {name: each, for_each: {items: "{a.rows}", steps: [{name: w, step_type: tool, action: slow}]}}\n`,
    );
    sim.fail('a');
    expect(sim.approvals[0]?.action).toBeNull();
    expect(sim.approvals[0]).not.toHaveProperty('failures');
    expect(sim.state.nodes['ask']?.gate).not.toHaveProperty('gated');
  });

  it('passes instructions on to the next step', () => {
    const sim = new Simulator(yaml(''), facts);
    expect(sim.approvals[0]?.action).toMatchObject({ inputs: { to: 'Ann', note: '{ask.instructions}' } });
    sim.decide('ask', 'approved', { instructions: 'kindly' });
    const [unit] = sim.run('send').units;
    expect(unit?.refs['ask.instructions']).toEqual({ kind: 'value', value: 'kindly' });
    expect(unit && callDigest(unit)).toBe(sim.approvals[0]?.digest);
  });

  it.each([
    ['stop', 'rejected', { code: 'approval_rejected', message: 'ann rejected ask: no' }],
    ['skip', undefined, undefined],
  ])('rejected with on_reject: %s', (choice, status, end) => {
    const sim = new Simulator(yaml(`, on_reject: ${choice}`, SEND), facts);
    sim.decide('ask', 'rejected', { instructions: 'no' });
    expect(sim.finish?.status).toBe(status);
    if (end) return expect(sim.finish).toMatchObject(end);
    expect(sim.run('send').units[0]).not.toHaveProperty('approvalId');
    sim.ok('send');
    expect(sim.run('end').units[0]?.refs['ask.decision']).toEqual({ kind: 'value', value: 'rejected' });
    sim.ok('end');
    expect(sim.finish?.status).toBe('complete');
  });

  it.each([
    ['stop', 'timed_out'],
    ['skip', undefined],
  ])('unanswered with on_timeout: %s', (choice, status) => {
    const sim = new Simulator(yaml(`, timeout_minutes: 10, on_timeout: ${choice}`, SEND), facts);
    expect(sim.approvals[0]?.due_at).toBe('2026-01-01T00:10:00.000Z');
    sim.now += 60 * 60_000;
    sim.timer('gate');
    // The time that was over, not that at which the run hears of it.
    expect(sim.state.decisions).toMatchObject([{ decision: 'skipped', at: '2026-01-01T00:10:00.000Z' }]);
    expect(sim.finish?.status).toBe(status);
    if (!status)
      expect(sim.state.scopes['']?.entries['ask']?.out.value).toEqual({ decision: 'skipped', decided_by: 'timeout' });
  });

  it('the first of decision and timeout wins; what comes later changes nothing', () => {
    const sim = new Simulator(yaml(', timeout_minutes: 10, on_timeout: stop', SEND), facts);
    const [timer] = sim.of('timer');
    sim.decide('ask', 'approved');
    expect(sim.of('timer')).toEqual([]);
    sim.send({ type: 'timer', id: timer?.id ?? '' });
    sim.decide('ask', 'rejected');
    expect([sim.finish, sim.paths()]).toEqual([undefined, [['send']]]);
  });

  it('auto_approve records the decision of the policy and goes on', () => {
    const sim = new Simulator(yaml(', timeout_minutes: 10', SEND), { ...facts, approvalPolicy: 'auto_approve' });
    expect(sim.approvals[0]).toMatchObject({ status: 'auto_approved', due_at: null });
    expect(sim.events.find((event) => event.type === 'approval.decided')?.payload).toMatchObject({
      decision: 'auto_approved',
      decided_by: 'policy',
      via: 'policy',
    });
    expect(sim.paths()).toEqual([['send']]);
  });

  it('an answer that a retried run took over holds again', () => {
    const sim = new Simulator(yaml('', SEND), {
      ...facts,
      presets: { ask: { decision: 'approved', decided_by: 'bob', edits: { to: 'Eve' } } },
    });
    expect(sim.run('send').units[0]).toMatchObject({ edits: { to: 'Eve' } });
    expect(sim.run('send').units[0]).not.toHaveProperty('approvalId');
    expect([sim.approvals, sim.paths()]).toEqual([[], [['send']]]);
    expect(sim.events.find((event) => event.type === 'approval.decided')?.payload).toMatchObject({
      decided_by: 'bob',
      via: 'retry',
    });
  });

  it('edited inputs of a retry, and of an approver, reach a pure step and a research too', () => {
    const pure =
      '{name: send, step_type: tool, action: transform_data, inputs: {data: "{rows}"}, operations: [{type: limit, count: 5}]}';
    const sim = new Simulator(yaml('', pure), { inputs: { who: 'Ann', rows: [{ n: 1 }] } });
    sim.decide('ask', 'approved', { edits: { data: [{ n: 2 }, { n: 3 }] } });
    sim.ok('end');
    expect(sim.output('send')).toEqual({ data: [{ n: 2 }, { n: 3 }], count: 2 });
    const research =
      '{name: send, step_type: llm_task, action: research_with_tools, inputs: {question: "{who}"}, params: {tools: [slow]}, output_schema: {type: object, fields: [{name: v, type: string}]}}';
    const asked = new Simulator(yaml('', research), facts);
    asked.decide('ask', 'approved', { edits: { question: 'Who is Bob?' } });
    expect(asked.run('send/~model1').units[0]?.edits).toMatchObject({ question: 'Who is Bob?', round: 1 });
  });

  it('shows the first rows of a list that lies outside, and how many there are', async () => {
    const sim = new Simulator(
      'id: g\nname: G\nsteps:\n  - {name: a, step_type: tool, action: slow}\n  - {name: ask, step_type: approval, prompt: "{a.n} rows", preview_from: a, preview_limit: 2}\n',
    );
    const rows = Array.from({ length: 3000 }, (_, n) => ({ n, pad: 'x'.repeat(500) }));
    sim.send({
      type: 'outcomes',
      id: sim.run('a').id,
      outcomes: [{ path: 'a', status: 'ok', output: await sim.values.offload({ rows, n: 3000 }, 1_048_576) }],
    });
    for (const load of sim.of('load')) await sim.answer(load);
    expect(sim.approvals[0]).toMatchObject({ prompt: '3000 rows', preview: rows.slice(0, 2), preview_total: 3000 });
    expect(JSON.stringify(sim.state).length).toBeLessThan(3_000);
  });

  it('shows the records of a whole result, whatever lists it says of itself', () => {
    const [rows, errors] = [[{ n: 1 }, { n: 2 }], [{ code: 'limited' }]];
    const shown: Json[] = [
      { data: rows, count: 2, warnings: errors },
      { results: rows, files: [], errors },
    ];
    for (const value of shown) {
      expect(previewOf(value, 1)).toEqual({ rows: rows.slice(0, 1), total: 2, all: rows });
      expect(previewOf(value, 1, () => false)).toEqual({ rows: value, total: null });
    }
    const never = (): boolean => {
      throw new Error('asked where both rules agree');
    };
    const alike: Json[] = [{ rows, n: 2 }, { a: rows, b: rows }, { n: 2 }, rows];
    for (const value of alike) previewOf(value, 1, never);
    expect(previewOf({ a: rows, b: rows }, 1)).toEqual({ rows: { a: rows, b: rows }, total: null });
  });

  it('takes all rows along where the request shows the first ones, as long as they are small', () => {
    const rows = Array.from({ length: 12 }, (_, n) => ({ n }));
    const source = (limit: string) =>
      `id: g\nname: G\nsteps:\n  - {name: a, step_type: tool, action: transform_data, inputs: {data: "{rows}"}, operations: [{type: limit, count: 100}]}\n  - {name: ask, step_type: approval, prompt: Look, preview_from: a${limit}}\n`;
    const cut = new Simulator(source(''), { inputs: { rows } });
    expect(cut.approvals[0]).toMatchObject({ preview: rows.slice(0, 10), preview_total: 12, preview_rows: rows });
    const whole = new Simulator(source(', preview_limit: 12'), { inputs: { rows } });
    expect(whole.approvals[0]).toMatchObject({ preview: rows, preview_total: 12 });
    expect(whole.approvals[0]).not.toHaveProperty('preview_rows');
    const large = rows.map(({ n }) => ({ n, pad: 'x'.repeat(6_000) }));
    expect(previewOf(large, 10)).toEqual({ rows: large.slice(0, 10), total: 12 });
  });

  it('inside a loop asks again in each turn', () => {
    const sim = new Simulator(
      'id: g\nname: G\nsteps:\n  - name: again\n    loop: {until: "{ask.decision} == \'approved\'", max_iterations: 3, steps: [{name: ask, step_type: approval, prompt: Enough, on_reject: skip}]}\n',
    );
    sim.decide('again[0]/ask', 'rejected');
    expect(sim.approvals.map((approval) => approval.step_path)).toEqual(['again[0]/ask', 'again[1]/ask']);
    sim.decide('again[1]/ask', 'approved');
    expect(sim.output('again')).toEqual({ iterations: 2, done: true });
  });
});
