import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import type { RunEvent } from '../../../core/engine/commands';
import { gapsOf } from '../../../core/engine/gaps';
import type { LoadedItems } from '../../../core/engine/inbox';
import { indexPlan } from '../../../core/engine/machine';
import type { BlobPart, Handle } from '../../../core/engine/values';
import { BROKEN, planOf, Simulator } from './simulator';

const head = (inputs = ''): string => `id: p\nname: P\n${inputs}steps:\n`;
const slow = (name: string, more = ''): string => `  - {name: ${name}, step_type: tool, action: slow${more}}\n`;
const quick = (name: string, more = ''): string => `  - {name: ${name}, step_type: tool, action: quick${more}}\n`;
const payloads = (sim: Simulator, type: string): RunEvent['payload'][] =>
  sim.events.filter((event) => event.type === type).map(({ payload: { at: _at, ...payload } }) => payload);
const part = (size: number, sha256 = 'x'): BlobPart => ({ sha256, size, kind: 'whole' });
const outside = (size: number): Handle => ({ parts: [part(size)], size });
/** The unit has ended with a value of which parts lie outside. */
function give(sim: Simulator, path: string, value: Json, handles: Record<string, Handle>): void {
  const outcomes = [{ path, status: 'ok' as const, output: { value, handles } }];
  sim.send({ type: 'outcomes', id: sim.run(path).id, outcomes });
}

describe('a call that leaves the engine', () => {
  it('has what its step says, and nothing of what it does not', () => {
    const sim = new Simulator(`${head()}${slow('a', ', inputs: {x: 1}, params: {y: 2}')}`);
    const unit = {
      path: 'a',
      name: 'a',
      key: 'a',
      effectKey: 'run-1/a',
      tryNo: 1,
      action: 'slow',
      inputs: { x: 1 },
      params: { y: 2 },
      refs: {},
      timeoutMs: 300_000,
      valueLimit: 1_048_576,
    };
    expect(sim.of('run')).toStrictEqual([
      { kind: 'run', id: 'c1', activity: 'slow', summary: 'a', queue: 'main', units: [unit] },
    ]);
    const edited = new Simulator(`${head()}${slow('a')}`, { overrides: { a: { x: 3 } } });
    expect(edited.of('run')[0]?.units).toStrictEqual([
      { ...unit, inputs: {}, params: {}, overrides: { x: 3 }, edits: { x: 3 } },
    ]);
  });

  it('of many steps at once names as many as there is room for', () => {
    const names = Array.from({ length: 40 }, (_, at) => `step_${at}`);
    const [command] = new Simulator(`${head()}${names.map((name) => quick(name)).join('')}`).of('run');
    expect(command?.units).toHaveLength(40);
    expect(command?.summary).toBe(names.join(', ').slice(0, 200));
  });

  it.each<[string, string[]]>([
    ['{s.v} == 1', ['a', 'b']],
    ['{s.v} == 2', ['a']],
    ['{a.v} == 1', ['a']],
    ['{s.v} == 1 AND {a.v} == 1', ['a']],
    ['{a.v} == 1 OR {s.v} == 1', ['a']],
  ])('begins with the next where %s is decided before and holds: %j', (condition, paths) => {
    const sim = new Simulator(`${head()}${slow('s')}${quick('a')}${quick('b', `, condition: "${condition}"`)}`);
    sim.ok('s', { s: { v: 1 } });
    expect(sim.paths()).toEqual([paths]);
  });

  it('ends before a step whose condition reads any step of its own', () => {
    const sim = new Simulator(`${head()}${quick('a')}${quick('b')}${quick('c', ', condition: "{b.v} == 1"')}`);
    expect(sim.paths()).toEqual([['a', 'b']]);
  });

  it('of an action that nothing is known of goes alone', () => {
    const sim = new Simulator(`${head()}${quick('a')}${quick('b')}`, { traits: {} });
    expect(sim.of('run')).toMatchObject([{ activity: 'quick', queue: 'main', units: [{ path: 'a' }] }]);
  });

  it('reads a list that lies outside where that lies', () => {
    const sim = new Simulator(
      `${head()}${slow('a')}  - {name: t, step_type: tool, action: transform_data, inputs: {data: "{a.rows}"}, operations: [{type: limit, count: 1}]}\n`,
    );
    give(sim, 'a', { rows: null }, { rows: outside(9) });
    expect(sim.run('t').units[0]?.refs['a.rows']).toMatchObject({ kind: 'stored' });
  });

  it('of a pure step that a person repeats is none: it is done here', () => {
    const sim = new Simulator(
      `${head()}${quick('a')}  - {name: t, step_type: tool, action: transform_data, inputs: {data: "{a.rows}"}, operations: [{type: limit, count: 1}]}\n${quick('b')}`,
    );
    const { id } = sim.run('t');
    const outcomes = [
      { path: 'a', status: 'ok' as const, output: { value: { rows: [{ n: 1 }, { n: 2 }] } } },
      { path: 't', status: 'attention' as const, error: BROKEN },
    ];
    sim.send({ type: 'outcomes', id, outcomes });
    sim.send({ type: 'resolve', path: 't', outcome: 'repeat' });
    expect(sim.paths()).toEqual([['b']]);
    sim.ok('b');
    expect(sim.output('t')).toMatchObject({ data: [{ n: 1 }], count: 1 });
  });
});

