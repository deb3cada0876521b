import { describe, expect, it } from '@jest/globals';
import { parsePlaybook } from '../../../core/playbook/parse-playbook';
import type { Plan } from '../../../core/playbook/types';
import { problems, planOf } from './support';

/** `code field` of each problem. */
const faults = (text: string): string[] => problems(text).map(({ code, field }) => `${code} ${field ?? ''}`.trim());
const gate = (fields: string): string =>
  `id: p\nsteps: [{name: g, step_type: approval${fields === '' ? '' : `, ${fields}`}}]`;
const output = (fields: string): string => `id: p\nsteps: [{name: g, step_type: approval}]\noutput: {${fields}}`;
const step = (fields: string): string => `id: p\nsteps: [{name: s, ${fields}}]`;
const WHO = 'approvers: {users: [ann, bob]}';

describe('a gate', () => {
  it.each<[string, string[]]>([
    ['', []],
    [WHO, []],
    [`${WHO}, quorum: 2`, []],
    [`${WHO}, quorum: 3`, ['invalid_value quorum']],
    ['approvers: {users: [ann], teams: [A]}, quorum: 3', []],
    ['approvers: {users: [ann], scopes: ["a:b"]}, quorum: 3', []],
    [`${WHO}, quorum: 3, escalate_after_minutes: 5, escalate_to: {users: [eve]}`, []],
    [`${WHO}, quorum: 0`, ['invalid_value quorum']],
    [`${WHO}, quorum: 1.5`, ['invalid_value quorum']],
    ['approvers: {teams: [A]}, quorum: 100', []],
    ['approvers: {teams: [A]}, quorum: 101', ['invalid_value quorum']],
    ['quorum: 1', []],
    ['quorum: 2', ['missing_field quorum']],
    ['four_eyes: true', ['missing_field four_eyes']],
    ['four_eyes: false', []],
    [`${WHO}, four_eyes: true`, []],
    ['approvers: {}', ['invalid_value approvers']],
    ['approvers: {users: []}', ['invalid_value approvers']],
    ['approvers: {people: [ann]}', ['invalid_value approvers', 'unknown_field approvers.people']],
    ['approvers: {users: [""]}', ['invalid_value approvers.users[0]']],
    ['approvers: {users: [ann, "a\\u0007b"]}', ['invalid_value approvers.users[1]']],
    [`approvers: {users: [${'n'.repeat(200)}]}`, []],
    [`approvers: {users: [${'n'.repeat(201)}]}`, ['invalid_value approvers.users[0]']],
    ['approvers: {scopes: ["finance:approver"]}', []],
    ['approvers: {scopes: [finance]}', ['invalid_value approvers.scopes[0]']],
    ['approvers: {scopes: ["Finance:approver"]}', ['invalid_value approvers.scopes[0]']],
    ['approvers: {scopes: ["x finance:approver"]}', ['invalid_value approvers.scopes[0]']],
    ['approvers: {scopes: ["finance:approver x"]}', ['invalid_value approvers.scopes[0]']],
    ['timeout_minutes: 10, remind_after_minutes: 5', []],
    ['timeout_minutes: 10, remind_after_minutes: 10', ['invalid_value remind_after_minutes']],
    ['remind_after_minutes: 0', ['invalid_value remind_after_minutes']],
    ['remind_after_minutes: 0.001', []],
    ['remind_after_minutes: -5', ['invalid_value remind_after_minutes']],
    ['remind_after_minutes: 525600', ['invalid_value remind_after_minutes']],
    ['escalate_after_minutes: 5', ['missing_field escalate_to']],
    ['escalate_to: {users: [eve]}', ['missing_field escalate_after_minutes']],
    ['timeout_minutes: 0', ['invalid_value timeout_minutes']],
    ['timeout_minutes: 525600', []],
    ['timeout_minutes: 525601', ['invalid_value timeout_minutes']],
    ['preview_limit: 0', ['invalid_value preview_limit']],
    ['preview_limit: 1000', []],
    ['preview_limit: 1001', ['invalid_value preview_limit']],
    ['on_reject: maybe', ['invalid_value on_reject']],
    ['prompt: 5', ['invalid_type prompt']],
    ['link_only: yes', ['invalid_type link_only']],
  ])('%s', (fields, expected) => {
    expect(faults(gate(fields))).toEqual(expected);
  });

  it('says of a scope what a scope is, and of a person what a name is', () => {
    const message = (fields: string): string => problems(gate(fields))[0]?.message ?? '';
    expect(message('approvers: {scopes: [x]}')).toMatch(/scope such as/);
    expect(message('approvers: {users: [""]}')).toMatch(/name or an id/);
  });

  it('is told the least that a number may be, and the most where there is one', () => {
    const message = (fields: string): string => problems(gate(fields))[0]?.message ?? '';
    expect(message('remind_after_minutes: 0')).toMatch(/at least 0\.001/);
    expect(message('preview_limit: 0')).toMatch(/1.*1000/);
  });

  it('names each approver once', () => {
    const [found] = planOf(gate('approvers: {users: [ann, bob, ann]}')).steps;
    expect(found).toMatchObject({ rules: { approvers: { users: ['ann', 'bob'] } } });
  });
});

