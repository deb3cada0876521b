import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../../core/base/json';
import { Simulator } from './simulator';

const TRAITS = {
  slow: { short: false, pure: false, available: true, model: false },
  gone: { short: false, pure: false, available: false, model: false },
  call_connector: { short: false, pure: false, available: true, model: false },
};
const step = (name: string, more = ''): string =>
  `{name: ${name}, step_type: tool, action: slow, on_error: skip${more}}`;
const read = (name: string): string =>
  `{name: ${name}, step_type: tool, action: call_connector, connector: irs, endpoint: parse}`;

function sim(steps: string, more = ''): Simulator {
  return new Simulator(`id: g\nname: G\nsteps:\n${steps}\n${more}`, { traits: TRAITS });
}

/** Missing data in the line of a step. */
function told(run: Simulator, path: string): Json | undefined {
  return run.events.find((event) => event.type === 'step.finished' && event.step_path === path)?.payload['incomplete'];
}

const unread = { files: [{}], errors: [{}], results: [] };

describe('a step says what failed inside of it, and the run why it is partial', () => {
  const code = 'steps_failed';
  const BROKE = 'failed: broken (It broke.)';

  it('in a branch of a parallel', () => {
    const run = sim(`
  - {name: both, action: parallel, parallel_steps: [${step('a')}, ${step('b')}]}
  - {name: ask, step_type: approval, prompt: "{both.count}?"}`);
    run.fail('both/a');
    run.ok('both/b');
    const message = `inside, both/a ${BROKE}`;
    expect(told(run, 'both')).toEqual([{ code, message }]);
    expect(run.approvals[0]?.failures).toEqual([{ step: 'both', kind: 'incomplete', code, message }]);
    run.decide('ask', 'approved');
    expect(run.finish).toMatchObject({ status: 'partial', message: `both/a ${BROKE}` });
    expect(run.events.at(-1)?.payload).toMatchObject({ status: 'partial', message: `both/a ${BROKE}` });
  });

  it('in the order of the plan, whichever ended first: in words, in the report and in requests', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const run = sim(`
  - {name: both, action: parallel, parallel_steps: [${names.map((name) => step(name)).join(', ')}]}
  - {name: each, for_each: {items: [1, 2, 3], as: it, max_parallel: 3, steps: [${read('get')}]}}
  - {name: ask, step_type: approval, prompt: "{both.count} {each.count}?"}`);
    for (const name of ['g', 'c', 'e', 'a', 'f', 'd', 'b']) run.fail(`both/${name}`);
    const first = names.slice(0, 5).map((name) => `both/${name} ${BROKE}`);
    expect(told(run, 'both')).toEqual([{ code, message: `inside, ${first.join('; ')}; and 2 more` }]);
    for (const at of [2, 0, 1]) run.ok(`each[${at}]/get`, { [`each[${at}]/get`]: unread });
    const unreadItems = [0, 1, 2].map((at) => `each[${at}]/get`);
    const inEach = unreadItems.map((path) => `${path}: 1 of 2 files not read`).join('; ');
    expect(told(run, 'each')).toEqual([{ code: 'steps_incomplete', message: `inside, ${inEach}` }]);
    expect(run.approvals[0]?.failures?.map(({ step: path }) => path)).toEqual(['both', ...unreadItems, 'each']);
    expect(run.state.shortfalls?.map(({ step: path }) => path)).toEqual([
      'both',
      ...names.map((name) => `both/${name}`),
      'each',
      ...unreadItems,
    ]);
    run.decide('ask', 'approved');
    expect(run.finish?.message).toBe(`${first.join('; ')}; and 2 more; ${inEach}`);
  });

  it('of a run that an older version began: what it had told stands first', () => {
    const run = sim(`
  - {name: both, action: parallel, parallel_steps: [${step('a')}, ${step('b')}, ${step('c')}]}`);
    run.fail('both/c');
    const { reasons } = run.state.nodes['both'] ?? {};
    delete reasons?.paths;
    run.fail('both/b');
    run.fail('both/a');
    expect(run.finish?.message).toBe(['c', 'a', 'b'].map((name) => `both/${name} ${BROKE}`).join('; '));
  });

  it('in turns of a loop, also in one that was followed by a good one', () => {
    const run = sim(
      `  - {name: poll, loop: {until: "{look.good} == true", max_iterations: 5, steps: [${step('look')}]}}`,
    );
    run.fail('poll[0]/look');
    run.ok('poll[1]/look', { 'poll[1]/look': { good: true } });
    expect(told(run, 'poll')).toEqual([{ code, message: `inside, poll[0]/look ${BROKE}` }]);
    expect(run.finish).toMatchObject({ status: 'partial', message: `poll[0]/look ${BROKE}` });
  });

  it('on a route, and through structures in structures, each path once', () => {
    const run = sim(`
  - name: way
    route:
      on: "x"
      default: x
      routes: {x: [{name: both, action: parallel, parallel_steps: [${step('a')}, ${step('b')}]}]}`);
    run.ok('way/both/a');
    run.fail('way/both/b', { code: 'not_found', message: 'Nothing there.' });
    const line = 'way/both/b failed: not_found (Nothing there.)';
    expect([told(run, 'way/both'), told(run, 'way')]).toEqual([
      [{ code, message: `inside, ${line}` }],
      [{ code, message: `inside, ${line}` }],
    ]);
    expect(run.finish?.message).toBe(line);
  });

  it('in items of a list: those that failed are counted, what is incomplete in them is named', () => {
    const run = sim(
      `  - {name: each, for_each: {items: [1, 2, 3], as: it, max_parallel: 3, steps: [${read('get')}, ${step('work')}]}}`,
    );
    run.ok('each[0]/get', { 'each[0]/get': unread });
    run.ok('each[1]/get');
    run.ok('each[2]/get');
    run.ok('each[0]/work');
    run.fail('each[1]/work');
    run.ok('each[2]/work');
    expect(told(run, 'each')).toEqual([
      { code: 'items_failed', message: '1 of 3 items failed' },
      { code: 'steps_incomplete', message: 'inside, each[0]/get: 1 of 2 files not read' },
    ]);
    expect(run.finish?.message).toBe('each: 1 of 3 items failed; each[0]/get: 1 of 2 files not read');
  });

  it('whatever the playbook reads of the structure: a step that failed is not undone by being counted', () => {
    const run = sim(`
  - {name: both, action: parallel, parallel_steps: [${step('a')}]}
  - {name: each, for_each: {items: [1], as: it, steps: [${step('work')}]}}
  - ${step('end', ', inputs: {n: "{both.failed_count} {each.failed_count} {each.errors}"}')}`);
    run.fail('both/a');
    run.fail('each[0]/work');
    run.ok('end');
    expect(run.finish).toMatchObject({ status: 'partial', message: `both/a ${BROKE}; each: 1 of 1 items failed` });
  });

  it('of its own steps: what failed, was not available, or does not hold everything, and how many more', () => {
    const run = sim(`
  - ${read('read')}
  - {name: none, step_type: tool, action: gone, optional: true}
${Array.from({ length: 6 }, (_, at) => `  - ${step(`s${at}`)}`).join('\n')}`);
    run.ok('read', { read: unread });
    for (let at = 0; at < 6; at += 1) run.fail(`s${at}`);
    expect(run.finish?.message).toBe(
      'read: 1 of 2 files not read; none was skipped: its action is not available yet; ' +
        `s0 ${BROKE}; s1 ${BROKE}; s2 ${BROKE}; and 3 more`,
    );
  });

  it('of a playbook inside, with its reason', () => {
    const run = sim('  - {name: sub, action: run_playbook, playbook: inner}');
    const [child] = run.of('child');
    run.send({
      type: 'child_closed',
      id: child?.id ?? '',
      status: 'partial',
      message: 'read: 1 of 2 files not read',
      output: { value: { status: 'partial' } },
    });
    expect(run.finish?.message).toBe('sub: the playbook inner ended partial: read: 1 of 2 files not read');
  });

  it('of its outputs: which destination was not written', () => {
    const run = sim(
      `  - ${step('a')}`,
      'output: {sections: [{title: A, source: a.v}], destinations: [{type: append_to_existing, config: {document: nope.md}}, {type: document}]}\n',
    );
    run.ok('a');
    const routing_report: Json = [
      { destination: 'append_to_existing', status: 'error', code: 'document_not_found', message: 'No nope.md.' },
      { destination: 'document', status: 'success' },
    ];
    run.ok('$output', { $output: { success: false, routed_to: ['document'], routing_report } });
    expect(run.finish).toMatchObject({
      status: 'partial',
      message: '$output: 1 of 2 destinations not written: append_to_existing: document_not_found (No nope.md.)',
    });
  });

  it('and a whole run says nothing', () => {
    const run = sim(`  - ${step('a')}`);
    run.ok('a');
    expect(run.finish).toEqual(expect.not.objectContaining({ message: expect.anything() as unknown }));
  });
});