describe('what the engine tells', () => {
  it('of skipped steps: the condition that is false, and no other', () => {
    const sim = new Simulator(
      `${head()}  - {name: no, step_type: tool, action: slow, condition: "1 > 2"}\n  - {name: none, step_type: tool, action: gone, condition: "2 > 1"}\n`,
    );
    expect(payloads(sim, 'step.skipped')).toStrictEqual([
      { step: 'no', reason: 'condition', message: 'its condition is false: 1 > 2', condition: '1 > 2' },
      { step: 'none', reason: 'not_available', message: 'its action is not available yet' },
    ]);
  });

  it('of a step that waits for a person: why', () => {
    const sim = new Simulator(`${head()}${slow('a')}`);
    sim.send({
      type: 'outcomes',
      id: sim.run('a').id,
      outcomes: [{ path: 'a', status: 'attention', error: BROKEN }],
    });
    const since = '2026-01-01T00:00:00.000Z';
    expect(payloads(sim, 'run.status').at(-1)).toStrictEqual({
      status: 'needs_attention',
      code: 'broken',
      waits: [{ kind: 'attention', step_path: 'a', code: 'broken', message: 'It broke.', since, until: null }],
    });
  });

  it('of its state in patches that count upwards', () => {
    const sim = new Simulator(`${head()}  - {name: g, step_type: approval}\n${slow('a')}`);
    sim.decide('g', 'approved');
    sim.ok('a');
    expect(sim.patches.map(({ no, status }) => [no, status])).toEqual([
      [1, 'waiting_approval'],
      [2, 'running'],
      [3, 'complete'],
    ]);
  });

  it('of a gate: until when it waits, where its time ends', () => {
    const waits = (more: string): unknown =>
      new Simulator(`${head()}  - {name: g, step_type: approval${more}}\n`).patches.at(-1)?.waits;
    const since = '2026-01-01T00:00:00.000Z';
    const wait = { kind: 'approval', step_path: 'g', approvalId: expect.any(String), since };
    expect(waits('')).toStrictEqual([{ ...wait, until: null }]);
    expect(waits(', timeout_minutes: 10')).toStrictEqual([{ ...wait, until: '2026-01-01T00:10:00.000Z' }]);
  });

  it.each<[string, 'approved' | 'rejected', JsonObject]>([
    ['well', 'approved', { status: 'complete' }],
    ['by a person', 'rejected', { status: 'rejected', code: 'approval_rejected', message: 'ann rejected g.' }],
  ])('of a run that ended %s', (_how, decision, expected) => {
    const sim = new Simulator(`${head()}  - {name: g, step_type: approval}\n`);
    sim.decide('g', decision);
    expect(payloads(sim, 'complete')).toStrictEqual([expected]);
    const outputs = { g: { value: { decision, decided_by: 'ann' } } };
    expect(sim.finish).toStrictEqual({ kind: 'finish', ...expected, outputs });
  });

  it('of its progress: steps in lists and loops are not counted', () => {
    const inner = (name: string): string => `{name: ${name}, step_type: tool, action: slow}`;
    const counted = (steps: string): number => indexPlan(planOf(head() + steps)).counted;
    expect(counted(slow('a') + slow('b'))).toBe(2);
    expect(counted(`  - {name: e, for_each: {items: [1], steps: [${inner('x')}]}}\n`)).toBe(1);
    expect(counted(`  - {name: l, loop: {until: "true", max_iterations: 2, steps: [${inner('x')}]}}\n`)).toBe(1);
    expect(counted(`  - {name: p, action: parallel, parallel_steps: [${inner('x')}, ${inner('y')}]}\n`)).toBe(3);
    const nested = `{name: p, action: parallel, parallel_steps: [${inner('x')}]}`;
    expect(counted(`  - {name: e, for_each: {items: [1], steps: [${nested}]}}\n`)).toBe(1);
  });
});

