import { expect, it } from '@jest/globals';
import type { ReportFacts } from '../../../core/engine/commands';
import { Simulator } from './simulator';

const TRAITS = {
  call_connector: { short: false, pure: false, available: true, model: false },
  quick: { short: true, pure: false, available: true, model: false },
  slow: { short: false, pure: false, available: true, model: false },
  transform_data: { short: true, pure: true, available: true, model: false },
  route_output: { short: true, pure: false, available: true, model: false },
};
const READ = '  - {name: read, step_type: tool, action: call_connector, connector: irs, endpoint: parse}';
const PUT = (from: string): string =>
  `  - {name: put, step_type: tool, action: route_output, inputs: {data: "{${from}}"}}`;
const PURE = (name: string, from: string): string =>
  `  - {name: ${name}, step_type: tool, action: transform_data, inputs: {data: "{${from}}"}, operations: []}`;
const unread = { results: [], files: [{}], errors: [{}] };
const UNREAD = 'read: 1 of 2 files not read';

function factsOf(steps: string[], act: (run: Simulator) => void): ReportFacts | undefined {
  const run = new Simulator(`id: g\nname: G\nsteps:\n${steps.join('\n')}\n`, { traits: TRAITS });
  act(run);
  return run.run('put').units.find(({ path }) => path === 'put')?.facts;
}

it('a report in the middle says how the run stands, who decided, what is missing and what its data rest on', () => {
  const ask = '  - {name: ask, step_type: approval, prompt: "Go?"}';
  const bad = '  - {name: bad, step_type: tool, action: slow, on_error: skip}';
  const facts = factsOf([READ, PURE('big', 'read.results'), bad, ask, PUT('big.data')], (run) => {
    run.ok('read', { read: unread });
    run.fail('bad');
    run.decide('ask', 'approved', { at: '2026-01-01T00:00:00.000Z' });
  });
  expect(facts).toEqual({
    status: 'running, at step put',
    decisions: [{ step: 'ask', decision: 'approved', by: 'ann', at: '2026-01-01T00:00:00.000Z', instructions: null }],
    missing: [UNREAD, 'bad failed: broken (It broke.)'],
    lacks: [UNREAD],
    rests: [],
  });
});

it('in a segment it names the units before it on which its data rest, and what those rest on', () => {
  const facts = factsOf(
    [
      READ,
      '  - {name: note, step_type: tool, action: quick}',
      PURE('a', 'read.results'),
      PURE('aside', 'read.results'),
      PURE('b', 'a.data'),
      PUT('b.data'),
    ],
    (run) => run.ok('read', { read: unread }),
  );
  expect(facts).toMatchObject({ missing: [UNREAD], lacks: [UNREAD], rests: ['b', 'a'] });
});

it('in a turn of a loop what the step before it lacked in the last turn is none of its own', () => {
  const yaml = `id: g
name: G
steps:
  - name: poll
    loop:
      until: "{put.done} == true"
      max_iterations: 2
      steps:
        - {name: note, step_type: tool, action: quick}
        - {name: a, step_type: tool, action: transform_data, inputs: {data: "{note.rows}"}, operations: [{type: filter, field: n, operator: gt, value: 1}]}
        - {name: put, step_type: tool, action: route_output, inputs: {data: "{a.data}"}}
`;
  const run = new Simulator(yaml, { traits: TRAITS });
  const lossy = { data: [], count: 0, warnings: [{ code: 'not_comparable', message: 'lost' }] };
  run.ok('poll[0]/put', { 'poll[0]/a': lossy });
  const unit = run.run('poll[1]/put').units.find(({ path }) => path === 'poll[1]/put');
  expect(unit?.facts).toMatchObject({ missing: ['poll[0]/a: lost'], lacks: [], rests: ['poll[1]/a', 'poll[1]/note'] });
});

it('other steps carry none', () => {
  const run = new Simulator(`id: g\nname: G\nsteps:\n${READ}\n`, { traits: TRAITS });
  expect(run.run('read').units[0]).not.toHaveProperty('facts');
});
