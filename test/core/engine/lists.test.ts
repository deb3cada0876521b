import { describe, expect, it } from '@jest/globals';
import { Simulator } from './simulator';

const head = 'id: p\nname: P\nsteps:\n';
const quick = (name: string, more = ''): string => `  - {name: ${name}, step_type: tool, action: quick${more}}\n`;
const slow = (name: string, more = ''): string => `  - {name: ${name}, step_type: tool, action: slow${more}}\n`;

describe('a sequence', () => {
  it('hands short steps over together, and one that is not short alone', () => {
    const sim = new Simulator(head + quick('a') + quick('b') + slow('c') + quick('d'));
    expect(sim.paths()).toEqual([['a', 'b']]);
    expect(sim.of('run')[0]).toMatchObject({ activity: 'segment', summary: 'a, b', queue: 'main' });
    sim.ok('a');
    expect(sim.of('run')).toMatchObject([
      { activity: 'slow', summary: 'c', units: [{ path: 'c', effectKey: 'run-1/c', tryNo: 1 }] },
    ]);
    sim.ok('c');
    sim.ok('d');
    expect(sim.finish).toMatchObject({
      kind: 'finish',
      status: 'complete',
      outputs: { a: { value: {} }, d: { value: {} } },
    });
    expect(sim.events.map((event) => event.type)).toEqual(['run.status', 'complete']);
  });

  it('renders a step of a segment from the steps before it, and from what is known', () => {
    const sim = new Simulator(
      `${head}${slow('x')}${quick('a', ', inputs: {v: "{x.v}"}')}${quick('b', ', inputs: {v: "{x.v} {a.v}"}')}`,
    );
    sim.ok('x', { x: { v: 1 } });
    const [a, b] = sim.run('a').units;
    expect(a?.refs).toEqual({ 'x.v': { kind: 'value', value: 1 } });
    expect(b?.refs).toEqual({ 'x.v': { kind: 'value', value: 1 } });
  });

  it('ends a segment at a condition on a result of the same segment', () => {
    const sim = new Simulator(`${head}${quick('a')}${quick('b', ', condition: "{a.v} > 1"')}${quick('c')}`);
    expect(sim.paths()).toEqual([['a']]);
    sim.ok('a', { a: { v: 2 } });
    expect(sim.paths()).toEqual([['b', 'c']]);
  });

  it('skips inside where a condition is false, without being partial', () => {
    const sim = new Simulator(`${head}${slow('a')}${quick('b', ', condition: "{a.v} > 1"')}${quick('c')}`);
    sim.ok('a', { a: { v: 1 } });
    expect(sim.types('step.skipped')).toEqual(['b']);
    expect(sim.paths()).toEqual([['c']]);
    sim.ok('c');
    expect(sim.finish?.status).toBe('complete');
    expect(sim.finish?.outputs).not.toHaveProperty('b');
  });

  it('keeps pure steps inside a segment and never sends one at its end', () => {
    const pure = (name: string): string =>
      `  - {name: ${name}, step_type: tool, action: transform_data, inputs: {data: "{a.rows}"}, operations: [{type: limit, count: 1}]}\n`;
    const sim = new Simulator(head + quick('a') + pure('p') + quick('b') + pure('q'));
    expect(sim.paths()).toEqual([['a', 'p', 'b']]);
    sim.ok('a', { a: { rows: [{ n: 1 }, { n: 2 }] }, p: { data: [{ n: 1 }], count: 1 } });
    expect(sim.output('q')).toMatchObject({ count: 1 });
    expect(sim.finish?.status).toBe('complete');
  });

  it('takes back what a failure did not let begin, and goes on behind it', () => {
    const sim = new Simulator(head + quick('a') + quick('b') + quick('c'));
    sim.fail('b');
    expect(sim.types('step.finished')).toEqual(['b']);
    expect(sim.paths()).toEqual([['c']]);
    sim.ok('c');
    expect(sim.finish?.status).toBe('partial');
  });

  it('begins a whole segment again when a worker is lost in it, the guilty step alone', () => {
    const sim = new Simulator(`${head}${quick('a')}${quick('b', ', inputs: {v: "{a.v}"}')}${quick('c')}`);
    const { id } = sim.run('a');
    sim.send({ type: 'lost', id, path: 'b', reason: 'quarantine', message: 'lost' });
    expect(sim.paths()).toEqual([['a']]);
    sim.ok('a', { a: { v: 7 } });
    expect(sim.of('run')).toMatchObject([
      { queue: 'quarantine', activity: 'quick', units: [{ path: 'b', refs: { 'a.v': { value: 7 } } }] },
    ]);
    sim.ok('b');
    expect(sim.of('run')).toMatchObject([{ queue: 'main', units: [{ path: 'c' }] }]);
    expect(sim.state.quarantined).toEqual({});
  });

  it('asks a person when workers are lost under a step that is alone, while its neighbours finish', () => {
    const sim = new Simulator(
      `${head}  - name: both\n    action: parallel\n    parallel_steps:\n    - {name: bad, step_type: tool, action: slow}\n    - {name: good, step_type: tool, action: slow}\n`,
    );
    sim.send({ type: 'lost', id: sim.run('both/bad').id, path: 'both/bad', reason: 'quarantine', message: 'lost' });
    sim.send({
      type: 'lost',
      id: sim.run('both/bad').id,
      path: 'both/bad',
      reason: 'worker_lost',
      message: '11 workers were lost',
    });
    expect(sim.patches.at(-1)?.status).toBe('running');
    sim.ok('both/good');
    expect(sim.patches.at(-1)).toMatchObject({
      status: 'needs_attention',
      code: 'worker_lost',
      waits: [{ kind: 'attention', step_path: 'both/bad' }],
    });
    sim.send({ type: 'resolve', path: 'both/bad', outcome: 'repeat' });
    expect(sim.run('both/bad').queue).toBe('quarantine');
    sim.ok('both/bad');
    expect(sim.finish?.status).toBe('complete');
  });

  it('skips what is not available yet and is partial', () => {
    const sim = new Simulator(`${head}  - {name: later, step_type: tool, action: gone, optional: true}\n${quick('b')}`);
    expect(sim.events.find((event) => event.type === 'step.skipped')?.payload).toMatchObject({
      step: 'later',
      reason: 'not_available',
    });
    sim.ok('b');
    expect(sim.finish?.status).toBe('partial');
  });

  it('takes names of object members for what they are: names', () => {
    const sim = new Simulator(
      `${head}${slow('toString')}${slow('valueOf', ', inputs: {v: "{toString.v}"}')}${slow('hasOwnProperty')}`,
    );
    for (const name of ['toString', 'valueOf', 'hasOwnProperty']) sim.ok(name, { [name]: { v: name } });
    expect(sim.finish?.status).toBe('complete');
    expect(Object.keys(sim.finish?.outputs ?? {})).toEqual(['toString', 'valueOf', 'hasOwnProperty']);
  });
});