describe('the output of a run', () => {
  it('is asked for with its sections and the destinations whose conditions hold', () => {
    const output = `output:
  sections: [{title: A, source: a, format: table}, {title: B, source: a.v}]
  destinations:
    - {type: document, condition: "{a.v} == 1"}
    - {type: file_export, format: csv, condition: "{a.v} == 2"}
    - {type: chat}
`;
    const sim = new Simulator(`${head()}${slow('a')}${output}`);
    sim.ok('a', { a: { v: 1 } });
    const [unit] = sim.run('$output').units;
    expect(unit?.inputs).toStrictEqual({
      title: 'P',
      sections: [
        { title: 'A', value: '{a}', source: 'a', format: 'table' },
        { title: 'B', value: '{a.v}', source: 'a.v' },
      ],
    });
    const settings = unit?.edits?.['$settings'] as JsonObject | undefined;
    expect(settings?.['destinations']).toStrictEqual([
      { type: 'document', format: 'markdown', config: {} },
      { type: 'file_export', format: 'csv', config: {}, condition: false, written: '{a.v} == 2' },
      { type: 'chat', format: 'markdown', config: {} },
    ]);
  });
});

describe('a condition over a number that is kept as text', () => {
  const run = (older: boolean): string[] => {
    const sim = new Simulator(`${head()}${slow('a')}${slow('b', `, condition: "{a.v} < 'abc'"`)}`);
    sim.newer = (change) => !older || change !== 'kept-apart';
    sim.ok('a', { a: { v: '12345678901234567890.5' } });
    return sim.types('step.skipped');
  };
  it('beside a word holds in runs that began before alone', () => {
    expect([run(false), run(true)]).toEqual([['b'], []]);
  });
});

describe('a quotient of a number that is kept as text', () => {
  const run = (older: boolean): Json | undefined => {
    const operations = '[{type: compute, as: third, expression: "{v} / 3"}]';
    const inputs = '{data: [{v: "{a.v}"}]}';
    const sim = new Simulator(
      `${head()}${slow('a')}  - {name: q, step_type: tool, action: transform_data, inputs: ${inputs}, operations: ${operations}}\n`,
    );
    sim.newer = (change) => !older || change !== 'rounded-quotients';
    sim.ok('a', { a: { v: '20000000000000000000000' } });
    return sim.output('q');
  };
  it('is cut in runs that began before alone', () => {
    expect(run(false)).toMatchObject({ data: [{ third: '6666666666666666666667' }] });
    expect(run(true)).toMatchObject({ data: [{ third: '6666666666666666666666' }] });
  });
});

describe('a difference of amounts of 16 digits', () => {
  const run = (older: boolean, after: string): Simulator => {
    const sim = new Simulator(`${head()}${slow('a')}${after}`);
    sim.newer = (change) => !older || change !== 'nearest-results';
    sim.ok('a', { a: { v: 12_345_678_901_234.56 } });
    return sim;
  };
  it('is what doubles calculate in runs that began before alone', () => {
    const operations = '[{type: compute, as: d, expression: "{v} - 12345678901234.55"}]';
    const computed = `  - {name: q, step_type: tool, action: transform_data, inputs: {data: [{v: "{a.v}"}]}, operations: ${operations}}\n`;
    expect(run(false, computed).output('q')).toMatchObject({ data: [{ d: 0.01 }] });
    expect(run(true, computed).output('q')).toMatchObject({ data: [{ d: 0.009765625 }] });
    const asked = slow('b', ', condition: "{a.v} - 12345678901234.55 == 0.01"');
    expect([false, true].map((older) => run(older, asked).types('step.skipped'))).toEqual([[], ['b']]);
  });
});