describe('the output', () => {
  it.each<[string, string[]]>([
    ['', []],
    ['format: json', []],
    ['format: pdf', ['invalid_value output.format']],
    ['save_to: both', []],
    ['save_to: disk', ['invalid_value output.save_to']],
    ['summry: x', ['unknown_field output.summry']],
    ['sections: [{title: T, source: g}]', []],
    ['sections: [{title: T, source: "{g}"}]', []],
    ['sections: [{title: T}]', ['missing_field output.sections[0].source']],
    ['sections: [{source: g}]', ['missing_field output.sections[0].title']],
    ['sections: [{title: T, source: g, format: pie}]', ['invalid_value output.sections[0].format']],
    ['sections: [{title: T, source: g, colour: red}]', ['unknown_field output.sections[0].colour']],
    ['sections: [g]', ['invalid_type output.sections[0]']],
    ['sections: g', ['invalid_type output.sections']],
    ['destinations: [{type: document}]', []],
    ['destinations: [{format: csv}]', ['missing_field output.destinations[0].type']],
    ['destinations: [{type: fax}]', ['invalid_value output.destinations[0].type']],
    ['destinations: [{type: document, format: pdf}]', ['invalid_value output.destinations[0].format']],
    ['destinations: [{type: document, config: x}]', ['invalid_type output.destinations[0].config']],
    ['destinations: [{type: document, where: x}]', ['unknown_field output.destinations[0].where']],
    ['auto_enrich_graph: yes', ['invalid_type output.auto_enrich_graph']],
  ])('%s', (fields, expected) => {
    expect(faults(output(fields))).toEqual(expected);
  });

  it.each<[string, object[]]>([
    ['none', []],
    ['document', [{ type: 'document', format: 'csv', config: {} }]],
    ['workspace', [{ type: 'data_workspace_table', format: 'structured', config: {} }]],
    [
      'both',
      [
        { type: 'document', format: 'csv', config: {} },
        { type: 'data_workspace_table', format: 'structured', config: {} },
      ],
    ],
  ])('that is saved to %s stands before what is written', (saveTo, implied) => {
    const { output: read } = planOf(
      output(
        `format: csv, save_to: ${saveTo}, destinations: [{type: chat, condition: "1 > 0", format: json}, {type: chat}]`,
      ),
    );
    expect(read?.destinations).toStrictEqual([
      ...implied,
      { type: 'chat', format: 'json', condition: '1 > 0', config: {} },
      { type: 'chat', format: 'csv', config: {} },
    ]);
  });

  it('has nothing that nobody wrote', () => {
    expect(planOf(output('')).output).toStrictEqual({
      format: 'markdown',
      sections: [],
      auto_enrich_graph: false,
      save_to: 'none',
      destinations: [],
    });
    expect(planOf(gate(''))).not.toHaveProperty('output');
  });
});