describe('a DAG', () => {
  const dag = `${head}${slow('join', ', depends_on: [x, y]')}${slow('y', ', depends_on: [root]')}${slow('x', ', depends_on: [root]')}${slow('root')}`;

  it('begins what depends on nothing, then what is free', () => {
    const sim = new Simulator(dag);
    expect(sim.paths()).toEqual([['root']]);
    sim.ok('root');
    expect(sim.paths()).toEqual([['y'], ['x']]);
    sim.ok('x');
    expect(sim.paths()).toEqual([['y']]);
    sim.ok('y');
    expect(sim.paths()).toEqual([['join']]);
    sim.ok('join');
    expect(sim.finish?.status).toBe('complete');
  });

  it('begins a step when what it depends on is closed, failed and skipped too', () => {
    const sim = new Simulator(
      `${head}${slow('end', ', depends_on: [bad, no]')}${slow('bad')}${slow('no', ', condition: "1 > 2"')}`,
    );
    sim.fail('bad');
    expect(sim.paths()).toEqual([['end']]);
    sim.ok('end');
    expect(sim.finish?.status).toBe('partial');
  });

  it('waits for a dependency that waits for its next try', () => {
    const sim = new Simulator(`${head}${slow('end', ', depends_on: [bad]')}${slow('bad', ', on_error: retry')}`);
    sim.fail('bad', { retryable: true });
    expect(sim.paths()).toEqual([]);
    sim.timer('retry');
    expect(sim.of('run')).toMatchObject([{ units: [{ path: 'bad', tryNo: 2, effectKey: 'run-1/bad' }] }]);
    sim.fail('bad');
    expect(sim.paths()).toEqual([['end']]);
  });

  it('R03: layers a thousand steps without looking at each of them again and again', () => {
    const roots = Array.from({ length: 500 }, (_, at) => slow(`r${at}`)).join('');
    const leaves = Array.from({ length: 499 }, (_, at) => slow(`l${at}`, `, depends_on: [r${at}, r${at + 1}]`)).join(
      '',
    );
    const sim = new Simulator(head + roots + leaves);
    sim.large = true;
    for (let at = 0; at < 500; at++) sim.ok(`r${at}`);
    expect(sim.paths().length).toBe(499);
    for (let at = 0; at < 499; at++) sim.ok(`l${at}`);
    expect(sim.finish?.status).toBe('complete');
  });
});

