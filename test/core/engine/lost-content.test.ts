import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../../core/base/json';
import type { LoadCommand, StoreCommand } from '../../../core/engine/commands';
import type { StepError } from '../../../core/errors/app-error';
import { Simulator } from './simulator';

const LOST: StepError = { code: 'blob_damaged', message: 'It is damaged.', category: 'internal', retryable: false };
const text = 'z'.repeat(300_000);
/** Made by `a`, and too much for the workflow. */
const ROWS: Json[] = Array.from({ length: 5 }, (_unused, n) => ({ n, text }));

/** A run whose first step has made rows that lie outside. */
async function made(steps: string, list: Json[] = ROWS): Promise<Simulator> {
  const sim = new Simulator(`
id: m
name: M
steps:
  - {name: a, step_type: tool, action: slow}
${steps}
  - {name: end, step_type: tool, action: slow}
`);
  const rows = await sim.values.put(list);
  const output = { value: { rows: null }, handles: { rows: { ...rows, count: list.length } } };
  sim.send({ type: 'outcomes', id: sim.run('a').id, outcomes: [{ path: 'a', status: 'ok', output }] });
  return sim;
}

function asked(sim: Simulator): LoadCommand | StoreCommand {
  const [open] = [...sim.of('load'), ...sim.of('store')];
  if (!open) throw new Error(`nothing is asked for: ${JSON.stringify(sim.last)}`);
  return open;
}

function lose(sim: Simulator): void {
  const id = sim.of('child')[0]?.id ?? asked(sim).id;
  sim.send({ type: 'broken', id, error: LOST });
}

const attention = (sim: Simulator) =>
  sim.patches.at(-1)?.waits.map((wait) => (wait as { step_path: string }).step_path);
const finished = (sim: Simulator) =>
  sim.events
    .filter(({ type }) => type === 'step.finished')
    .map(({ step_path: path, payload }) => [path, payload['error']]);

const STEP = '{name: c, step_type: tool, action: slow, condition: "{a.rows[0].n} == 0"}';
const READERS = [
  { what: 'the condition of a step', path: 'c', steps: `  - ${STEP}`, next: 'c' },
  {
    what: 'the list of a for_each',
    path: 'each',
    steps:
      '  - name: each\n    for_each: {items: "{a.rows}", as: it, max_parallel: 2, steps: [{name: w, step_type: tool, action: slow, inputs: {n: "{it.n}"}}]}',
    next: 'each[0]/w',
  },
  {
    what: 'the text of a route',
    path: 'way',
    steps:
      '  - name: way\n    route: {on: "{a.rows[0].n}", routes: {"0": [{name: zero, step_type: tool, action: slow}]}}',
    next: 'zero',
  },
] as const;

