import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import { field, Simulator } from './simulator';

const map = (steps: string, max = 2): string => `
id: m
name: M
inputs: [{name: items, type: list, required: true}]
steps:
  - name: each
    for_each: {items: "{items}", as: it, max_parallel: ${max}, steps: [${steps}]}
  - {name: end, step_type: tool, action: slow, inputs: {all: "{each.results}", n: "{each.count}", bad: "{each.failed_count}"}}
`;
const WORK = '{name: work, step_type: tool, action: slow, inputs: {v: "{it}", i: "{it_index}"}}';

function ends(sim: Simulator): Json | undefined {
  return sim.run('end').units[0]?.refs['each.results'] as Json | undefined;
}

describe('for_each', () => {
  it('over nothing is done at once', () => {
    const sim = new Simulator(map(WORK), { inputs: { items: [] } });
    expect(sim.run('end').units[0]?.refs).toMatchObject({
      'each.results': { value: [] },
      'each.count': { value: 0 },
      'each.failed_count': { value: 0 },
    });
  });

  // findings/33-for-each-over-nothing.yaml
  it.each<[string, string, JsonObject]>([
    ['null', '{items}', { items: null }],
    ['a field that does not exist', '{items.itemz}', { items: { items: [1, 2, 3] } }],
    ['an input that was not given', '{items}', {}],
    ['a field that no record has', '{items[*].itemz}', { items: [{ item: 1 }, {}] }],
    ['a field that no record of any list has', '{items[*].rows[*].x}', { items: [{ rows: [{}] }, {}] }],
  ])('over %s fails as other steps do', (_name, items, inputs) => {
    const sim = new Simulator(map(WORK).replace('{items: "{items}"', `{items: "${items}"`), { inputs });
    expect(sim.events.find((event) => event.type === 'step.finished')?.payload).toMatchObject({
      status: 'failed',
      error: { code: 'missing_data' },
    });
  });

  it.each<[string, string, Json, number]>([
    ['a field that one record has', '{items[*].n}', [{ n: 1 }, {}], 2],
    ['a field that is null in a record', '{items[*].n}', [{ n: null }, {}], 2],
    ['a field of no record at all', '{items[*].n}', [], 0],
    ['the records themselves, which are null', '{items[*]}', [null], 1],
  ])('over %s has an item for each', (_name, items, given, count) => {
    const sim = new Simulator(map(WORK).replace('{items: "{items}"', `{items: "${items}"`), {
      inputs: { items: given },
    });
    expect(sim.state.nodes['each']?.each?.total ?? 0).toBe(count);
    expect(sim.events.some(({ payload }) => payload['status'] === 'failed')).toBe(false);
  });

  it('over a field that no record has is as many items of null in a run that began before', () => {
    const sim = new Simulator(
      `id: l\nname: L\nsteps:\n  - {name: a, step_type: tool, action: slow}\n  - name: each\n    for_each: {items: "{a.rows[*].x}", as: it, steps: [${WORK}]}\n`,
    );
    sim.newer = (change) => change !== 'empty-projections';
    sim.ok('a', { a: { rows: [{}, {}] } });
    expect(sim.paths()).toEqual([['each[0]/work'], ['each[1]/work']]);
  });

  it('over something that is no list fails', () => {
    const sim = new Simulator(map(WORK), { inputs: { items: 'text' } });
    expect(sim.events.find((event) => event.type === 'step.finished')?.payload).toMatchObject({
      status: 'failed',
      error: { code: 'items_not_a_list' },
    });
  });

  it('keeps max_parallel items open, each under keys of its own, and gives results in item order', () => {
    const sim = new Simulator(map(WORK), { inputs: { items: ['a', 'b', 'c'] } });
    expect(sim.paths()).toEqual([['each[0]/work'], ['each[1]/work']]);
    expect(sim.run('each[1]/work').units[0]).toMatchObject({
      effectKey: 'run-1/each[1]/work',
      refs: { it: { value: 'b' }, it_index: { value: 1 } },
      valueLimit: 16_384,
    });
    sim.ok('each[1]/work', { 'each[1]/work': 'B' });
    expect(sim.paths()).toEqual([['each[0]/work'], ['each[2]/work']]);
    sim.fail('each[2]/work');
    sim.ok('each[0]/work', { 'each[0]/work': 'A' });
    expect(ends(sim)).toEqual({ kind: 'value', value: ['A', 'B', null] });
    sim.ok('end');
    expect(sim.output('each')).toEqual({
      results: ['A', 'B', null],
      count: 3,
      failed_count: 1,
      errors: [{ index: 2, step: 'work', code: 'broken', message: 'It broke.' }],
    });
    expect(sim.finish?.status).toBe('partial');
  });

  it('renders references in a list that is written out', () => {
    const sim = new Simulator(
      `id: l\nname: L\nsteps:\n  - {name: a, step_type: tool, action: slow}\n  - name: each\n    for_each: {items: ["{a.v}", 2], as: it, steps: [${WORK}]}\n`,
    );
    sim.ok('a', { a: { v: 1 } });
    expect(sim.run('each[0]/work').units[0]?.refs['it']).toEqual({ kind: 'value', value: 1 });
  });

  it('retries a step of one item while the others go on, under the same key', () => {
    const sim = new Simulator(map(WORK.replace('slow', 'slow, retry_count: 1')), { inputs: { items: [1, 2, 3] } });
    sim.fail('each[0]/work', { retryable: true });
    expect(sim.patches.at(-1)?.waits).toMatchObject([
      { kind: 'retry', step_path: 'each[0]/work', until: '2026-01-01T00:00:00.500Z' },
    ]);
    sim.ok('each[1]/work');
    sim.ok('each[2]/work');
    sim.timer('retry');
    expect(sim.run('each[0]/work').units).toMatchObject([{ tryNo: 2, effectKey: 'run-1/each[0]/work' }]);
    sim.ok('each[0]/work');
    sim.ok('end');
    expect(sim.finish?.status).toBe('complete');
  });

  it('waits for a person in one item while the others go on', () => {
    const steps = `{name: ask, step_type: approval, prompt: "Take {it}?", on_reject: skip}, ${WORK}`;
    const sim = new Simulator(map(steps), { inputs: { items: ['a', 'b', 'c'] } });
    expect(sim.approvals.map((approval) => [approval.step_path, approval.prompt])).toEqual([
      ['each[0]/ask', 'Take a?'],
      ['each[1]/ask', 'Take b?'],
    ]);
    sim.decide('each[1]/ask', 'approved', { edits: { v: 'B!' } });
    expect(sim.run('each[1]/work').units[0]).toMatchObject({ edits: { v: 'B!' }, approvalId: sim.approvals[1]?.id });
    sim.ok('each[1]/work');
    sim.decide('each[2]/ask', 'rejected');
    sim.ok('each[2]/work');
    expect(sim.patches.at(-1)).toMatchObject({
      status: 'waiting_approval',
      waits: [{ kind: 'approval', step_path: 'each[0]/ask', until: null }],
    });
  });

  it('on_error: stop deep inside ends the run when the items in flight are done', () => {
    const inner =
      '{name: inner, for_each: {items: [1, 2], as: n, steps: [{name: work, step_type: tool, action: slow, on_error: stop}]}}';
    const sim = new Simulator(map(inner), { inputs: { items: [1, 2, 3] } });
    expect(sim.paths()).toHaveLength(4);
    sim.fail('each[1]/inner[0]/work');
    for (const path of ['each[0]/inner[0]/work', 'each[0]/inner[1]/work', 'each[1]/inner[1]/work']) sim.ok(path);
    expect(sim.finish).toMatchObject({ status: 'failed', message: 'Step each[1]/inner[0]/work: It broke.' });
  });

  it('puts short steps of many items into common segments', () => {
    const sim = new Simulator(map(WORK.replace('slow', 'quick'), 3), {
      inputs: { items: Array.from({ length: 150 }, (_, at) => at) },
    });
    expect(sim.paths().map((paths) => paths.length)).toEqual([20, 20, 20]);
    expect(sim.of('run')[0]).toMatchObject({ activity: 'segment', summary: 'each[0]/work … each[19]/work (20 steps)' });
    sim.fail('each[3]/work');
    // 0 to 2 are done, 3 failed, 4 to 19 were not reached.
    expect(sim.paths().flat()).toContain('each[4]/work');
    while (!sim.paths().some((paths) => paths[0] === 'end')) sim.ok(sim.paths()[0]?.[0] ?? '');
    sim.ok('end');
    expect(sim.output('each')).toMatchObject({ count: 150, failed_count: 1, errors: [{ index: 3 }] });
  });
});