describe('a schema of a model', () => {
  const schema = (text: string): string =>
    step(
      `step_type: llm_task, action: llm_analyze, inputs: {data: 1}, params: {instructions: x}, output_schema: ${text}`,
    );
  const nested = (levels: number): string =>
    levels === 1 ? '[{name: f}]' : `[{name: f, type: object, fields: ${nested(levels - 1)}}]`;
  it.each<[string, string[]]>([
    ['{fields: [{name: a}]}', []],
    ['{type: record_set, fields: [{name: a, type: "string[]", required: true}]}', []],
    ['{type: table, fields: []}', ['invalid_value output_schema.type']],
    ['{fields: [{name: a}, {name: a}]}', ['duplicate_name output_schema.fields[1].name']],
    ['{fields: [{type: string}]}', ['missing_field output_schema.fields[0].name']],
    ['{fields: [{name: a, type: text}]}', ['invalid_value output_schema.fields[0].type']],
    ['{fields: [{name: a, kind: text}]}', ['unknown_field output_schema.fields[0].kind']],
    ['{field: []}', ['unknown_field output_schema.field']],
    [`{fields: ${nested(10)}}`, []],
  ])('%s', (text, expected) => {
    expect(faults(schema(text))).toEqual(expected);
  });
  it('goes ten levels deep', () => {
    expect(faults(schema(`{fields: ${nested(11)}}`))).toEqual([expect.stringMatching(/^too_deep .*fields$/)]);
  });
  it('is kept as it is written', () => {
    const plan = planOf(
      schema(
        '{type: record_set, fields: [{name: a, type: string, description: An a, required: false}, {name: b, fields: [{name: c}]}]}',
      ),
    );
    expect(plan.steps[0]).toMatchObject({ kind: 'llm_task' });
    expect((plan.steps[0] as unknown as { output_schema: object }).output_schema).toStrictEqual({
      type: 'record_set',
      fields: [
        { name: 'a', type: 'string', description: 'An a', required: false },
        { name: 'b', type: 'any', fields: [{ name: 'c', type: 'any' }] },
      ],
    });
  });
});

