import { describe, expect, it } from '@jest/globals';
import {
  playbookEntry,
  type ModelFacts,
  type ModelStep,
  type PlaybookEntry,
} from '../../../../core/validate/catalogue';
import { validatePlaybook } from '../../../../core/validate/validate-playbook';
import { CATALOGUE, COMPANY, expectProblems, playbook, PULL, SAVE, validate } from '../harness';

const ask = (name: string, more = ''): string => `{name: ${name}, step_type: approval${more}}`;
const codesOf = (text: string): string[] => validate(text).map((problem) => problem.code);

describe('warnings', () => {
  it('steps that call a model where none is configured, once', () => {
    const schema = 'output_schema: {type: scalar, fields: [{name: v, type: string}]}';
    const step = (name: string, more = ''): string =>
      `  - {name: ${name}, step_type: llm_task, action: llm_analyze, inputs: {data: {a: 1}}, params: {instructions: x${more}}, ${schema}}\n`;
    const found = (text: string, models?: ModelFacts) =>
      validatePlaybook(text, models === undefined ? CATALOGUE : { ...CATALOGUE, models }).problems.filter(
        ({ code }) => code === 'model_not_configured',
      );
    const none = { fault: 'No model is configured.', providers: [] };
    const text = playbook(step('one') + step('two', ', model: openai/m'));
    expect(found(text, none)).toEqual([
      expect.objectContaining({
        severity: 'warning',
        step: 'one',
        message: '`one` and 1 more will fail: No model is configured.',
      }),
    ]);
    expect(found(text, { ...none, providers: ['openai'] })[0]?.message).toBe(
      '`one` will fail: No model is configured.',
    );
    expect(found(playbook(step('two', ', model: openai/m')), { ...none, providers: ['openai'] })).toEqual([]);
    expect(found(text, { providers: ['openai'] })).toEqual([]);
    expect(found(text)).toEqual([]);
    expect(found(playbook('  - {name: a, step_type: tool, action: query_journal}'), none)).toEqual([]);
    const routed = `  - {name: r, route: {on: {action: llm_analyze, inputs: {data: 1}, params: {instructions: x}}, routes: {a: [{name: q, step_type: approval}]}}}`;
    expect(found(playbook(routed), none)[0]?.message).toBe('`r_router` will fail: No model is configured.');
  });

  it('teams of a gate that the author is not in, with the near one', () => {
    const teams = [
      { id: '11111111-2222-4333-8444-55555555555a', name: 'Finance' },
      { id: '66666666-2222-4333-8444-55555555555b', name: 'Lab' },
    ];
    const gate = ask(
      'a',
      ', approvers: {teams: [Lab, Finanse, 11111111-2222-4333-8444-55555555555A]}, escalate_after_minutes: 5, escalate_to: {teams: [Board]}',
    );
    const text = playbook(`  - ${gate}`);
    const found = (known?: typeof teams) =>
      validatePlaybook(text, known === undefined ? CATALOGUE : { ...CATALOGUE, teams: known })
        .problems.filter(({ code }) => code === 'unknown_team')
        .map(({ severity, step, field, suggestion }) => [severity, step, field, suggestion]);
    expect(found(teams)).toEqual([
      ['warning', 'a', 'approvers.teams[1]', 'Did you mean `Finance`?'],
      ['warning', 'a', 'escalate_to.teams[0]', 'Your teams: Finance, Lab.'],
    ]);
    expect(found([]).map(([, , , suggestion]) => suggestion)).toEqual(Array(4).fill('You are in no team.'));
    expect(found()).toEqual([]);
  });

  it('people of a gate whom there are not, with the near one', () => {
    const gate = ask(
      'a',
      ', approvers: {users: [ann, rosalnd]}, escalate_after_minutes: 5, escalate_to: {users: [ghost]}',
    );
    const known = { ...CATALOGUE, unknownUsers: ['rosalnd', 'ghost'], colleagues: ['ann', 'rosalind'] };
    const found = (catalogue: typeof known | typeof CATALOGUE) =>
      validatePlaybook(playbook(`  - ${gate}`), catalogue)
        .problems.filter(({ code }) => code === 'unknown_user')
        .map(({ severity, step, field, suggestion }) => [severity, step, field, suggestion]);
    expect(found(known)).toEqual([
      ['warning', 'a', 'approvers.users[1]', 'Did you mean `rosalind`?'],
      ['warning', 'a', 'escalate_to.users[0]', 'Name people by the handle that they sign in with.'],
    ]);
    expect(found(CATALOGUE)).toEqual([]);
  });

  it('model steps of the playbooks that this one runs, at any depth, where no model is configured', () => {
    const entry = (calls: string[], model_steps: ModelStep[]): PlaybookEntry => ({ inputs: [], calls, model_steps });
    const entries: { [slug: string]: PlaybookEntry } = {
      outer: entry(['inner', 'outer'], []),
      inner: entry([], [{ name: 'read', provider: 'openai' }, { name: 'route_router' }]),
    };
    const found = (models: ModelFacts) => {
      const catalogue = { ...CATALOGUE, models, playbook: (slug: string) => entries[slug] };
      const twice = ['one', 'two'].map((name) => `  - {name: ${name}, action: run_playbook, playbook: outer}\n`);
      return validatePlaybook(playbook(twice.join('')), catalogue).problems.filter(
        ({ code }) => code === 'model_not_configured',
      );
    };
    expect(found({ fault: 'None.', providers: [] })).toEqual([
      expect.objectContaining({ step: 'one', message: '`read` of `inner` and 1 more will fail: None.' }),
    ]);
    expect(found({ fault: 'None.', providers: ['openai'] })[0]?.message).toBe(
      '`route_router` of `inner` will fail: None.',
    );
    expect(found({ providers: [] })).toEqual([]);
  });

  it('every kind of model step shows to those that run its playbook', () => {
    const schema = 'output_schema: {type: scalar, fields: [{name: v, type: string}]}';
    const step = (name: string, action: string, more = ''): string =>
      `  - {name: ${name}, step_type: llm_task, action: ${action}, inputs: {data: {a: 1}}, params: {instructions: x${more}}, ${schema}}\n`;
    const routed = `  - {name: r, route: {on: {action: llm_analyze, inputs: {data: 1}, params: {instructions: x}}, routes: {a: [{name: q, step_type: approval}]}}}`;
    const steps = [step('ask', 'llm_analyze'), step('write', 'synthesize_report'), step('dig', 'research_with_tools')];
    const { plan } = validatePlaybook(playbook(steps.join('') + routed), CATALOGUE);
    expect(plan && playbookEntry(plan).model_steps).toEqual(
      ['ask', 'write', 'dig', 'r_router'].map((name) => ({ name })),
    );
  });

  it('a summary or title that is a list or a record (s4-summary-list.yaml)', () => {
    const output = (field: string, text: string): string =>
      `${playbook(PULL, COMPANY)}\noutput:\n  ${field}: '${text}'\n  sections: [{title: R, source: pull.results}]`;
    expect(validate(output('summary', '{pull.results}'))).toEqual([
      expect.objectContaining({
        severity: 'warning',
        code: 'loose_type_coercion',
        field: 'output.summary',
        message: '`summary` expects text; {pull.results} is a list of record and is written out as one.',
      }),
    ]);
    expect(codesOf(output('title', '{pull}'))).toEqual(['loose_type_coercion']);
    expect(codesOf(output('title', '{pull.count}'))).toEqual([]);
    expect(codesOf(output('summary', '{pull.count} rows: {pull.results}'))).toEqual([]);
  });

  it('an effect behind a gate that can be passed without a yes', () => {
    const gate = (more: string): string => `  - ${ask('gate', more)}\n`;
    const save = (more = ''): string => `  - {name: save, ${SAVE}, inputs: {data: []}${more}}`;
    const warned = (steps: string): boolean => codesOf(playbook(steps)).includes('effect_after_skippable_gate');
    expect(warned(gate('') + save())).toBe(false);
    expect(warned(gate(', timeout_minutes: 5') + save())).toBe(false);
    expect(warned(gate(', on_timeout: skip') + save())).toBe(false);
    expect(warned(gate(', timeout_minutes: 5, on_timeout: skip') + save())).toBe(true);
    expect(warned(gate(', on_reject: skip') + save())).toBe(true);
    expect(warned(gate(', on_reject: skip') + save(`, condition: "{gate.decision} == 'approved'"`))).toBe(false);
    expect(warned(gate(', on_reject: skip') + save(`, condition: "{gate.result.decision} == 'approved'"`))).toBe(false);
    expect(warned(gate(', on_reject: skip') + save(`, condition: "{gate.instructions} is defined"`))).toBe(true);
    expect(
      warned(
        `${gate(', on_reject: skip')}  - {name: p, condition: "{gate.decision} == 'approved'", action: parallel, parallel_steps: [{name: save, ${SAVE}, inputs: {data: []}}]}`,
      ),
    ).toBe(false);
    expect(
      warned(
        `${gate(', on_reject: skip')}  - {name: r, route: {on: "{gate.decision}", routes: {approved: [{name: save, ${SAVE}, inputs: {data: []}}]}}}`,
      ),
    ).toBe(false);
    expect(warned(`${gate(', on_reject: skip')}  - ${ask('strict')}\n${save()}`)).toBe(false);
    expect(
      warned(`${gate(', on_reject: skip')}  - ${ask('strict', ', condition: "{gate.decision} == 1"')}\n${save()}`),
    ).toBe(true);
    expect(
      warned(
        `  - {name: l, loop: {until: "true", max_iterations: 2, steps: [{name: save, ${SAVE}, inputs: {data: []}}, ${ask('gate', ', on_reject: skip')}]}}`,
      ),
    ).toBe(true);
    expectProblems(playbook(gate(', timeout_minutes: 5, on_timeout: skip, on_reject: skip') + save()), [
      {
        code: 'effect_after_skippable_gate',
        at: '{name: save',
        step: 'save',
        severity: 'warning',
        message: '`save` has an effect and runs even when the gate `gate` was rejected or not answered.',
        suggestion: `Write condition: "{gate.decision} == 'approved'".`,
      },
    ]);
  });

  it('results that leave behind a gate that nobody answered', () => {
    const told = (gate: string, destinations: string, more = ''): string[] =>
      validate(`${playbook(`  - ${ask('gate', gate)}\n${more}`)}\noutput: {destinations: [${destinations}]}`)
        .filter(({ code }) => code === 'effect_after_skippable_gate')
        .map(({ field, message }) => `${field ?? ''}: ${message}`);
    const silent = ', timeout_minutes: 5, on_timeout: skip';
    const file = '{type: file_export, config: {filename: a.md}}';
    const asked = `{type: file_export, config: {filename: a.md}, condition: "{gate.decision} == 'approved'"}`;
    const warned = (at: number): string =>
      `output.destinations[${at}]: The results go to \`file_export\` even when the gate \`gate\` was not answered.`;
    expect(told(silent, file)).toEqual([warned(0)]);
    expect(told(silent, `{type: chat}, ${asked}, ${file}`)).toEqual([warned(2)]);
    expect(told(silent, '{type: chat}')).toEqual([]);
    expect(told(silent, asked)).toEqual([]);
    expect(told(', timeout_minutes: 5, on_timeout: stop', file)).toEqual([]);
    expect(told(', timeout_minutes: 5', file)).toEqual([]);
    expect(told(silent, file, `  - ${ask('strict')}\n`)).toEqual([]);
  });

  it('asks what an endpoint does', () => {
    const call = (endpoint: string): string =>
      `  - ${ask('gate', ', on_reject: skip')}\n  - {name: c, step_type: tool, action: call_connector, connector: irs, endpoint: ${endpoint}}`;
    expect(codesOf(playbook(call('submit')))).toEqual(['effect_after_skippable_gate']);
    expect(codesOf(playbook(call('filings')))).toEqual(['missing_required']);
  });

  it('parts of the language that do nothing yet', () => {
    const text = `${playbook(
      `  - {name: save, ${SAVE}, inputs: {data: []}, undo: {action: query_journal}}`,
      'triggers: [{pattern: x}]\nmonitor_config: {interval: 5m}\ninputs: [{name: q, extract_from: query}]',
    )}\noutput: {auto_enrich_graph: true, summary_prompt: x, template: x, destinations: [{type: knowledge_graph}]}`;
    expectProblems(text, [
      {
        code: 'not_yet_active',
        at: 'triggers',
        severity: 'warning',
        message: '`triggers` is checked and kept but does nothing yet.',
      },
      { code: 'not_yet_active', at: 'monitor_config' },
      { code: 'not_yet_active', at: 'extract_from' },
      { code: 'not_yet_active', at: 'undo', step: 'save' },
      { code: 'not_yet_active', at: 'auto_enrich_graph' },
      { code: 'not_yet_active', at: 'summary_prompt' },
      { code: 'not_yet_active', at: 'template' },
      { code: 'not_yet_active', at: 'knowledge_graph', field: 'output.destinations[0].type' },
    ]);
  });

  it('results that nothing uses', () => {
    const read = (name: string, more = ''): string =>
      `  - {name: ${name}, step_type: tool, action: query_journal${more}}\n`;
    expectProblems(playbook(read('a', ', output_key: k') + read('b')), [
      { code: 'unused_output', at: 'k}', severity: 'warning', message: 'Nothing uses the result of `a`.' },
    ]);
    expect(validate(playbook(`${read('a')}  - ${ask('g', ', preview_from: a.entries')}`))).toEqual([]);
    const output = '\noutput: {sections: [{title: T, source: a}]}';
    expectProblems(playbook(read('a') + read('b')) + output, [{ code: 'unused_output', at: 'b, step_type' }]);
  });

  it('long chains', () => {
    const chain = (length: number): string =>
      Array.from(
        { length },
        (_, index) => `  - ${ask(`s${index}`, index === 0 ? '' : `, prompt: "{s${index - 1}.decision}"`)}`,
      ).join('\n');
    expect(validate(playbook(chain(15)))).toEqual([]);
    expectProblems(playbook(chain(16)), [
      {
        code: 'long_chain',
        at: 's15',
        severity: 'warning',
        message: '`s15` is the end of a chain of 16 steps that each need the one before.',
      },
    ]);
  });
});

describe('pull', () => {
  it('the step of the harness is valid', () => expect(validate(playbook(PULL, COMPANY))).toEqual([]));
});
