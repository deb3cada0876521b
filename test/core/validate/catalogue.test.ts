import { describe, expect, it } from '@jest/globals';
import type { Problem } from '../../../core/errors/problem';
import { compileDraft } from './plans';
import {
  collectConnectorSlugs,
  collectPlaybookSlugs,
  EMPTY_CATALOGUE,
  canPassUnapproved,
  namedUsers,
  namesTeams,
  playbookEntry,
  requiredConnectors,
} from '../../../core/validate/catalogue';
import type { ApprovalStep } from '../../../core/playbook/types';
import { stepResults } from '../../../core/validate/step-results';

describe('what a plan needs of the installation', () => {
  it('the connectors that its steps, models and undos name, each once, in order', () => {
    const plan = compileDraft(`
id: p
required_connectors: [zeta, crm]
steps:
  - {name: a, step_type: tool, action: call_connector, connector: crm, endpoint: get}
  - {name: b, step_type: tool, action: irs.filings}
  - {name: c, step_type: llm_task, action: research_with_tools, params: {tools: [query_journal, wiki.read, crm.get]}, output_schema: {fields: [{name: x}]}}
  - {name: d, step_type: tool, action: query_journal, undo: {action: mail.recall}}
  - {name: e, action: parallel, parallel_steps: [{name: f, step_type: tool, action: call_connector, connector: deep, endpoint: get}]}
  - name: g
    route:
      on: {action: research_with_tools, params: {tools: [routed.read]}, inputs: {}}
      routes: {x: [{name: h, step_type: approval}]}
`);
    expect(collectConnectorSlugs(plan)).toEqual(['crm', 'irs', 'wiki', 'mail', 'deep', 'routed']);
    expect(requiredConnectors(plan)).toEqual(['crm', 'deep', 'irs', 'mail', 'routed', 'wiki', 'zeta']);
  });

  it('the people whom its gates name by a handle, each once', () => {
    const id = '0a1b2c3d-0a1b-0a1b-0a1b-0a1b2c3d4e5f';
    const plan = compileDraft(`
id: p
steps:
  - {name: a, step_type: approval, approvers: {users: [ann, bob]}}
  - {name: b, step_type: approval}
  - {name: c, step_type: approval, approvers: {teams: [legal]}, escalate_after_minutes: 5, escalate_to: {users: [eve, ann, ${id}]}}
  - {name: d, action: parallel, parallel_steps: [{name: e, step_type: approval, approvers: {users: [deep, x${id}, ${id}9]}}]}
`);
    expect(namedUsers(plan)).toEqual(['ann', 'bob', 'eve', 'deep', `x${id}`, `${id}9`]);
    expect(namedUsers(compileDraft('id: p\nsteps: [{name: a, step_type: approval}]'))).toEqual([]);
  });

  it('the playbooks that it runs, each once', () => {
    const plan = compileDraft(`
id: p
steps:
  - {name: a, action: run_playbook, playbook: one}
  - {name: b, action: parallel, parallel_steps: [{name: c, action: run_playbook, playbook: two}, {name: d, action: run_playbook, playbook: one}]}
`);
    expect(collectPlaybookSlugs(plan)).toEqual(['one', 'two']);
    expect(collectConnectorSlugs(plan)).toEqual([]);
  });

  it('teams, where a gate names one, at any depth and for either use', () => {
    const gate = (more: string): boolean =>
      namesTeams(
        compileDraft(
          `id: p\nsteps: [{name: l, action: parallel, parallel_steps: [{name: g, step_type: approval${more}}]}]`,
        ),
      );
    expect(gate('')).toBe(false);
    expect(gate(', approvers: {scopes: ["finance:approver"]}')).toBe(false);
    expect(gate(', approvers: {teams: [A]}')).toBe(true);
    expect(gate(', escalate_after_minutes: 5, escalate_to: {teams: [A]}')).toBe(true);
  });
});

describe('what a playbook is for those that run it', () => {
  it('its inputs, calls, gates that stand open, and steps that call models', () => {
    const plan = compileDraft(`
id: p
execution_mode: hybrid
inputs: [{name: q, type: string}]
steps:
  - {name: strict, step_type: approval}
  - {name: lax, step_type: approval, on_reject: skip}
  - {name: late, step_type: approval, on_timeout: skip, timeout_minutes: 5}
  - {name: m, step_type: llm_task, action: llm_analyze, inputs: {data: 1}, params: {instructions: x, model: openai/gpt}, output_schema: {fields: [{name: x}]}}
  - {name: s, action: run_playbook, playbook: other}
`);
    expect(playbookEntry(plan)).toEqual({
      inputs: plan.inputs,
      calls: ['other'],
      execution_mode: 'hybrid',
      open_gates: ['lax', 'late'],
      model_steps: [{ name: 'm', provider: 'openai' }],
    });
  });

  it.each<[Partial<ApprovalStep>, boolean]>([
    [{}, false],
    [{ on_reject: 'skip' }, true],
    [{ on_timeout: 'skip' }, false],
    [{ on_timeout: 'skip', timeout_minutes: 5 }, true],
    [{ on_timeout: 'stop', timeout_minutes: 5 }, false],
    [{ on_reject: 'skip', on_timeout: 'stop' }, true],
  ])('a gate with %j can be passed without an approval: %s', (how, passed) => {
    expect(canPassUnapproved({ on_reject: 'stop', on_timeout: 'stop', ...how } as ApprovalStep)).toBe(passed);
  });

  it('nothing, where nothing is known', () => {
    const { connector, connectorSlugs, playbook, playbookSlugs } = EMPTY_CATALOGUE;
    expect([connector('a'), connectorSlugs(), playbook('a'), playbookSlugs()]).toEqual([undefined, [], undefined, []]);
  });
});

describe('the answer for each step', () => {
  const plan = compileDraft('id: p\nsteps: [{name: a, step_type: approval}, {name: b, step_type: approval}]');
  const problem = (more: Partial<Problem>): Problem => ({ severity: 'error', code: 'c', message: 'M', ...more });

  it('has its errors and its warnings, and is valid without the first', () => {
    const steps = stepResults(plan.steps, [
      problem({ step: 'b', field: 'x', suggestion: 'S' }),
      problem({ step: 'b', severity: 'warning', code: 'w' }),
      problem({ step: 'a', severity: 'warning', suggestion: 'T' }),
      problem({}),
    ]);
    expect(steps).toStrictEqual([
      {
        step_name: 'a',
        is_valid: true,
        errors: [],
        warnings: [{ field: '', warning_type: 'c', message: 'M', suggested_fix: 'T' }],
      },
      {
        step_name: 'b',
        is_valid: false,
        errors: [{ field: 'x', error_type: 'c', message: 'M', suggested_fix: 'S' }],
        warnings: [{ field: '', warning_type: 'w', message: 'M' }],
      },
    ]);
  });

  it('also of a step that could not be compiled', () => {
    expect(stepResults([], [problem({ step: 'router' })])).toMatchObject([{ step_name: 'router', is_valid: false }]);
  });
});
