import { describe, expect, it } from '@jest/globals';
import { hasChild, isDrained } from '../../../core/engine/advance';
import { Simulator } from './simulator';

const TWO =
  'id: p\nname: P\nsteps:\n  - {name: a, step_type: tool, action: slow}\n  - {name: b, step_type: tool, action: slow}\n';
const OUTPUT = `${TWO}output: {format: markdown, save_to: document, sections: [{title: A, source: a}]}\n`;

describe('pause', () => {
  it('lets what runs end and begins nothing until resume', () => {
    const sim = new Simulator(TWO);
    sim.send({ type: 'pause' });
    expect(sim.patches.at(-1)).toMatchObject({
      status: 'paused',
      waits: [{ kind: 'paused', since: '2026-01-01T00:00:00.000Z', until: null }],
    });
    sim.ok('a');
    expect(sim.paths()).toEqual([]);
    sim.send({ type: 'resume' });
    expect(sim.paths()).toEqual([['b']]);
    expect(sim.patches.at(-1)?.status).toBe('running');
  });

  it('found by an activity pauses the run, and the step begins again after resume', () => {
    const sim = new Simulator(TWO);
    sim.send({ type: 'outcomes', id: sim.run('a').id, outcomes: [], held: 'pause' });
    expect(sim.patches.at(-1)?.status).toBe('paused');
    sim.send({ type: 'resume' });
    expect(sim.paths()).toEqual([['a']]);
  });

  it('found by an activity before the resume that came first does not pause again', () => {
    const sim = new Simulator(TWO);
    const { id } = sim.run('a');
    sim.send({ type: 'pause' });
    sim.send({ type: 'resume' });
    sim.send({ type: 'outcomes', id, outcomes: [], held: 'pause' });
    expect(sim.state.paused).toBe(false);
    expect(sim.paths()).toEqual([['a']]);
  });

  it('holds the output back, before it is sent and after', () => {
    const sim = new Simulator(OUTPUT);
    sim.ok('a');
    sim.send({ type: 'pause' });
    sim.ok('b');
    expect(sim.paths()).toEqual([]);
    sim.send({ type: 'resume' });
    expect(sim.paths()).toEqual([['$output']]);
    sim.send({ type: 'outcomes', id: sim.run('$output').id, outcomes: [], held: 'pause' });
    expect(sim.finish).toBeUndefined();
    sim.send({ type: 'resume' });
    sim.ok('$output', { $output: { success: true, summary: 'done', routing_report: [] } });
    expect(sim.finish).toMatchObject({ status: 'complete', summary: 'done', routing_report: [] });
  });

  it('a gate may be decided meanwhile', () => {
    const sim = new Simulator(
      'id: p\nname: P\nsteps:\n  - {name: ask, step_type: approval, prompt: Go}\n  - {name: b, step_type: tool, action: slow}\n',
    );
    sim.send({ type: 'pause' });
    sim.decide('ask', 'approved');
    expect(sim.paths()).toEqual([]);
    sim.send({ type: 'resume' });
    expect(sim.paths()).toEqual([['b']]);
  });

  it('holds back what a large condition let begin', async () => {
    const sim = new Simulator(TWO.replace('{name: b,', '{name: b, condition: "{a.text} contains \'x\'",'));
    sim.send({
      type: 'outcomes',
      id: sim.run('a').id,
      outcomes: [
        { path: 'a', status: 'ok', output: await sim.values.offload({ text: 'x'.repeat(1_500_000) }, 1_048_576) },
      ],
    });
    const [load] = sim.of('load');
    expect(load).toMatchObject({ condition: "{a.text} contains 'x'", refs: { 'a.text': { kind: 'stored' } } });
    sim.send({ type: 'pause' });
    if (load) await sim.answer(load);
    expect(sim.paths()).toEqual([]);
    sim.send({ type: 'resume' });
    expect(sim.paths()).toEqual([['b']]);
  });
});

describe('cancel', () => {
  it('stops what runs, waits for it, and ends with what there is', () => {
    const sim = new Simulator(OUTPUT);
    sim.ok('a', { a: { v: 1 } });
    const { id } = sim.run('b');
    sim.send({ type: 'cancel' });
    expect(sim.cancelled.has(id)).toBe(true);
    expect(sim.finish).toBeUndefined();
    sim.send({ type: 'outcomes', id, outcomes: [] });
    expect(sim.finish).toEqual({
      kind: 'finish',
      status: 'cancelled',
      code: 'cancelled',
      message: 'The run was cancelled.',
      outputs: { a: { value: { v: 1 } } },
    });
  });

  it('ends a wait for a decision, a try or a resume at once', () => {
    const gate = new Simulator(
      'id: p\nname: P\nsteps:\n  - {name: ask, step_type: approval, prompt: Go, timeout_minutes: 5}\n',
    );
    gate.send({ type: 'cancel' });
    expect([gate.finish?.status, gate.open.size]).toEqual(['cancelled', 0]);
    const retry = new Simulator(TWO.replace('slow}', 'slow, on_error: retry}'));
    retry.fail('a', { retryable: true });
    retry.send({ type: 'pause' });
    retry.send({ type: 'cancel' });
    expect(retry.finish?.status).toBe('cancelled');
  });

  it('comes too late for a decision that came first, and the other way round', () => {
    const yaml =
      'id: p\nname: P\nsteps:\n  - {name: ask, step_type: approval, prompt: Go}\n  - {name: b, step_type: tool, action: slow}\n';
    const decided = new Simulator(yaml);
    decided.decide('ask', 'approved');
    decided.send({ type: 'cancel' });
    decided.ok('b');
    expect(decided.finish).toMatchObject({
      status: 'cancelled',
      outputs: { ask: { value: { decision: 'approved' } } },
    });
    const cancelled = new Simulator(yaml);
    cancelled.send({ type: 'cancel' });
    expect(cancelled.finish?.status).toBe('cancelled');
  });

  it('the closed run takes no event any more', () => {
    const sim = new Simulator(TWO);
    sim.ok('a');
    sim.ok('b');
    const count = sim.events.length;
    for (const event of [
      { type: 'cancel' },
      { type: 'pause' },
      { type: 'resume' },
      { type: 'timer', id: 'c1' },
    ] as const)
      sim.send(event);
    expect([sim.finish?.status, sim.events.length]).toEqual(['complete', count]);
  });
});