describe('a field that tells of one gap silences that one alone', () => {
  const end = (output: Json, reads: string): Simulator => {
    const run = sim(`  - ${read('read')}\n  - ${step('end', `, inputs: {n: "${reads}"}`)}`);
    run.ok('read', { read: output });
    run.ok('end');
    return run;
  };
  const cut = { results: [], truncated: true, stopped_by: 'max_pages' };
  const odd = { results: [], warnings: [{ message: 'n' }] };
  const old = { results: [], cache: 'stale', age_seconds: 5 };

  it.each<[string, Json, string, string]>([
    ['files, by their errors', unread, '{read.errors}', 'complete'],
    ['files, by the number of errors', unread, '{read.error_count}', 'complete'],
    ['files, of which warnings say nothing', unread, '{read.warnings}', 'partial'],
    ['files, of which a cap says nothing', unread, '{read.truncated} {read.stopped_by}', 'partial'],
    ['files, of which missing fields say nothing', unread, '{read.missing}', 'partial'],
    ['pages, by the cap', cut, '{read.truncated}', 'complete'],
    ['pages, by what stopped', cut, '{read.result.stopped_by}', 'complete'],
    ['pages, of which errors say nothing', cut, '{read.errors}', 'partial'],
    ['values, by their warnings', odd, '{read.warnings}', 'complete'],
    ['values, of which errors say nothing', odd, '{read.errors}', 'partial'],
    ['an old answer, by its age', old, '{read.age_seconds}', 'complete'],
    ['an old answer, of which warnings say nothing', old, '{read.warnings}', 'partial'],
    ['two gaps, of which one is read', { ...unread, ...cut }, '{read.truncated}', 'partial'],
    ['two gaps, both read', { ...unread, ...cut }, '{read.truncated} {read.errors}', 'complete'],
  ])('%s', (_what, output, reads, status) => {
    expect(end(output, reads).finish?.status).toBe(status);
  });

  it('a run that knows the older rule keeps it', () => {
    const statusOf = (output: Json, reads: string): string | undefined => {
      const run = sim(`  - ${read('read')}\n  - ${step('end', `, inputs: {n: "${reads}"}`)}`);
      run.newer = (change) => change !== 'gaps-by-field';
      run.ok('read', { read: output });
      run.ok('end');
      return run.finish?.status;
    };
    expect(statusOf(unread, '{read.warnings}')).toBe('complete');
    expect(statusOf(old, '{read.age_seconds}')).toBe('partial');
  });
});