describe('a long parallel list', () => {
  const names = Array.from({ length: 22 }, (_each, at) => `p${at}`);
  const long = (of: (name: string) => string): string =>
    `${head}  - name: all\n    action: parallel\n    parallel_steps:\n${names.map((name) => `  ${of(name)}`).join('')}${slow('end', ', inputs: {n: "{all.count}", f: "{all.failed_count}", v: "{p7.v}"}')}`;

  it('hands its short steps over in four segments side by side', () => {
    const sim = new Simulator(long(quick));
    expect(sim.paths().map((paths) => paths.length)).toEqual([6, 6, 6, 4]);
    expect(sim.paths().flat()).toEqual(names.map((name) => `all/${name}`));
    expect(sim.of('run').map(({ activity }) => activity)).toEqual(Array(4).fill('segment'));
    for (const path of ['all/p0', 'all/p6', 'all/p12', 'all/p18']) sim.ok(path, { 'all/p7': { v: 7 } });
    expect(sim.of('run')[0]?.units[0]?.refs).toEqual({
      'all.count': { kind: 'value', value: 22 },
      'all.failed_count': { kind: 'value', value: 0 },
      'p7.v': { kind: 'value', value: 7 },
    });
  });

  it('sends what a failure kept back again', () => {
    const sim = new Simulator(long(quick));
    sim.fail('all/p1');
    expect(sim.paths()).toContainEqual(['all/p2', 'all/p3', 'all/p4', 'all/p5']);
    for (const path of ['all/p2', 'all/p6', 'all/p12', 'all/p18']) sim.ok(path);
    expect(sim.paths()).toEqual([['end']]);
    expect(sim.of('run')[0]?.units[0]?.refs['all.failed_count']).toEqual({ kind: 'value', value: 1 });
  });

  it('gives each of its steps an activity where they are not short, and in a run that began before', () => {
    const alone = names.map((name) => [`all/${name}`]);
    expect(new Simulator(long(slow)).paths()).toEqual(alone);
    const older = new Simulator(long(quick).replace(head, head + slow('first')));
    older.newer = (change) => change !== 'parallel-segments';
    older.ok('first');
    expect(older.paths()).toEqual(alone);
  });

  it('of fewer than twenty steps has an activity for each', () => {
    const few = names.slice(0, 19).map((name) => `  ${quick(name)}`);
    const sim = new Simulator(`${head}  - name: all\n    action: parallel\n    parallel_steps:\n${few.join('')}`);
    expect(sim.paths()).toHaveLength(19);
  });
});

describe('a parallel', () => {
  const both = (more = ''): string =>
    `${head}  - name: both\n    action: parallel\n    parallel_steps:\n    - {name: a, step_type: tool, action: slow${more}}\n    - {name: b, step_type: tool, action: slow}\n${slow('c', ', inputs: {a: "{a.v}", b: "{b.v}", n: "{both.count}", f: "{both.failed_count}"}')}`;

  it('begins all branches and shows their results outside', () => {
    const sim = new Simulator(both(', on_error: skip'));
    expect(sim.paths()).toEqual([['both/a'], ['both/b']]);
    sim.ok('both/b', { 'both/b': { v: 2 } });
    sim.fail('both/a');
    expect(sim.run('c').units[0]?.refs).toEqual({
      'a.v': { kind: 'undefined' },
      'b.v': { kind: 'value', value: 2 },
      'both.count': { kind: 'value', value: 2 },
      'both.failed_count': { kind: 'value', value: 1 },
    });
  });

  it('on_error: stop lets the neighbour finish and begins nothing more', () => {
    const sim = new Simulator(both(', on_error: stop'));
    sim.fail('both/a');
    expect(sim.finish).toBeUndefined();
    expect(sim.cancelled.size).toBe(0);
    sim.ok('both/b', { 'both/b': { v: 2 } });
    expect(sim.finish).toMatchObject({
      status: 'failed',
      code: 'broken',
      message: 'Step both/a: It broke.',
      outputs: { b: { value: { v: 2 } } },
    });
    expect(sim.finish?.outputs).not.toHaveProperty('c');
  });
});
