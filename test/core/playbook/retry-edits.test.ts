import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../core/base/json';
import {
  planRetry,
  answersTakenOver,
  type GateOutcome,
  type RetryFacts,
  type RetryPlan,
} from '../../../core/playbook/retry-plan';
import { carriedAnswers, leftWith } from '../../../core/playbook/retry-marks';
import { planOf } from './support';

const plan = planOf(`
id: p
steps:
  - {name: g, step_type: approval, approvers: {users: [ann]}}
  - {name: e, step_type: tool, action: write_journal_entry, inputs: {summary: "V0"}}
  - {name: sub, action: run_playbook, playbook: other, inputs: {n: 1}}
`);
const gate = (status: string, edits: JsonObject | null = null): GateOutcome => ({
  step_path: 'g',
  status,
  on_reject: 'stop',
  instructions: null,
  edits,
  decided_by: null,
});
const failed = (...paths: string[]) => paths.map((step_path) => ({ step_path, ok: false }));
const ok = (...paths: string[]) => paths.map((step_path) => ({ step_path, ok: true }));
const retry = (more: Partial<RetryFacts>): RetryPlan =>
  planRetry({ plan, outcomes: failed('e'), gates: [gate('approved')], lookup: {}, ...more });
const ED = { summary: 'ED' };

describe('the edits with which a step left', () => {
  it('are told to a gate that asks again, also by the retry of the retry', () => {
    expect(retry({}).left).toEqual({ g: {} });
    expect(retry({ gates: [gate('rejected', ED)] }).left).toEqual({ g: {} });
    const first = retry({ gates: [gate('approved', ED)] });
    expect(first.left).toEqual({ g: ED });
    const carried = carriedAnswers(first);
    expect(leftWith(carried, 'g')).toEqual(ED);
    expect(answersTakenOver(carried)).toEqual([]);
    expect(retry({ carried }).left).toEqual({ g: ED });
  });
  it('are not told where the yes holds again as it was', () => {
    const done = { outcomes: [...ok('e'), ...failed('sub')], gates: [gate('approved', ED)] };
    const held = retry(done);
    expect([held.presets['g']?.['edits'], held.left]).toEqual([ED, undefined]);
    const carried = carriedAnswers({ presets: {}, takenOver: [], left: { g: {} } });
    expect(retry({ ...done, carried }).left).toEqual({ g: {} });
  });
});

describe('the key of a step with edited inputs', () => {
  it.each<[string, JsonObject | undefined, JsonObject | undefined, boolean]>([
    ['edited now', undefined, ED, true],
    ['edited otherwise than before', ED, { summary: 'other' }, true],
    ['edited as before', ED, ED, false],
    ['edited before and not now', ED, undefined, true],
    ['not edited', undefined, undefined, false],
  ])('%s', (_what, before, now, isNew) => {
    const { renewed, overrides } = retry({
      ...(before && { overridden: { e: before } }),
      ...(now && { fromStep: 'e', inputOverride: now }),
    });
    expect(renewed.includes('e')).toBe(isNew);
    expect(overrides).toEqual(now === undefined ? {} : { e: now });
  });
  it('stays where it was done with them', () => {
    const { keep, renewed } = retry({ outcomes: [...ok('e'), ...failed('sub')], overridden: { e: ED } });
    expect([keep, renewed]).toEqual([['e'], []]);
  });
});

describe('edited inputs of a sub-playbook', () => {
  const outcomes = [...ok('e'), ...failed('sub')];
  it('hold in a retry of the retry, which goes on with it', () => {
    const { overrides, renewed } = retry({ outcomes, overridden: { sub: { n: 2 } } });
    expect([overrides, renewed]).toEqual([{ sub: { n: 2 } }, []]);
  });
  it('are gone where it begins anew', () => {
    expect(retry({ outcomes: ok('e', 'sub'), overridden: { sub: { n: 2 } }, fromStep: 'e' }).overrides).toEqual({});
  });
});
