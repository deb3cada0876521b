import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { renderValue } from '../../../core/expr/template';
import { escapeBraces } from '../../../core/playbook/escape-braces';
import { parsePlaybook } from '../../../core/playbook/parse-playbook';
import type { StepPlan } from '../../../core/playbook/types';
import { allSteps } from '../../../core/playbook/walk';
import { planOf, withSteps } from './support';

const SAVE = 'step_type: tool, action: save_to_workspace, inputs: {data: []}, params: {table_name: t}';
const READ = 'step_type: tool, action: query_journal';
const CALL = 'step_type: tool, action: call_connector, connector: irs, endpoint: filings';
const GATE = 'name: gate, step_type: approval';

function timeoutOf(steps: string, effect?: 'none' | 'unsafe'): string {
  const lookup = effect === undefined ? {} : { endpointEffect: () => effect };
  const { plan } = parsePlaybook(withSteps(steps), lookup);
  const gate = allSteps(plan?.steps ?? []).find((step: StepPlan) => step.name === 'gate');
  return gate?.kind === 'approval' ? gate.on_timeout : 'no gate';
}

describe('on_timeout where the author wrote none', () => {
  it.each([
    ['nothing behind it', `  - {${GATE}}`, 'skip'],
    ['only reading behind it', `  - {${GATE}}\n  - {name: r, ${READ}}`, 'skip'],
    ['an effect behind it', `  - {${GATE}}\n  - {name: s, ${SAVE}}`, 'stop'],
    [
      'an effect before it, and reading behind',
      `  - {name: s, ${SAVE}}\n  - {${GATE}}\n  - {name: r, ${READ}}`,
      'skip',
    ],
    ['an effect before it', `  - {name: s, ${SAVE}}\n  - {${GATE}}`, 'skip'],
    [
      'an effect inside a later structure',
      `  - {${GATE}}\n  - {name: p, action: parallel, parallel_steps: [{name: s, ${SAVE}}]}`,
      'stop',
    ],
    [
      'an effect beside it in a parallel',
      `  - {name: p, action: parallel, parallel_steps: [{${GATE}}, {name: s, ${SAVE}}]}`,
      'skip',
    ],
    [
      'an effect behind the parallel around it',
      `  - {name: p, action: parallel, parallel_steps: [{${GATE}}]}\n  - {name: s, ${SAVE}}`,
      'stop',
    ],
    [
      'an effect that comes again in a loop',
      `  - {name: l, loop: {until: "true", max_iterations: 2, steps: [{name: s, ${SAVE}}, {${GATE}}]}}`,
      'stop',
    ],
    [
      'an effect before it in a for_each',
      `  - {name: l, for_each: {items: [], steps: [{name: s, ${SAVE}}, {${GATE}}]}}`,
      'skip',
    ],
    [
      'an effect in another branch',
      `  - {name: r, route: {on: x, routes: {a: [{${GATE}}], b: [{name: s, ${SAVE}}]}}}`,
      'skip',
    ],
    [
      'a DAG step that depends on it',
      `  - {${GATE}, depends_on: []}\n  - {name: m, ${READ}, depends_on: [gate]}\n  - {name: s, ${SAVE}, depends_on: [m]}`,
      'stop',
    ],
    ['a DAG step that does not', `  - {${GATE}, depends_on: []}\n  - {name: s, ${SAVE}}`, 'skip'],
    ['a sub-playbook', `  - {${GATE}}\n  - {name: s, action: run_playbook, playbook: other}`, 'stop'],
    ['a model without tools', `  - {${GATE}}\n  - {name: s, step_type: llm_task, action: llm_analyze}`, 'skip'],
    [
      'a model with harmless tools',
      `  - {${GATE}}\n  - {name: s, step_type: llm_task, action: research_with_tools, params: {tools: [query_journal]}}`,
      'skip',
    ],
    [
      'a model with a tool that writes',
      `  - {${GATE}}\n  - {name: s, step_type: llm_task, action: research_with_tools, params: {tools: [save_to_workspace]}}`,
      'stop',
    ],
    [
      'a route whose model has a tool that writes',
      `  - {${GATE}}\n  - {name: r, route: {on: {action: research_with_tools, params: {tools: [save_to_workspace]}}, routes: {a: [{name: n, ${READ}}]}}}`,
      'stop',
    ],
    [
      'an effect beside it in a parallel that comes again in a loop',
      `  - {name: l, loop: {until: "true", max_iterations: 2, steps: [{name: p, action: parallel, parallel_steps: [{name: s, ${SAVE}}, {${GATE}}]}]}}`,
      'stop',
    ],
    ['a destination of the output', `  - {${GATE}}\noutput: {destinations: [{type: file_export}]}`, 'stop'],
    ['an output that is only shown', `  - {${GATE}}\noutput: {destinations: [{type: chat}]}`, 'skip'],
    ['an endpoint that nothing is known of', `  - {${GATE}}\n  - {name: s, ${CALL}}`, 'stop'],
    ['an action that does not exist', `  - {${GATE}}\n  - {name: s, step_type: tool, action: nothing}`, 'stop'],
  ])('%s', (_name, steps, expected) => expect(timeoutOf(steps)).toBe(expected));

  it('asks what the endpoint does', () => {
    const steps = `  - {${GATE}}\n  - {name: s, ${CALL}}`;
    expect(timeoutOf(steps, 'none')).toBe('skip');
    expect(timeoutOf(steps, 'unsafe')).toBe('stop');
  });

  it('keeps what the author wrote', () => {
    expect(timeoutOf(`  - {${GATE}, on_timeout: skip}\n  - {name: s, ${SAVE}}`)).toBe('skip');
    expect(timeoutOf(`  - {${GATE}, on_timeout: stop}`)).toBe('stop');
  });
});

describe('row expressions', () => {
  it('survive the rendering of params, while other params are filled in', () => {
    const plan = planOf(
      withSteps(`
  - name: flag
    step_type: tool
    action: transform_data
    inputs: {data: []}
    operations:
      - {type: filter, expression: "{pay} > {limit} * 2"}
      - {type: filter, field: name, value: "{company}"}
      - {type: compute, fields: [{as: share, expression: "{pay} / {total}"}]}
`),
    );
    const [step] = plan.steps;
    const params = step?.kind === 'tool' ? step.params : {};
    expect(renderValue(params, (ref) => `<${ref.text}>`)).toEqual({
      operations: [
        { type: 'filter', expression: '{pay} > {limit} * 2' },
        { type: 'filter', field: 'name', value: '<company>' },
        { type: 'compute', fields: [{ as: 'share', expression: '{pay} / {total}' }] },
      ],
    });
  });

  it('of another action are params like others', () => {
    const [step] = planOf(
      withSteps('  - {name: a, step_type: tool, action: nothing, params: {operations: [{expression: "{pay}"}]}}'),
    ).steps;
    expect(step).toMatchObject({ params: { operations: [{ expression: '{pay}' }] } });
  });

  it('escaping and rendering give the text back, whatever it is', () => {
    const text = fc
      .array(fc.constantFrom('{', '}', '{{', '}}', 'a', '.b', ' ', '[0]', '"', '30_days_ago', '\\'), { maxLength: 20 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (written) => expect(renderValue(escapeBraces(written), () => 'RENDERED')).toBe(written)),
      { numRuns: 1_000 },
    );
  });
});