describe('a step', () => {
  it.each<[string, string[]]>([
    ['step_type: tool, action: query_journal, retry_count: 100', []],
    ['step_type: tool, action: query_journal, retry_count: 101', ['invalid_value retry_count']],
    ['step_type: tool, action: query_journal, retry_count: -1', ['invalid_value retry_count']],
    ['step_type: tool, action: query_journal, retry_count: 1.5', ['invalid_value retry_count']],
    ['step_type: tool, action: query_journal, timeout_seconds: 0.5', ['invalid_value timeout_seconds']],
    ['step_type: tool, action: query_journal, timeout_seconds: 604800', []],
    ['step_type: tool, action: query_journal, timeout_seconds: 604801', ['invalid_value timeout_seconds']],
    ['step_type: tool, action: query_journal, on_error: ignore', ['invalid_value on_error']],
    ['step_type: tool, action: query_journal, depends_on: a', ['invalid_type depends_on']],
    ['step_type: tool, action: query_journal, depends_on: [5]', ['invalid_type depends_on[0]']],
    ['step_type: tool', ['missing_field action']],
    ['step_type: tool, action: query_journal, prompt: ""', ['field_not_allowed prompt']],
    ['step_type: tool, action: query_journal, preview_limit: 5', ['field_not_allowed preview_limit']],
    ['step_type: tool, action: query_journal, four_eyes: false', ['field_not_allowed four_eyes']],
    ['step_type: tool, action: query_journal, approvers: [ann]', ['field_not_allowed approvers']],
    ['step_type: tool, action: query_journal, prompt: , approvers: {}', []],
    ['step_type: approval, inputs: {}, action: ', []],
    ['action: nothing', ['missing_field step_type']],
    ['action: [query_journal]', ['missing_field step_type', 'field_not_allowed action']],
    ['step_type: robot', ['invalid_value step_type']],
    ['action: query_journal', ['missing_field step_type']],
    ['prompt: Well?', ['missing_field step_type']],
    ['description: x', ['missing_field step_type']],
    ['step_type: tool, action: query_journal, undo: {inputs: {}}', ['missing_field undo.action']],
    ['step_type: tool, action: query_journal, undo: {action: query_journal, why: x}', ['unknown_field undo.why']],
    [
      'action: parallel, step_type: approval, parallel_steps: [{name: a, step_type: approval}]',
      ['conflicting_shape step_type'],
    ],
    ['action: parallel, step_type: tool, parallel_steps: [{name: a, step_type: approval}]', []],
    ['parallel_steps: [{name: a, step_type: approval}]', []],
    ['parallel_steps: []', ['empty_list parallel_steps']],
    ['action: 5, parallel_steps: [{name: a, step_type: approval}]', ['invalid_type action']],
    ['action: {a: 1}, playbook: other', ['invalid_type action']],
    ['action: , playbook: other', []],
    ['action: parallel', ['missing_field parallel_steps']],
    ['action: run_playbook', ['missing_field playbook']],
    ['action: run_playbook, playbook: ""', ['missing_field playbook']],
    ['action: run_playbook, playbook: " "', ['missing_field playbook']],
    ['step_type: tool, action: ""', ['missing_field action']],
    ['loop: {until: "", max_iterations: 1, steps: [{name: a, step_type: approval}]}', ['missing_field loop.until']],
    ['route: {on: "", routes: {a: [{name: q, step_type: approval}]}}', ['missing_field route.on']],
    ['playbook: other', []],
    ['action: run_playbook, params: {playbook: other, colour: red}', ['unknown_field params.colour']],
    ['for_each: {items: [1], as: x, steps: [{name: a, step_type: approval}]}, loop: {}', ['conflicting_shape loop']],
    ['route: {on: x, routes: {}}', ['empty_list route.routes']],
    ['route: {routes: {a: [{name: q, step_type: approval}]}}', ['missing_field route.on']],
    ['route: {on: x, routes: {a: [{name: q, step_type: approval}]}, default: b}', ['invalid_value route.default']],
    ['route: {on: x, routes: {a: [{name: q, step_type: approval}]}, default: a}', []],
    ['step_type: tool, action: fec.search', []],
    ['step_type: llm_task, action: research_with_tools, tools: [query_journal], output_schema: {fields: []}', []],
    ['step_type: tool, action: fec.search, endpoint: x', ['duplicate_key endpoint']],
    ['step_type: tool, action: fec.search, params: {connector: x}', ['duplicate_key params.connector']],
    ['step_type: tool, action: query_journal, limit: 5, params: {limit: 5}', ['duplicate_key limit']],
  ])('%s', (fields, expected) => {
    expect(faults(step(fields))).toEqual(expected);
  });

  it('that names what it depends on twice depends on it once', () => {
    const plan: Plan = planOf(
      `id: p\nsteps: [{name: a, step_type: approval}, {name: b, step_type: approval, depends_on: [a, a]}]`,
    );
    expect(plan.steps[1]?.depends_on).toEqual(['a']);
  });

  it('has the time of its kind', () => {
    const time = (fields: string): number | undefined => planOf(step(fields)).steps[0]?.timeout_seconds;
    expect(time('step_type: tool, action: query_journal')).toBe(300);
    expect(time('step_type: llm_task, action: llm_analyze, output_schema: {fields: [{name: a}]}')).toBe(600);
  });
});