describe('a map of more than the workflow should hold', () => {
  it('takes 10,000 items that lie outside in pieces and stores results in slices', async () => {
    const sim = new Simulator(`
id: big
name: Big
steps:
  - {name: rows, step_type: tool, action: slow}
  - name: each
    for_each: {items: "{rows.data}", as: it, max_parallel: 10, steps: [{name: work, step_type: tool, action: quick, inputs: {n: "{it.n}"}}]}
`);
    const data = Array.from({ length: 10_000 }, (_, n) => ({ n, pad: 'x'.repeat(120) }));
    sim.send({
      type: 'outcomes',
      id: sim.run('rows').id,
      outcomes: [{ path: 'rows', status: 'ok', output: await sim.values.offload({ data }, 1_048_576) }],
    });
    sim.large = true;
    let largest = 0;
    let activities = 0;
    while (!sim.finish) {
      if (activities % 10 === 0) largest = Math.max(largest, JSON.stringify(sim.state).length);
      for (const command of sim.open.values()) {
        if (command.kind === 'load' || command.kind === 'store') await sim.answer(command);
        else if (command.kind === 'run') {
          activities += 1;
          const outputs = Object.fromEntries(
            command.units.map((unit) => [unit.path, { n: unit.refs['it.n'], pad: 'y'.repeat(80) }]),
          );
          sim.ok(command.units[0]?.path ?? '', outputs as { [path: string]: Json });
        } else sim.timer('yield');
      }
    }
    expect(sim.finish.status).toBe('complete');
    expect(activities).toBe(500);
    expect(largest).toBeLessThan(1_500_000);
    const each = sim.finish.outputs['each'];
    expect(each?.value).toEqual({ results: null, count: 10_000, failed_count: 0, errors: [] });
    expect(each?.handles?.['results']).toMatchObject({ count: 10_000 });
    const results = field(await sim.values.load(each ?? { value: null }), 'results') as { n: { value: number } }[];
    expect(results.map((result) => result.n.value)).toEqual(data.map(({ n }) => n));
  });

  it('stores results while the first item waits, and puts them in item order in the end', async () => {
    const steps = '{name: work, step_type: tool, action: slow}';
    const sim = new Simulator(map(steps), { inputs: { items: Array.from({ length: 12 }, (_, at) => at) } });
    const big = (at: number): Json => ({ at, text: 'z'.repeat(100_000) });
    for (let at = 1; at < 12; at++) {
      sim.ok(`each[${at}]/work`, { [`each[${at}]/work`]: big(at) });
      for (const store of sim.of('store')) await sim.answer(store);
      expect(sim.state.nodes['each']?.each?.resultBytes).toBeLessThan(400_000);
    }
    expect(sim.state.nodes['each']?.each?.slices.map((slice) => slice.from)).toEqual([1, 4, 7]);
    sim.ok('each[0]/work', { 'each[0]/work': big(0) });
    while (sim.of('store')[0]) for (const store of sim.of('store')) await sim.answer(store);
    sim.ok('end');
    const each = await sim.values.load(sim.finish?.outputs['each'] ?? { value: null });
    expect((field(each, 'results') as { at: number }[]).map((result) => result.at)).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
    ]);
  });

  it('fails as one step when its results cannot be stored, after what is in flight', () => {
    const sim = new Simulator(map(WORK), { inputs: { items: [1, 2, 3, 4, 5, 6] } });
    const text = 'z'.repeat(300_000);
    sim.ok('each[0]/work', { 'each[0]/work': text });
    const [store] = sim.of('store');
    sim.send({
      type: 'broken',
      id: store?.id ?? '',
      error: { code: 'payload_too_large', message: 'too much', category: 'internal', retryable: false },
    });
    expect(sim.types('step.finished')).toEqual([]);
    expect(sim.paths()).toEqual([['each[1]/work'], ['each[2]/work']]);
    sim.ok('each[1]/work');
    sim.ok('each[2]/work');
    expect(sim.types('step.finished')).toEqual(['each']);
    expect(sim.finish).toMatchObject({
      status: 'failed',
      code: 'payload_too_large',
      message: 'Step each: too much The run stops here because `end` rests on it.',
    });
  });

  it('keeps a large item outside', async () => {
    const sim = new Simulator(
      `id: l\nname: L\nsteps:\n  - {name: a, step_type: tool, action: slow}\n  - name: each\n    for_each: {items: "{a.docs}", as: it, steps: [{name: work, step_type: tool, action: slow, inputs: {t: "{it.text}", id: "{it.id}"}}]}\n`,
    );
    const docs = Array.from({ length: 3 }, (_, id) => ({ id, text: 'x'.repeat(700_000) }));
    sim.send({
      type: 'outcomes',
      id: sim.run('a').id,
      outcomes: [{ path: 'a', status: 'ok', output: await sim.values.offload({ docs }, 1_048_576) }],
    });
    for (const load of sim.of('load')) await sim.answer(load);
    expect(JSON.stringify(sim.state).length).toBeLessThan(10_000);
    const refs = sim.run('each[2]/work').units[0]?.refs;
    expect(refs?.['it.id']).toEqual({ kind: 'value', value: 2 });
    expect(refs?.['it.text']?.kind).toBe('stored');
  });
});