describe('continue as new', () => {
  it('drains: what runs ends, nothing begins, timers and gates go along', () => {
    const sim = new Simulator(
      `id: p\nname: P\nsteps:\n  - name: both\n    action: parallel\n    parallel_steps:\n    - {name: ask, step_type: approval, prompt: Go, timeout_minutes: 5}\n    - {name: bad, step_type: tool, action: slow, on_error: retry}\n    - {name: work, step_type: tool, action: slow}\n  - {name: end, step_type: tool, action: slow}\n`,
    );
    sim.fail('both/bad', { retryable: true });
    sim.draining = true;
    expect(isDrained(sim.state)).toBe(false);
    sim.timer('retry');
    sim.ok('both/work');
    expect([sim.paths(), isDrained(sim.state)]).toEqual([[], true]);
    const timers = sim.of('timer');
    sim.continueAsNew();
    expect(sim.of('timer')).toEqual(timers);
    expect(sim.paths()).toEqual([['both/bad']]);
    sim.ok('both/bad');
    sim.decide('both/ask', 'approved');
    sim.ok('end');
    expect(sim.finish?.status).toBe('complete');
  });

  it('keeps the pause, and sends no output before', () => {
    const sim = new Simulator(OUTPUT);
    sim.ok('a');
    sim.draining = true;
    sim.ok('b');
    expect(sim.paths()).toEqual([]);
    sim.send({ type: 'pause' });
    sim.continueAsNew();
    expect(sim.paths()).toEqual([]);
    sim.send({ type: 'resume' });
    expect(sim.paths()).toEqual([['$output']]);
  });

  it('a child in flight is known', () => {
    const sim = new Simulator('id: p\nname: P\nsteps:\n  - {name: sub, action: run_playbook, playbook: inner}\n');
    expect([hasChild(sim.state), isDrained(sim.state)]).toEqual([true, false]);
  });
});

describe('outputs', () => {
  it('judge a destination on a large value outside', async () => {
    const sim = new Simulator(
      `${TWO}output:\n  format: markdown\n  sections: [{title: A, source: a}]\n  destinations:\n    - {type: document, condition: "{a.text} contains 'y'"}\n    - {type: folder, condition: "{a.n} == 1"}\n    - {type: file_export, condition: "{a.text} contains 'x'"}\n`,
    );
    sim.send({
      type: 'outcomes',
      id: sim.run('a').id,
      outcomes: [
        { path: 'a', status: 'ok', output: await sim.values.offload({ n: 1, text: 'x'.repeat(1_500_000) }, 1_048_576) },
      ],
    });
    sim.ok('b');
    for (const load of sim.of('load')) await sim.answer(load);
    expect(sim.run('$output').units[0]?.edits).toMatchObject({
      $settings: {
        destinations: [
          { type: 'document', condition: false, written: "{a.text} contains 'y'" },
          { type: 'folder' },
          { type: 'file_export' },
        ],
      },
    });
  });

  it('a broken output makes the run partial and says why', () => {
    const sim = new Simulator(OUTPUT);
    sim.ok('a');
    sim.ok('b');
    sim.fail('$output');
    expect(sim.finish).toMatchObject({
      status: 'partial',
      routing_report: [{ destination: 'output', status: 'error', code: 'broken', message: 'It broke.' }],
    });
  });

  it('go alone when workers are lost under them', () => {
    const sim = new Simulator(OUTPUT);
    sim.ok('a');
    sim.ok('b');
    sim.send({ type: 'lost', id: sim.run('$output').id, path: '$output', reason: 'quarantine', message: 'lost' });
    expect(sim.run('$output').queue).toBe('quarantine');
    sim.send({ type: 'lost', id: sim.run('$output').id, path: '$output', reason: 'worker_lost', message: '11 lost' });
    expect(sim.finish).toMatchObject({ status: 'partial', routing_report: [{ code: 'worker_lost' }] });
  });
});

describe('inline work', () => {
  const pure = (at: number): string =>
    `  - {name: s${at}, step_type: tool, action: transform_data, inputs: {data: "{rows}"}, operations: [{type: limit, count: 1}]}\n`;

  it('is cut into pieces, so that the workflow answers its server between them', () => {
    const rows = Array.from({ length: 100 }, (_, n) => ({ n, pad: 'x'.repeat(2_000) }));
    const sim = new Simulator(
      `id: p\nname: P\ninputs: [{name: rows, type: list}]\nsteps:\n${Array.from({ length: 30 }, (_, at) => pure(at)).join('')}`,
      { inputs: { rows } },
    );
    let pieces = 1;
    while (!sim.finish) {
      pieces += 1;
      sim.timer('yield');
    }
    expect([sim.finish.status, pieces]).toEqual(['complete', 3]);
  });
});
