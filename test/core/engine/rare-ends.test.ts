import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import { start } from '../../../core/engine/advance';
import { gapsOf } from '../../../core/engine/gaps';
import { indexPlan } from '../../../core/engine/machine';
import type { StepPlan } from '../../../core/playbook/types';
import { BROKEN, planOf, Simulator } from './simulator';

const head = (inputs = ''): string => `id: p\nname: P\n${inputs}steps:\n`;
const slow = (name: string, more = ''): string => `  - {name: ${name}, step_type: tool, action: slow${more}}\n`;
const quick = (name: string, more = ''): string => `  - {name: ${name}, step_type: tool, action: quick${more}}\n`;
const OUTPUT = 'output:\n  template: brief\n  sections: [{title: A, source: a}]\n  destinations: [{type: document}]\n';
const payloads = (sim: Simulator, type: string): JsonObject[] =>
  sim.events.filter((event) => event.type === type).map(({ payload: { at: _at, ...payload } }) => payload);
const errorOf = (sim: Simulator, step: string): Json | undefined =>
  payloads(sim, 'step.finished').find((payload) => payload['step'] === step)?.['error'];

it('a run that begins paused sends nothing until somebody lets it go on', () => {
  const facts = new Simulator(`${head()}${slow('a')}`).state.run;
  const begun = start(indexPlan(planOf(`${head()}${slow('a')}`)), facts, 0, { paused: true });
  expect(begun.commands).toEqual([]);
  expect(begun.patch).toMatchObject({ status: 'paused', waits: [{ kind: 'paused', until: null }] });
});

describe('an activity that could not do its work at all', () => {
  const breaks = (sim: Simulator, path: string): void =>
    sim.send({ type: 'broken', id: sim.run(path).id, error: BROKEN });

  it('is the failure of its first step, and the others begin again', () => {
    const sim = new Simulator(`${head()}${quick('a', ', on_error: skip')}${quick('b')}`);
    expect(sim.paths()).toEqual([['a', 'b']]);
    breaks(sim, 'a');
    expect(errorOf(sim, 'a')).toEqual({ code: 'broken', message: 'It broke.' });
    expect(sim.paths()).toEqual([['b']]);
    sim.ok('b');
    expect(sim.finish?.status).toBe('partial');
  });

  it('is tried again where the step says so', () => {
    const sim = new Simulator(`${head()}${quick('a', ', retry_count: 1')}`);
    sim.send({ type: 'broken', id: sim.run('a').id, error: { ...BROKEN, retryable: true } });
    sim.timer('retry');
    expect(sim.run('a').units).toMatchObject([{ path: 'a', tryNo: 2 }]);
  });

  it('of the output, which says nothing of its destinations, is told as well', () => {
    const sim = new Simulator(`${head()}${slow('a')}${OUTPUT}`);
    sim.ok('a');
    sim.ok('$output', { $output: { summary: 'Done' } });
    expect(sim.finish).toMatchObject({
      status: 'complete',
      summary: 'Done',
      routing_report: [
        { destination: 'output', status: 'error', code: 'output_failed', message: 'The output was not routed.' },
      ],
    });
  });

  it('of a router is the failure of its route', () => {
    const text = `${head()}  - {name: way, on_error: skip, retry_count: 1, route: {on: {action: ai}, routes: {x: [{name: in, step_type: tool, action: slow}]}}}\n`;
    const sim = new Simulator(text);
    const [unit] = sim.of('run')[0]?.units ?? [];
    sim.send({
      type: 'outcomes',
      id: sim.of('run')[0]?.id ?? '',
      outcomes: [{ path: unit?.path ?? '', status: 'failed' }],
    });
    expect(sim.of('timer').map(({ summary }) => summary)).toEqual(['retry way']);
    expect(payloads(sim, 'step.waiting').at(-1)).toMatchObject({
      step: 'way',
      reason: 'retry',
      error: { code: 'llm_unavailable', message: 'The model gave no answer.' },
    });
  });

  it('of the output is told in its report', () => {
    const sim = new Simulator(`${head()}${slow('a')}${OUTPUT}`);
    sim.ok('a');
    expect(sim.run('$output').units[0]?.edits?.['$settings']).toMatchObject({ template: 'brief' });
    breaks(sim, '$output');
    expect(sim.finish).toMatchObject({
      status: 'partial',
      routing_report: [{ destination: 'output', status: 'error', code: 'broken', message: 'It broke.' }],
    });
  });
});

describe('a sub-playbook that ended with a gate', () => {
  const closed = (more: object, endsWithGate: boolean): Simulator => {
    const plan = planOf(
      `${head()}  - {name: sub, action: run_playbook, playbook: inner, on_error: skip}\n${slow('b')}`,
    );
    const [sub] = plan.steps;
    const sim = new Simulator({
      ...plan,
      steps: [{ ...sub!, ends_with_gate: endsWithGate } as StepPlan, ...plan.steps.slice(1)],
    });
    const id = sim.of('child')[0]?.id ?? '';
    sim.send({ type: 'child_closed', id, status: 'failed', output: { value: null }, ...more });
    return sim;
  };
  it.each<[object, boolean, JsonObject | undefined]>([
    [{ status: 'rejected', message: 'No.' }, true, { status: 'rejected', code: 'child_rejected' }],
    [{ status: 'rejected', code: 'approval_rejected' }, true, { status: 'rejected', code: 'approval_rejected' }],
    [{ status: 'timed_out' }, true, { status: 'timed_out', code: 'child_timed_out' }],
    [{ status: 'failed' }, true, undefined],
    [{ status: 'rejected' }, false, undefined],
    [{ status: 'timed_out' }, false, undefined],
  ])('%j, where it ends the run: %s', (more, endsWithGate, finish) => {
    const sim = closed(more, endsWithGate);
    if (finish === undefined) expect([sim.finish, sim.paths()]).toEqual([undefined, [['b']]]);
    else expect([sim.finish, sim.paths()]).toEqual([expect.objectContaining(finish), []]);
  });
  it('partial makes the run so, also one that began before gaps were told', () => {
    for (const newer of [true, false]) {
      const sim = new Simulator(`${head()}  - {name: sub, action: run_playbook, playbook: inner}\n`);
      sim.newer = () => newer;
      const id = sim.of('child')[0]?.id ?? '';
      sim.send({ type: 'child_closed', id, status: 'partial', output: { value: null } });
      expect(sim.finish?.status).toBe('partial');
    }
  });
  it('says how', () => {
    expect(closed({ status: 'rejected', message: 'No.' }, true).finish?.message).toBe(
      'The playbook inner ended rejected: No.',
    );
  });
});

