import { describe, expect, it } from '@jest/globals';
import { planToRun } from '../../../core/playbook/plan-to-run';
import { readsOf } from '../../../core/playbook/reads';
import type { PlanContext } from '../../../core/playbook/timeout-defaults';
import type { StepPlan } from '../../../core/playbook/types';
import { planOf, withSteps } from './support';

const UNREADABLE = 'id: [';

/** The first step of a playbook as a run has it, where the text of its version can be read, and where it cannot. */
function firstOf(steps: string, source?: string): StepPlan | undefined {
  const text = withSteps(steps);
  return planToRun(planOf(text), source ?? text, { lookup: {} }).steps[0];
}

describe('a run of a version', () => {
  const steps = (read: string): string =>
    [
      `  - {name: read, step_type: tool, action: query_journal${read}}`,
      '  - {name: save, step_type: tool, action: save_to_workspace, inputs: {data: "{read.entries}"}, params: {table_name: t}}',
    ].join('\n');

  it('stops at a failure that an effect rests on, and says for which step', () => {
    expect(firstOf(steps(''))).toMatchObject({ on_error: 'stop', stops_for: 'save' });
  });

  it('does not where only a step that reads rests on it', () => {
    const reads = [
      '  - {name: read, step_type: tool, action: query_journal}',
      '  - {name: next, step_type: tool, action: query_journal, inputs: {text: "{read.count}"}}',
    ].join('\n');
    expect(firstOf(reads)).toMatchObject({ on_error: 'skip' });
    expect(firstOf(reads)).not.toHaveProperty('stops_for');
  });

  it('does not where the playbook says otherwise', () => {
    const written = firstOf(steps(', on_error: skip'));
    expect(written).toMatchObject({ on_error: 'skip' });
    expect(written).not.toHaveProperty('stops_for');
  });

  it('asks again what was decided when it was saved', () => {
    const plan = planOf(withSteps(steps('')));
    const [read, save] = plan.steps as [StepPlan, StepPlan];
    const alone = { ...plan, steps: [read, { ...save, inputs: {} } as StepPlan] };
    const [run] = planToRun(alone, withSteps(steps('')), { lookup: {} }).steps;
    expect(read).toMatchObject({ on_error: 'stop', stops_for: 'save' });
    expect(run).toMatchObject({ on_error: 'skip' });
    expect(run).not.toHaveProperty('stops_for');
  });
});

describe('a sub-playbook', () => {
  const SAVE =
    '  - {name: save, step_type: tool, action: save_to_workspace, inputs: {data: []}, params: {table_name: t}}';
  const told = (more: string, ...behind: string[]): unknown => {
    const step = firstOf([`  - {name: sub, action: run_playbook, playbook: other${more}}`, ...behind].join('\n'));
    return step?.kind === 'run_playbook' && [step.effect_behind, step.ends_with_gate];
  };
  it('is told what lies behind it, and ends the run with its gate where that is an effect', () => {
    expect(told('')).toEqual([false, false]);
    expect(told('', SAVE)).toEqual([true, true]);
    expect(told(', on_error: skip', SAVE)).toEqual([true, false]);
    expect(told(', on_error: stop', SAVE)).toEqual([true, false]);
  });
});

describe('a sub-playbook that a gate ended', () => {
  const SAVE =
    '  - {name: save, step_type: tool, action: save_to_workspace, inputs: {data: []}, params: {table_name: t}}';
  const goesOn = (more: string, behind: string[], callers: Omit<PlanContext, 'lookup'> = {}): unknown => {
    const text = withSteps([`  - {name: sub, action: run_playbook, playbook: other${more}}`, ...behind].join('\n'));
    const [step] = planToRun(planOf(text), text, { lookup: {}, ...callers }).steps;
    return step?.kind === 'run_playbook' && step.goes_on_after_gate;
  };
  it('is told whether an effect follows all the same, here or further up', () => {
    expect(goesOn('', [])).toBe(false);
    expect(goesOn('', [SAVE])).toBe(false);
    expect(goesOn(', on_error: skip', [SAVE])).toBe(true);
    expect(goesOn(', on_error: stop', [SAVE])).toBe(false);
    expect(goesOn(', on_error: stop', [SAVE], { effectBehind: true })).toBe(true);
    expect(goesOn('', [SAVE], { effectBehind: true, effectAfterStop: true })).toBe(true);
  });
});

describe('a run of a version whose text cannot be read any more', () => {
  it('keeps a gate that ends the run when nobody answers, though nothing lies behind it', () => {
    const gate = '  - {name: gate, step_type: approval, timeout_minutes: 1, on_timeout: stop}';
    expect(firstOf(gate)).toMatchObject({ on_timeout: 'stop' });
    expect(firstOf(gate, UNREADABLE)).toMatchObject({ on_timeout: 'stop' });
  });

  it('passes no gate before an effect by silence, whatever its plan says', () => {
    const steps = [
      '  - {name: gate, step_type: approval, timeout_minutes: 1, on_timeout: skip}',
      '  - {name: save, step_type: tool, action: save_to_workspace, inputs: {data: []}, params: {table_name: t}}',
    ].join('\n');
    expect(firstOf(steps)).toMatchObject({ on_timeout: 'skip' });
    expect(firstOf(steps, UNREADABLE)).toMatchObject({ on_timeout: 'stop' });
  });

  it('keeps what is written of failures', () => {
    const steps = [
      '  - {name: read, step_type: tool, action: query_journal, on_error: retry}',
      '  - {name: save, step_type: tool, action: save_to_workspace, inputs: {data: "{read.entries}"}, params: {table_name: t}}',
    ].join('\n');
    expect(firstOf(steps)).toMatchObject({ on_error: 'retry' });
    expect(firstOf(steps, UNREADABLE)).toMatchObject({ on_error: 'retry' });
  });
});

it('what a step reads is found once: runs ask for each item of a list', () => {
  const [step] = planOf(
    withSteps('  - {name: read, step_type: tool, action: query_journal, inputs: {text: "{today}"}}'),
  ).steps as [StepPlan];
  expect(readsOf(step).map(({ root }) => root)).toEqual(['today']);
  expect(readsOf(step)).toBe(readsOf(step));
});
