import { describe, expect, it } from '@jest/globals';
import { answersTakenOver, planRetry, type GateOutcome, type RetryFacts } from '../../../core/playbook/retry-plan';
import { asksAgain, carriedAnswers, isTakenOver } from '../../../core/playbook/retry-marks';
import { planOf } from './support';

const PLAN = planOf(`
id: p
inputs: [{name: rows, type: list}]
steps:
  - {name: ask, step_type: approval, on_reject: skip}
  - name: each
    for_each: {items: "{rows}", as: row, steps: [{name: keep, step_type: tool, action: write_journal_entry, inputs: {summary: "{row}"}}]}
  - {name: end, step_type: tool, action: query_journal}
`);
const gate = (status: string, on_reject = 'skip'): GateOutcome => ({
  step_path: 'ask',
  status,
  on_reject,
  instructions: null,
  edits: null,
  decided_by: null,
});
const retry = (more: Partial<RetryFacts>) => planRetry({ plan: PLAN, outcomes: [], gates: [], lookup: {}, ...more });
const ok = (...paths: string[]) => paths.map((step_path) => ({ step_path, ok: true }));

describe('a retry from one item of a list', () => {
  const outcomes = ok('each[0]/keep', 'each[1]/keep', 'each', 'end');
  it.each(['each[1]', 'each[12]'])('carries out %s again, and what lies behind the list', (fromStep) => {
    const plan = retry({ outcomes, fromStep });
    expect(plan.from).toBe(fromStep);
    expect(plan.keep).toContain('each[0]/keep');
    expect(plan.keep).not.toContain('end');
    expect(plan.keep.includes('each[1]/keep')).toBe(fromStep !== 'each[1]');
  });
  it.each(['end[1]', 'each[x]', 'each[1]/keep', 'eac', 'each[1][2]'])('knows no item %s', (fromStep) => {
    expect(() => retry({ outcomes, fromStep })).toThrow(
      expect.objectContaining({ code: 'unknown_step', category: 'validation' }),
    );
  });
});

describe('effects that a retry takes over', () => {
  const steps =
    '  - {name: ask, step_type: approval}\n  - {name: a, step_type: tool, action: write_journal_entry}\n  - {name: pay, step_type: tool, action: write_journal_entry}\n';
  const planOfSteps = (text: string): Partial<RetryFacts> => ({ plan: planOf(`id: p\nsteps:\n${text}`) });
  const closed: Partial<RetryFacts> = {
    outcomes: [...ok('ask', 'a'), { step_path: 'pay', ok: false }],
    gates: [gate('approved')],
  };
  it('are marked for its gates, with the answers that hold', () => {
    const plan = retry({ ...planOfSteps(steps), ...closed });
    expect(plan.takenOver).toEqual(['a']);
    const carried = carriedAnswers(plan);
    expect(isTakenOver(carried['a'])).toBe(true);
    expect(carried['ask']).toEqual({ decision: 'approved' });
    expect(answersTakenOver(carried).map(({ step_path: path }) => path)).toEqual(['ask']);
  });
  it('are none where they go again, in lists, and where nobody is asked', () => {
    expect(retry({ ...planOfSteps(steps), ...closed, fromStep: 'a' }).takenOver).toEqual([]);
    expect(retry({ outcomes: ok('each[0]/keep', 'each[1]/keep') }).takenOver).toEqual([]);
    const unasked = steps.replace(/^.*ask.*\n/, '');
    expect(retry({ ...planOfSteps(unasked), ...closed, gates: [] }).takenOver).toEqual([]);
  });
});

describe('the answer of a gate', () => {
  it.each<[string, string, boolean]>([
    ['approved', 'stop', true],
    ['auto_approved', 'stop', true],
    ['rejected', 'skip', true],
    ['rejected', 'stop', false],
    ['waiting', 'skip', false],
    ['timed_out', 'skip', false],
    ['cancelled', 'skip', false],
  ])('that is %s, where a rejection means %s, holds again: %s', (status, onReject, holds) => {
    const { presets } = retry({ outcomes: ok('ask'), gates: [gate(status, onReject)] });
    expect(Object.keys(presets)).toEqual(holds ? ['ask'] : []);
  });
  it('is taken over with what was said, and when', () => {
    const given = {
      ...gate('approved'),
      instructions: 'Short.',
      edits: { a: 1 },
      decided_by: 'ann',
      received_at: '2026-01-01T10:00:00+02:00',
    };
    expect(retry({ outcomes: ok('ask'), gates: [given] }).presets).toStrictEqual({
      ask: {
        decision: 'approved',
        instructions: 'Short.',
        edits: { a: 1 },
        decided_by: 'ann',
        at: '2026-01-01T08:00:00.000Z',
      },
    });
    expect(retry({ outcomes: ok('ask'), gates: [gate('approved')] }).presets).toStrictEqual({
      ask: { decision: 'approved' },
    });
  });
  it('is taken over by a retry of the retry as it was, and a mark for a sub-playbook is none', () => {
    const given = {
      ...gate('approved'),
      instructions: 'Short.',
      edits: { a: 1 },
      decided_by: 'ann',
      received_at: '2026-01-01T08:00:00.000Z',
    };
    const { presets } = retry({ outcomes: ok('ask'), gates: [given] });
    const mark = { decision: 'asks_again' };
    expect(asksAgain(mark)).toBe(true);
    const again = answersTakenOver({ ...presets, sub: mark });
    expect(again).toEqual([given]);
    expect(retry({ outcomes: ok('ask'), gates: again }).presets).toStrictEqual(presets);
  });
});