describe('what no repeat helps against', () => {
  it('is a model that refuses', () => {
    const tries = (code: string): number => {
      const sim = new Simulator(
        `${head()}  - {name: a, step_type: llm_task, action: ai, retry_count: 1, on_error: skip}\n`,
      );
      sim.fail('a', { code, retryable: true });
      return sim.of('timer').length;
    };
    expect([tries('llm_refused'), tries('llm_busy')]).toEqual([0, 1]);
  });
});

describe('texts that become too long', () => {
  const text = 'x'.repeat(1 << 19);
  const long = '{t} '.repeat(65);
  it('are the failure of a step that is done here, and a question is shown as it is written', () => {
    const transform = `{name: t1, step_type: tool, action: transform_data, on_error: skip, inputs: {data: []}, operations: [{type: filter, field: n, value: "${long}"}]}`;
    const inputs = { t: text };
    const sim = new Simulator(
      `${head('inputs: [{name: t, type: string}]\n')}  - ${transform}\n  - {name: g, step_type: approval, prompt: "${long}"}\n`,
      { inputs },
    );
    expect(errorOf(sim, 't1')).toMatchObject({ code: 'rendered_text_too_large' });
    expect(sim.approvals[0]?.prompt).toBe(long);
  });
});

describe('many steps that are done here', () => {
  const each = (max: number, count: number): Simulator =>
    new Simulator(
      `${head('inputs: [{name: items, type: list}]\n')}  - {name: each, for_each: {items: "{items}", as: n, max_parallel: ${max}, steps: [{name: no, step_type: tool, action: slow, condition: "1 > 2"}]}}\n`,
      { inputs: { items: Array.from({ length: count }, (_, at) => at) } },
    );

  it.each([1, 7, 100])('are cut into pieces, and all of them are done in their order: %d at once', (max) => {
    const sim = each(max, 2_500);
    let rests = 0;
    while (sim.finish === undefined) {
      expect(sim.of('timer')).toHaveLength(1);
      sim.timer('yield');
      rests += 1;
    }
    expect(rests).toBe(2);
    const paths = Array.from({ length: 2_500 }, (_, at) => `each[${at}]/no`);
    expect(sim.types('step.skipped')).toEqual(paths);
    expect(sim.output('each')).toMatchObject({ count: 2_500, failed_count: 0 });
  });

  it('ask once for a rest, whatever else is open', () => {
    const beside = (other: string): Simulator =>
      new Simulator(
        `${head('inputs: [{name: items, type: list}]\n')}  - name: both\n    parallel_steps: [${other}, {name: each, for_each: {items: "{items}", as: n, steps: [{name: no, step_type: tool, action: slow, condition: "1 > 2"}]}}]\n`,
        { inputs: { items: Array.from({ length: 2_500 }, (_, at) => at) } },
      );
    const timers = (sim: Simulator): string[] => sim.of('timer').map(({ summary }) => summary);
    const working = beside('{name: a, step_type: tool, action: slow}');
    expect(timers(working)).toEqual(['yield']);
    working.ok('both/a');
    expect(timers(working)).toEqual(['yield']);
    expect(timers(beside('{name: g, step_type: approval, timeout_minutes: 5}'))).toEqual(['gate both/g', 'yield']);
  });
});

it('an answer of a gate that a retry brings is told with what was said', () => {
  const preset = { decision: 'approved' as const, instructions: 'kindly', decided_by: 'ann' };
  const told = (answer: typeof preset | Omit<typeof preset, 'instructions'>): JsonObject | undefined =>
    payloads(
      new Simulator(`${head()}  - {name: g, step_type: approval}\n${slow('a')}`, { presets: { g: answer } }),
      'approval.decided',
    )[0];
  const line = { approvalId: expect.any(String), step: 'g', decision: 'approved', decided_by: 'ann', via: 'retry' };
  expect(told(preset)).toStrictEqual({ ...line, instructions: 'kindly' });
  const { instructions: _instructions, ...silent } = preset;
  expect(told(silent)).toStrictEqual(line);
});

it('warnings that lie outside are counted as values that could not be read', () => {
  const handles = { warnings: { parts: [], size: 100_000, count: 900 } };
  expect(gapsOf('call_connector', { value: { warnings: null }, handles }, {})).toStrictEqual([
    { code: 'unreadable_values', message: '900 values could not be read', certain: true },
  ]);
});

it('an unreadable condition holds nowhere', () => {
  const plan = planOf(`${head()}${slow('a', ', condition: "1 < 2"')}`);
  const sim = new Simulator({ ...plan, steps: plan.steps.map((step) => ({ ...step, condition: '1 <' })) });
  expect(sim.types('step.skipped')).toEqual(['a']);
});
