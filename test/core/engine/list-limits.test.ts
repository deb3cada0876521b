import { describe, expect, it } from '@jest/globals';
import type { LoadedItems } from '../../../core/engine/inbox';
import { Simulator } from './simulator';

const yaml = (inner: string, items = '{a.rows}', max = 2): string => `
id: m
name: M
inputs: [{name: items, type: list}]
steps:
  - {name: a, step_type: tool, action: slow}
  - name: each
    for_each: {items: "${items}", as: it, max_parallel: ${max}, steps: [${inner}]}
`;
const WORK = '{name: work, step_type: tool, action: slow, inputs: {v: "{it}"}}';
const HANDLE = { parts: [{ sha256: 'x', size: 9, kind: 'slice' as const }], size: 9, count: 3 };

/** A run that has asked for the items of a list which lies outside. */
function asked(): { sim: Simulator; id: string } {
  const sim = new Simulator(yaml(WORK));
  const { id } = sim.run('a');
  const output = { value: { rows: null }, handles: { rows: HANDLE } };
  sim.send({ type: 'outcomes', id, outcomes: [{ path: 'a', status: 'ok', output }] });
  const [load] = sim.of('load');
  expect(load).toMatchObject({ items: { list: { kind: 'stored' } } });
  return { sim, id: load?.id ?? '' };
}
const ended = (sim: Simulator): unknown =>
  sim.events.find(({ type, step_path: path }) => type === 'step.finished' && path === 'each')?.payload;

describe('a list that lies outside', () => {
  const loaded = (items: LoadedItems | undefined): Simulator => {
    const { sim, id } = asked();
    sim.send({ type: 'loaded', id, values: {}, ...(items === undefined ? {} : { items }) });
    return sim;
  };
  const values = (...list: number[]) => list.map((value) => ({ value }));

  it('and is not there fails as one that was never given', () => {
    expect(ended(loaded({ list: [], missing: true }))).toMatchObject({
      error: { code: 'missing_data' },
    });
  });
  it('and is none fails as that', () => {
    expect(ended(loaded(undefined))).toMatchObject({ error: { code: 'items_not_a_list' } });
  });
  it('and is empty is done', () => {
    expect(ended(loaded({ list: [], total: 0, windows: [] }))).toMatchObject({
      status: 'ok',
    });
  });
  it('is taken in pieces, the next one when the first is begun', () => {
    const sim = loaded({
      list: values(1, 2),
      total: 3,
      windows: [{ sha256: 'y', size: 9, kind: 'slice' }],
    });
    expect(sim.paths()).toEqual([['each[0]/work'], ['each[1]/work']]);
    sim.ok('each[0]/work');
    const [next] = sim.of('load');
    expect(next).toMatchObject({ items: { window: { sha256: 'y' } } });
    sim.send({ type: 'loaded', id: next?.id ?? '', values: {}, items: { list: values(3) } });
    expect(sim.run('each[2]/work').units[0]?.refs['it']).toEqual({ kind: 'value', value: 3 });
    sim.ok('each[1]/work');
    sim.ok('each[2]/work');
    expect(ended(sim)).toMatchObject({ status: 'ok' });
  });
  it('and became shorter fails when what is begun is over', () => {
    const sim = loaded({ list: values(1, 2), total: 3, windows: [] });
    sim.ok('each[0]/work');
    expect(ended(sim)).toBeUndefined();
    sim.ok('each[1]/work');
    expect(ended(sim)).toMatchObject({ status: 'failed', error: { code: 'items_lost' } });
  });
});

describe('items that are open at once', () => {
  const begun = (inner: string, count: number): number => {
    const sim = new Simulator(yaml(inner, '{items}'), {
      inputs: { items: Array.from({ length: count }, (_, at) => at) },
    });
    sim.ok('a');
    return sim.paths().flat().length;
  };
  const QUICK = '{name: work, step_type: tool, action: quick, inputs: {v: "{it}"}}';
  const PURE =
    '{name: pure, step_type: tool, action: transform_data, inputs: {data: []}, operations: [{type: limit, count: 1}]}';
  it.each<[string, string, number, number]>([
    ['are as many as may be', WORK, 101, 2],
    ['and no more where there are few', QUICK, 100, 2],
    ['are twenty times as many where they travel together', QUICK, 101, 40],
    ['also with steps that touch nothing', `${PURE}, ${QUICK}`, 101, 40],
    ['but not with a slow one among them', `${QUICK}, ${WORK}`, 101, 2],
    ['nor with a condition', QUICK.replace('inputs:', 'condition: "1 > 0", inputs:'), 101, 2],
    ['nor with a gate', `${QUICK}, {name: g, step_type: approval}`, 101, 2],
  ])('%s', (_what, inner, count, open) => {
    expect(begun(inner, count)).toBe(open);
  });
});
