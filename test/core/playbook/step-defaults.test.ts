import { expect, it } from '@jest/globals';
import { firstStep } from './support';

const common = (name: string) => ({
  name,
  key: name,
  on_error: 'skip',
  retry_count: 0,
  timeout_seconds: 300,
  optional: false,
});
const ask = {
  ...common('b'),
  kind: 'approval',
  prompt: 'Go on after "b"?',
  preview_limit: 10,
  on_reject: 'stop',
  on_timeout: 'skip',
};
const ASK = '{name: b, step_type: approval}';

it.each<[string, object]>([
  ['step_type: tool, action: query_journal', { kind: 'tool', action: 'query_journal', inputs: {}, params: {} }],
  [
    'step_type: llm_task, action: llm_analyze',
    {
      kind: 'llm_task',
      timeout_seconds: 600,
      action: 'llm_analyze',
      inputs: {},
      params: {},
      output_schema: { type: 'object', fields: [] },
    },
  ],
  ['step_type: approval', { ...ask, name: 'a', key: 'a', prompt: 'Go on after "a"?' }],
  [`action: parallel, parallel_steps: [${ASK}]`, { kind: 'parallel', steps: [ask] }],
  [
    `for_each: {items: "{x}", steps: [${ASK}]}`,
    { kind: 'for_each', items: '{x}', as: 'item', max_parallel: 10, steps: [ask] },
  ],
  [
    `loop: {until: "1 > 2", max_iterations: 2, steps: [${ASK}]}`,
    { kind: 'loop', until: '1 > 2', max_iterations: 2, steps: [ask] },
  ],
  [`route: {on: x, routes: {l: [${ASK}]}}`, { kind: 'route', on: 'x', routes: [{ label: 'l', steps: [ask] }] }],
  ['action: run_playbook, playbook: other', { kind: 'run_playbook', playbook: 'other', inputs: {} }],
])('has the defaults, and nothing that is not written: {%s}', (written, own) => {
  expect(firstStep(`  - {name: a, ${written}}`)).toStrictEqual({ ...common('a'), ...own });
});

it('the model of a route has the name that it is given', () => {
  const named = (name: string): unknown =>
    firstStep(`  - {name: a, route: {on: {${name}action: llm_analyze}, routes: {l: [${ASK}]}}}`);
  expect(named('name: chooser, ')).toMatchObject({ on: { name: 'chooser', key: 'chooser' } });
  expect(named('')).toMatchObject({ on: { name: 'a_router' } });
});

it('a label without steps leads nowhere', () => {
  const step = firstStep(`  - {name: a, route: {on: x, routes: {l: , m: [${ASK}]}}}`);
  expect(step).toMatchObject({
    routes: [
      { label: 'l', steps: [] },
      { label: 'm', steps: [ask] },
    ],
  });
});