describe('what the text is about', () => {
  it.each<[string, string[]]>([
    ['connection: {}\nid: p', ['missing_field steps', 'unknown_field connection']],
    ['connection: {}\nendpoints: {}', ['not_a_playbook']],
    ['connection: {}\nsteps: [{name: g, step_type: approval}]', ['unknown_field connection', 'missing_field id']],
    ['endpoints: {}\nid: p\nsteps: [{name: g, step_type: approval}]', ['unknown_field endpoints']],
    [
      'connection: {}\nendpoints: {}\nid: p\nsteps: [{name: g, step_type: approval}]',
      ['unknown_field connection', 'unknown_field endpoints'],
    ],
    ['', ['not_a_playbook']],
    ['5', ['not_a_playbook']],
    ['- a', ['not_a_playbook']],
    ['id: Not An Id\nsteps: [{name: g, step_type: approval}]', ['invalid_name id']],
    [`id: ${'a'.repeat(200)}\nsteps: [{name: g, step_type: approval}]`, ['invalid_name id']],
    ['id: p', ['missing_field steps']],
    ['id: p\nsteps: []', ['empty_list steps']],
    ['id: p\nsteps: [x]', ['invalid_type steps[0]']],
    [
      'id: p\nrequired_connectors: [a, 5]\nsteps: [{name: g, step_type: approval}]',
      ['invalid_type required_connectors[1]'],
    ],
  ])('%j', (text, expected) => {
    expect(faults(text).sort()).toEqual([...expected].sort());
  });

  it('and its problems have a field only where there is one', () => {
    const [problem] = parsePlaybook('- a').problems;
    expect(problem).not.toHaveProperty('field');
    expect(problem).not.toHaveProperty('step');
  });

  it('a number that is text after all takes back its own warning alone', () => {
    const text =
      'id: p\nversion: 1.10\ninputs: [{name: a, type: any, default: 0x1F}]\nsteps: [{name: g, step_type: approval}]';
    expect(problems(text).map(({ code, line }) => `${line ?? 0} ${code}`)).toEqual(['3 number_spelling']);
    expect(planOf(text).playbook.version).toBe('1.10');
  });

  it('faults of several lines are told at once', () => {
    const found = problems('id: p\na: [1, 2\nb: "x" y\nc: @d\n');
    expect(found.length).toBeGreaterThan(0);
    for (const { suggestion } of found) expect(suggestion).toEqual(expect.any(String));
  });

  it('an empty name among the connectors counts as none', () => {
    const { plan } = parsePlaybook('id: p\nrequired_connectors: [a, ""]\nsteps: [{name: g, step_type: approval}]');
    expect(plan?.playbook.required_connectors).toEqual(['a']);
  });
});

describe('an end', () => {
  const endOf = (fields: string): unknown => {
    const plan = planOf(`id: p\nsteps: [{name: e, ${fields}}]`);
    const [found] = plan.steps;
    return found?.kind === 'tool' ? [found.action, found.inputs, found.on_error] : found;
  };

  it.each<[string, object]>([
    ['end: {}', { status: 'complete' }],
    ['end: {status: partial, code: few, message: "{e}"}', { status: 'partial', code: 'few', message: '{e}' }],
    ['fail: "no rows"', { status: 'failed', message: 'no rows' }],
  ])('%s is a step that ends the run', (fields, inputs) => {
    expect(endOf(fields)).toEqual(['end_run', inputs, 'stop']);
  });

  it.each<[string, string[]]>([
    ['end: {status: done}', ['invalid_value end.status']],
    ['end: {reason: x}', ['unknown_field end.reason']],
    ['end: complete', ['invalid_type end']],
    ['fail: ""', ['missing_field fail']],
    ['end: {}, retry_count: 2', ['field_not_allowed retry_count']],
    ['end: {}, fail: x', ['conflicting_shape fail']],
    ['end: {}, for_each: {items: [1], steps: [{name: i, fail: x}]}', ['conflicting_shape end']],
    ['end: {}, action: query_journal', ['field_not_allowed action']],
    ['end: {}, on_error: skip', ['field_not_allowed on_error']],
    ['end: {}, step_type: approval', ['conflicting_shape step_type']],
  ])('%s: %j', (fields, expected) => {
    expect(faults(step(fields))).toEqual(expected);
  });
});

describe('tries of a step', () => {
  const tool = 'step_type: tool, action: query_journal';
  it.each<[string, string[]]>([
    [`${tool}, retry_count: 2, retry_delay_seconds: 30, retry_on: [http_404]`, []],
    [`${tool}, on_error: retry, retry_delay_seconds: 30`, []],
    [`${tool}, retry_delay_seconds: 30`, ['field_without_effect retry_delay_seconds']],
    [`${tool}, retry_count: 1, retry_delay_seconds: 0`, ['invalid_value retry_delay_seconds']],
    [`${tool}, retry_count: 1, retry_delay_seconds: 3601`, ['invalid_value retry_delay_seconds']],
    [`${tool}, retry_count: 1, retry_on: []`, ['invalid_value retry_on']],
    [`${tool}, retry_count: 1, retry_on: http_404`, ['invalid_type retry_on']],
  ])('%s: %j', (fields, expected) => {
    expect(faults(step(fields))).toEqual(expected);
  });
});