describe('stored content that is lost', () => {
  it.each(READERS)('$what waits, and a repeat reads it again', async ({ path, steps, next }) => {
    const sim = await made(steps);
    lose(sim);
    expect(sim.patches.at(-1)).toMatchObject({ status: 'needs_attention', code: 'blob_damaged' });
    expect(attention(sim)).toEqual([path]);
    // Still not there.
    sim.send({ type: 'resolve', path, outcome: 'repeat' });
    lose(sim);
    expect(attention(sim)).toEqual([path]);
    sim.send({ type: 'resolve', path, outcome: 'repeat' });
    await sim.answer(asked(sim));
    expect(sim.run(sim.paths()[0]?.[0] ?? '').units[0]?.path.endsWith(next)).toBe(true);
  });

  it.each(READERS)('$what fails by the older rule', async ({ path, steps }) => {
    const sim = await made(steps);
    sim.newer = (change) => change !== 'lost-content';
    lose(sim);
    expect(finished(sim).at(-1)).toEqual([path, { code: 'blob_damaged', message: 'It is damaged.' }]);
  });

  it('a condition that says no after the repeat skips its step', async () => {
    const sim = await made(`  - ${STEP.replace('== 0', '== 7')}`);
    lose(sim);
    sim.send({ type: 'resolve', path: 'c', outcome: 'repeat' });
    await sim.answer(asked(sim));
    expect(sim.types('step.skipped')).toEqual(['c']);
    expect(sim.paths()).toEqual([['end']]);
  });

  it('the `until` of a loop is asked again, and its steps are not repeated', async () => {
    const sim = await made(
      '  - name: turns\n    loop: {until: "{a.rows[0].n} == 0", max_iterations: 3, steps: [{name: turn, step_type: tool, action: slow}]}',
    );
    sim.ok('turns[0]/turn');
    lose(sim);
    expect(attention(sim)).toEqual(['turns']);
    sim.send({ type: 'resolve', path: 'turns', outcome: 'repeat' });
    await sim.answer(asked(sim));
    expect(sim.paths()).toEqual([['end']]);
    expect(sim.state.scopes['']?.entries['turns']).toMatchObject({ out: { value: { iterations: 1, done: true } } });
  });

  it('the inputs of a sub-playbook: the run that was not made is asked for again under its key', async () => {
    const sim = await made('  - {name: sub, action: run_playbook, playbook: other, inputs: {rows: "{a.rows}"}}');
    const [before] = sim.of('child');
    lose(sim);
    expect(attention(sim)).toEqual(['sub']);
    sim.send({ type: 'resolve', path: 'sub', outcome: 'repeat' });
    expect(sim.of('child')).toEqual([{ ...before, id: sim.of('child')[0]?.id }]);
  });

  const LIST =
    '  - name: each\n    for_each: {items: [1, 2, 3, 4], as: it, steps: [{name: w, step_type: tool, action: slow, inputs: {n: "{it}"}}]}';
  it('results of a list are kept once more, and no item is repeated', async () => {
    const sim = await made(LIST);
    sim.ok('each[0]/w', { 'each[0]/w': text });
    lose(sim);
    for (const at of [1, 2, 3]) sim.ok(`each[${at}]/w`);
    expect(sim.patches.at(-1)).toMatchObject({ status: 'needs_attention' });
    expect(attention(sim)).toEqual(['each']);
    sim.send({ type: 'resolve', path: 'each', outcome: 'repeat' });
    for (let open = sim.of('store'); open[0]; open = sim.of('store')) await sim.answer(open[0]);
    expect(sim.state.scopes['']?.entries['each']).toMatchObject({ status: 'ok', out: { value: { count: 4 } } });
    expect(sim.paths()).toEqual([['end']]);
  });

  it.each([
    ['both are lost', ['load', 'store'], ['load', 'store']],
    ['the other is on its way', ['store'], ['load', 'store']],
  ] as const)('items and results of one list: %s, and each is asked for once', async (_what, lost, again) => {
    const sim = await made(
      '  - name: each\n    for_each: {items: "{a.rows}", as: it, max_parallel: 30, steps: [{name: w, step_type: tool, action: slow, inputs: {n: "{it.n}"}}]}',
      Array.from({ length: 25 }, (_unused, n) => ({ n, text: text.slice(0, 20_000) })),
    );
    await sim.answer(asked(sim));
    sim.ok('each[0]/w', { 'each[0]/w': text });
    expect([sim.of('load').length, sim.of('store').length]).toEqual([1, 1]);
    for (const kind of lost) sim.send({ type: 'broken', id: sim.of(kind)[0]?.id ?? '', error: LOST });
    expect(attention(sim)).toEqual(['each']);
    sim.send({ type: 'resolve', path: 'each', outcome: 'repeat' });
    expect(again.map((kind) => sim.of(kind).length)).toEqual([1, 1]);
    while (sim.of('run').some(({ units }) => units[0]?.path.startsWith('each')) || sim.of('load').length > 0) {
      const open = [...sim.of('load'), ...sim.of('store')];
      for (const command of open) await sim.answer(command);
      for (const [path] of sim.paths()) if (path?.startsWith('each') === true) sim.ok(path);
    }
    for (let open = sim.of('store'); open[0]; open = sim.of('store')) await sim.answer(open[0]);
    expect(sim.state.scopes['']?.entries['each']).toMatchObject({ status: 'ok', out: { value: { count: 25 } } });
  });

  it.each(['done', 'not_done'] as const)(
    'a list of which a person says %s fails once its items have ended',
    async (outcome) => {
      const sim = await made(LIST.replace('as: it', 'as: it, max_parallel: 2'));
      sim.ok('each[0]/w', { 'each[0]/w': text });
      lose(sim);
      sim.send({ type: 'resolve', path: 'each', outcome });
      expect(finished(sim)).toEqual([]);
      for (const [path] of sim.paths()) sim.ok(path ?? '');
      expect(finished(sim)).toEqual([['each', { code: 'blob_damaged', message: 'It is damaged.' }]]);
    },
  );

  it('the condition of a destination: that one fails by name, and the others are carried out', async () => {
    const sends = new Simulator(`
id: m
name: M
steps:
  - {name: a, step_type: tool, action: slow}
output:
  destinations:
    - {type: chat, condition: "{a.rows[0].n} == 0"}
    - {type: document}
`);
    const rows = await sends.values.put(ROWS);
    const output = { value: { rows: null }, handles: { rows: { ...rows, count: 5 } } };
    sends.send({ type: 'outcomes', id: sends.run('a').id, outcomes: [{ path: 'a', status: 'ok', output }] });
    lose(sends);
    const settings = sends.run('$output').units[0]?.edits?.['$settings'] as { destinations: Json[] };
    expect(settings.destinations).toEqual([
      { type: 'chat', format: 'markdown', config: {}, fault: { code: 'blob_damaged', message: 'It is damaged.' } },
      { type: 'document', format: 'markdown', config: {} },
    ]);
  });
});