describe('a list whose items and results lie outside', () => {
  const list = (more = ''): string =>
    `${head('inputs: [{name: rows, type: list}]\n')}${slow('a')}  - {name: each, for_each: {items: "{a.rows}", as: n${more}, steps: [{name: w, step_type: tool, action: slow, inputs: {n: "{n}"}}]}}\n`;
  /** The items come one by one, and the first result is so large that it is put aside at once. */
  function busy(): Simulator {
    const sim = new Simulator(list(', max_parallel: 1'));
    give(sim, 'a', { rows: null }, { rows: { ...outside(9), count: 2 } });
    const items: LoadedItems = { list: [{ value: 1 }], total: 2, windows: [part(5, 'next')] };
    sim.send({ type: 'loaded', id: sim.of('load')[0]?.id ?? '', values: {}, items });
    sim.ok('each[0]/w', { 'each[0]/w': 'x'.repeat(300_000) });
    expect([sim.of('store').length, sim.of('load').length]).toEqual([1, 1]);
    return sim;
  }
  const fails = (sim: Simulator): Json[] =>
    payloads(sim, 'step.finished')
      .filter(({ step }) => step === 'each')
      .map(({ status }) => status ?? null);

  it('that cannot be kept fails once the items that are on their way have come', () => {
    const sim = busy();
    sim.send({ type: 'broken', id: sim.of('store')[0]?.id ?? '', error: BROKEN });
    expect(fails(sim)).toEqual([]);
    sim.send({ type: 'loaded', id: sim.of('load')[0]?.id ?? '', values: {}, items: { list: [{ value: 2 }] } });
    expect(fails(sim)).toEqual(['failed']);
  });

  it('that is read again does not keep twice what is on its way', () => {
    const sim = busy();
    const [store] = sim.of('store');
    const lost = { ...BROKEN, code: 'blob_damaged' };
    sim.send({ type: 'broken', id: sim.of('load')[0]?.id ?? '', error: lost });
    sim.send({ type: 'resolve', path: 'each', outcome: 'repeat' });
    expect(sim.of('store')).toEqual([store]);
    expect(sim.of('load')).toMatchObject([{ items: { window: { sha256: 'next' } } }]);
  });

  it('keeps results that lie outside with those that do not', () => {
    const sim = new Simulator(list());
    sim.ok('a', { a: { rows: [1, 2] } });
    sim.ok('each[0]/w', { 'each[0]/w': 1 });
    give(sim, 'each[1]/w', null, { '': outside(9) });
    expect(sim.of('store')).toMatchObject([{ parts: [{ kind: 'value', value: 1 }, { kind: 'stored' }] }]);
  });

  it('puts together no more than one activity can hold', () => {
    const sim = new Simulator(list());
    sim.ok('a', { a: { rows: [1, 2, 3, 4] } });
    for (const at of [0, 1, 2]) give(sim, `each[${at}]/w`, null, { '': outside(8_000_000) });
    expect(sim.of('store').map(({ parts }) => parts.length)).toEqual([2]);
  });
});

describe('gaps of a result', () => {
  it.each<[string, string, string, boolean]>([
    ['other', '1 value could not be read', '2 values could not be read', true],
    ['unreadable_header', '1 header could not be read', '2 headers could not be read', false],
    ['unreadable_paging', '1 note about pages could not be read', '2 notes about pages could not be read', false],
    ['column_not_found', '1 column is not in the file', '2 columns are not in the file', true],
    ['unknown_field', '1 field is in no record', '2 fields are in no record', false],
    ['input_not_there', '1 input was not there', '2 inputs were not there', false],
    ['short_rows', '1 file has short rows', '2 files have short rows', false],
  ])('of the warning %s: %s, %s', (code, one, two, certain) => {
    const warning = { code, message: 'Why.' };
    const of = (...warnings: Json[]) => gapsOf('call_connector', { value: { warnings } }, {});
    const known = code === 'other' ? 'unreadable_values' : code;
    expect(of(warning)).toStrictEqual([{ code: known, message: `${one}: Why.`, certain }]);
    expect(of(warning, { code })).toStrictEqual([{ code: known, message: `${two}: Why.`, certain }]);
  });

  it('of a lookup in the journal are what it goes without', () => {
    const warnings = [{ code: 'input_not_there', message: 'Why.' }];
    const gap = { code: 'input_not_there', message: '1 input was not there: Why.', certain: false };
    expect(gapsOf('query_journal', { value: { warnings } }, {})).toEqual([gap]);
    expect(gapsOf('query_journal', { value: { entries: [] } }, {})).toEqual([]);
  });

  it.each(['transform_data', 'route_output', '$output', 'call_connector', 'other'])(
    'of a result of %s that is no record are none',
    (action) => {
      for (const value of [null, 'text', [1]]) expect(gapsOf(action, { value }, {})).toEqual([]);
    },
  );

  it('of destinations are read from entries alone', () => {
    const failed = { destination: 'folder', status: 'error', code: 'gone' };
    const gaps = gapsOf('route_output', { value: { routing_report: [null, 'text', failed] } }, {});
    expect(gaps.map(({ message }) => message)).toEqual(['1 of 1 destinations not written: folder: gone']);
  });
});
