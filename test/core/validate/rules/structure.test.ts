import { describe, expect, it } from '@jest/globals';
import { COMPANY, expectOnly, expectProblems, playbook, PULL, SAVE, validate } from '../harness';

const ask = (name: string, more = ''): string => `{name: ${name}, step_type: approval${more}}`;
const codesOf = (text: string): string[] => validate(text).map((problem) => problem.code);

describe('names', () => {
  it.each([
    ['two steps', `  - ${ask('a')}\n  - ${ask('a')}`, 'duplicate_name', 'a, step_type', '`a` is already a step;'],
    [
      'a key like a name',
      `  - ${ask('a')}\n  - ${ask('b', ', output_key: a')}`,
      'duplicate_name',
      'a}',
      '`a` is already a step;',
    ],
    [
      'two keys',
      `  - ${ask('a', ', output_key: k')}\n  - ${ask('b', ', output_key: k')}`,
      'duplicate_name',
      'k}',
      '`k` is already an output_key of `a`;',
    ],
    ['a step like an input', `  - ${ask('company')}`, 'duplicate_name', 'company', '`company` is already an input;'],
    [
      'a loop variable like its step',
      `  - {name: e, for_each: {items: [], as: e, steps: [${ask('x')}]}}`,
      'duplicate_name',
      'e, steps',
      '`e` is already a step;',
    ],
    ['a built-in', `  - ${ask('today')}`, 'reserved_name', 'today', '`today` is a built-in name and cannot be a step.'],
    [
      'secrets',
      `  - ${ask('a', ', output_key: secrets')}`,
      'reserved_name',
      'secrets',
      '`secrets` is a built-in name and cannot be an output_key.',
    ],
  ])('%s', (_name, steps, code, at, message) => {
    const found = validate(playbook(steps, COMPANY));
    expect(found.map((problem) => problem.code)).toEqual([code]);
    expectOnly(playbook(steps, COMPANY), [code], [{ code, at }]);
    expect(found[0]?.message).toContain(message);
  });

  it('a loop variable may not hide anything', () => {
    const text = playbook(
      `  - {name: e, for_each: {items: [1], as: company, steps: [${ask('x', ', prompt: "{company}"')}]}}`,
      COMPANY,
    );
    expectProblems(text, [{ code: 'duplicate_name', at: 'company, steps', field: 'for_each.as' }]);
  });

  it('a step whose output_key is its own name is fine', () => {
    expect(validate(playbook(`  - ${ask('a', ', output_key: a')}`))).toEqual([]);
  });
});

describe('actions', () => {
  it.each([
    [
      '  - {name: a, step_type: tool, action: save_to_workspce}',
      'unknown_action',
      'save_to_workspce',
      'Did you mean `save_to_workspace`?',
    ],
    ['  - {name: a, step_type: tool, action: zzz}', 'unknown_action', 'zzz', 'See GET /actions for what there is.'],
    [
      '  - {name: a, step_type: tool, action: search_web, inputs: {query: x}}',
      'action_not_available',
      'search_web',
      'Remove the step, or write optional: true to have it skipped.',
    ],
    ['  - {name: a, step_type: tool, action: llm_analyze}', 'wrong_step_type', 'tool', 'Write step_type: llm_task.'],
    [
      '  - {name: a, step_type: llm_task, action: query_journal, output_schema: {fields: [{name: x}]}}',
      'wrong_step_type',
      'llm_task',
      'Write step_type: tool.',
    ],
    [
      '  - {name: a, step_type: tool, action: query_journal, undo: {action: zzz}}',
      'unknown_action',
      'zzz',
      'See GET /actions for what there is.',
    ],
  ])('%s', (steps, code, at, suggestion) => expectOnly(playbook(steps), [code], [{ code, at, suggestion }]));

  it('an optional step may wait for its action', () => {
    expect(
      validate(playbook('  - {name: a, step_type: tool, action: search_web, inputs: {query: x}, optional: true}')),
    ).toEqual([]);
  });
});

describe('connectors', () => {
  const call = (connector: string, endpoint: string): string =>
    `  - {name: a, step_type: tool, action: call_connector, params: {connector: ${connector}, endpoint: ${endpoint}}, inputs: {ein: x}}`;
  it.each([
    [call('isr', 'filings'), 'unknown_connector', 'isr', 'Did you mean `irs`?'],
    [call('propublica', 'filings'), 'unknown_connector', 'propublica', 'Save that connector first.'],
    [call('irs', 'filing'), 'unknown_endpoint', 'filing', 'Did you mean `filings`?'],
    [call('irs', 'zzz'), 'unknown_endpoint', 'zzz', 'Known endpoints: filings, submit.'],
    [call('irs', 'constructor'), 'unknown_endpoint', 'constructor', 'Known endpoints: filings, submit.'],
  ])('%s', (steps, code, at, suggestion) => expectProblems(playbook(steps), [{ code, at, suggestion, step: 'a' }]));

  it('warns of required connectors that are not there', () => {
    expectProblems(playbook(`  - ${ask('a')}`, 'required_connectors: [irs, file_parser, rest_api]'), [
      { code: 'unknown_connector', at: 'rest_api', severity: 'warning', field: 'required_connectors[2]' },
    ]);
  });

  it('tools of a model are actions or endpoints', () => {
    const text = playbook(
      '  - {name: a, step_type: llm_task, action: research_with_tools, params: {tools: [query_journal, irs.filings, irs.x, y.z, search_web, call_connector, zzz]}, output_schema: {fields: [{name: x}]}}',
    );
    expectProblems(text, [
      { code: 'unknown_endpoint', at: 'irs.x', field: 'params.tools[2]' },
      { code: 'unknown_connector', at: 'y.z' },
      { code: 'action_not_available', at: 'search_web' },
      { code: 'action_not_available', at: 'call_connector', suggestion: 'Name the endpoint as connector.endpoint.' },
      { code: 'unknown_action', at: 'zzz' },
    ]);
  });
});

describe('R03: dependencies', () => {
  it('names the path of a cycle', () => {
    expectProblems(
      playbook(
        `  - ${ask('a', ', depends_on: [c]')}\n  - ${ask('b', ', depends_on: [a]')}\n  - ${ask('c', ', depends_on: [b]')}`,
      ),
      [
        {
          code: 'dependency_cycle',
          at: '[c]',
          step: 'a',
          message: 'These steps wait for each other: a → c → b → a.',
          suggestion: 'Remove one of these dependencies.',
        },
      ],
    );
  });

  it('a step that depends on itself', () => {
    expectProblems(playbook(`  - ${ask('a', ', depends_on: [a]')}`), [
      { code: 'dependency_cycle', at: '[a]', message: 'These steps wait for each other: a → a.' },
    ]);
  });

  it('cuts a long circle in the middle', () => {
    const steps = Array.from(
      { length: 1000 },
      (_, index) => `  - ${ask(`s${index}`, `, depends_on: [s${(index + 1) % 1000}]`)}`,
    ).join('\n');
    const [found] = validate(playbook(steps));
    expect(found).toMatchObject({
      code: 'dependency_cycle',
      message: expect.stringMatching(/^These steps wait for each other: s0 → s1 .* → … → .* → s0\.$/),
    });
  });

  it.each([
    [
      `  - ${ask('alpha')}\n  - ${ask('b', ', depends_on: [alhpa]')}`,
      'nonexistent_step',
      'alhpa',
      'Did you mean `alpha`?',
    ],
    [
      `  - ${ask('alpha', ', output_key: beta')}\n  - ${ask('b', ', depends_on: [beta]')}`,
      'nonexistent_step',
      'beta]',
      "Write the step's name: alpha.",
    ],
    [
      `  - {name: p, action: parallel, parallel_steps: [${ask('inner')}]}\n  - ${ask('b', ', depends_on: [inner]')}`,
      'nonexistent_step',
      'inner]',
      'Name a step of the same list.',
    ],
    [
      `  - {name: p, action: parallel, parallel_steps: [${ask('x')}, ${ask('y', ', depends_on: [x]')}]}`,
      'field_not_allowed',
      '[x]',
      'Put the steps into the list itself: with depends_on independent ones run together.',
    ],
  ])('%s', (steps, code, at, suggestion) => expectProblems(playbook(steps), [{ code, at, suggestion }]));
});

describe('R03: sub-playbooks', () => {
  it.each([
    ['test', 'playbook_cycle', 'This playbook would run itself: test → test.'],
    ['back', 'playbook_cycle', 'This playbook would run itself: test → back → middle → test.'],
    ['chld', 'unknown_playbook', 'There is no playbook `chld`.'],
    ['deep1', 'too_deep', 'The runs that this step starts lie 6 deep; at most 5 are allowed.'],
    [
      '"{company}"',
      'must_be_literal',
      '`playbook` must be written out: it decides how the step is checked, so it cannot come from a run.',
    ],
  ])('%s', (slug, code, message) => {
    expectProblems(playbook(`  - {name: s, action: run_playbook, playbook: ${slug}}`, COMPANY), [
      { code, at: slug, step: 's', field: 'playbook', message },
    ]);
  });

  it('five deep is allowed', () => {
    expect(validate(playbook('  - {name: s, action: run_playbook, playbook: deep2}'))).toEqual([]);
  });
});

describe('models', () => {
  it('an llm_task declares what it returns', () => {
    expectProblems(playbook('  - {name: j, step_type: llm_task, action: llm_analyze}'), [
      {
        code: 'missing_output_schema',
        at: '{name: j',
        message: 'An llm_task needs an `output_schema`: later steps can only use fields that it declares.',
      },
    ]);
    expectProblems(playbook('  - {name: j, step_type: llm_task, action: llm_analyze, output_schema: {type: object}}'), [
      {
        code: 'missing_output_schema',
        at: '{type: object}',
        message: 'The `output_schema` of an llm_task declares no field, so later steps cannot use the result.',
      },
    ]);
  });

  it('the model of a route returns a label', () => {
    const route = (schema: string): string =>
      playbook(`  - {name: r, route: {on: {action: llm_analyze${schema}}, routes: {a: [${ask('x')}]}}}`);
    expect(validate(route(''))).toEqual([]);
    expect(validate(route(', output_schema: {fields: [{name: label, type: string}]}'))).toEqual([]);
    expectProblems(route(', output_schema: {fields: [{name: kind, type: string}]}'), [
      { code: 'missing_output_schema', at: '{fields', step: 'r_router' },
    ]);
  });

  it('a deterministic playbook has none, not even below', () => {
    const text = playbook(
      `  - {name: j, step_type: llm_task, action: llm_analyze, output_schema: {fields: [{name: x}]}}
  - {name: r, route: {on: {action: llm_analyze}, routes: {a: [${ask('x')}]}}}
  - {name: s, action: run_playbook, playbook: chatty}
  - {name: t, action: run_playbook, playbook: child, inputs: {company: "{j.x}"}}`,
      'execution_mode: deterministic',
    );
    expectProblems(text, [
      {
        code: 'model_not_allowed',
        at: 'llm_analyze',
        step: 'j',
        message: 'The playbook is deterministic, but `j` calls a model.',
      },
      { code: 'model_not_allowed', at: 'llm_analyze', step: 'r_router' },
      {
        code: 'model_not_allowed',
        at: 'chatty',
        step: 's',
        message: 'The playbook is deterministic, but `s` runs `chatty`, which is hybrid.',
      },
    ]);
  });
});

describe('secrets', () => {
  it('have no place in a playbook', () => {
    const text = `${playbook(`  - {name: a, ${SAVE.replace('table_name: t', 'table_name: {secret: t}')}, inputs: {data: [{key: {secret: canary}}]}}`)}
output: {destinations: [{type: folder, config: {password: {secret: x}}}]}`;
    expectOnly(
      text,
      ['secret_not_allowed'],
      [
        { code: 'secret_not_allowed', at: '{secret: t}', field: 'params.table_name' },
        { code: 'secret_not_allowed', at: '{secret: canary}', field: 'inputs.data[0].key' },
        { code: 'secret_not_allowed', at: '{secret: x}', field: 'output.destinations[0].config.password' },
      ],
    );
  });
});

describe('operations of transform_data', () => {
  const transform = (operation: string, inputs = '{data: []}'): string =>
    playbook(
      `  - {name: t, step_type: tool, action: transform_data, inputs: ${inputs}, params: {operations: [${operation}]}}`,
      COMPANY,
    );

  it.each([
    '{type: filter, field: a, operator: gte, value: 3}',
    '{type: filter, field: a, operator: is_null}',
    '{type: filter, field: a, operator: in, value: "{names}"}',
    '{type: filter, expression: "{pay} > 3 AND {name} is defined"}',
    '{type: sort, field: a, direction: desc}',
    '{type: sort, by: [a, {field: b, direction: desc}]}',
    '{type: aggregate, group_by: [a], metrics: [{op: sum, field: pay, as: total}, {op: count}]}',
    '{type: aggregate, group_by: a, operator: count}',
    '{type: deduplicate, fields: [a], keep: last}',
    '{type: limit, count: 3, offset: 1}',
    '{type: limit, count: "{top}"}',
    '{type: select, fields: [a, {field: b.c, as: d}]}',
    '{type: rename, fields: {a: b}}',
    '{type: compute, as: share, expression: "{pay} / {total}"}',
    '{type: compute, fields: [{as: x, expression: "1"}]}',
    '{type: flatten, field: officers, keep: [ein]}',
    '{type: join, with: other, on: ein, how: left}',
    '{type: previous, group_by: ein, order_by: year, fields: [revenue]}',
    '{type: concat, with: other}',
  ])('%s is fine', (operation) => expect(validate(transform(operation))).toEqual([]));

  it.each([
    ['{type: fliter, field: a}', 'invalid_operation', 'fliter', 'Did you mean `filter`?'],
    ['{field: a}', 'invalid_operation', '{field: a}', expect.stringContaining('Known operations: filter, sort')],
    ['{type: filter, value: 3}', 'invalid_operation', '{type: filter', undefined],
    ['{type: filter, field: a, operator: gt}', 'invalid_operation', '{type: filter', undefined],
    ['{type: filter, field: a, operator: greater, value: 1}', 'invalid_value', 'greater', undefined],
    ['{type: filter, feild: a, field: b, value: 1}', 'unknown_field', 'feild', 'Did you mean `field`?'],
    ['{type: sort, field: 3}', 'type_mismatch', '3}', undefined],
    ['{type: sort}', 'invalid_operation', '{type: sort}', undefined],
    ['{type: aggregate, metrics: [{op: median, field: a}]}', 'invalid_value', 'median', undefined],
    ['{type: aggregate, metrics: [{operation: sum}]}', 'unknown_field', 'operation', undefined],
    ['{type: aggregate, metrics: [sum]}', 'type_mismatch', 'sum]', undefined],
    ['{type: limit, count: ten}', 'type_mismatch', 'ten', undefined],
    ['{type: flatten}', 'invalid_operation', '{type: flatten}', undefined],
    ['{type: join, on: a}', 'invalid_operation', '{type: join', undefined],
    ['{type: compute, as: x, expression: "{pay} /"}', 'invalid_expression', '"}', undefined],
    ['{type: compute, as: x, expression: 3}', 'type_mismatch', '3}', undefined],
    ['{type: compute, fields: [{expression: "1"}]}', 'invalid_operation', '{expression', undefined],
    ['7', 'type_mismatch', '7]', undefined],
  ])('%s', (operation, code, at, suggestion) => {
    const found = validate(transform(operation));
    expect(found.map((problem) => problem.code)).toEqual([code]);
    if (suggestion !== undefined) expect(found[0]?.suggestion).toEqual(suggestion);
    if (code !== 'invalid_expression') expectProblems(transform(operation), [{ code, at }]);
  });

  it('warns when a row expression names something of the run', () => {
    expectProblems(transform('{type: filter, expression: "{pay} > {top}"}'), [
      {
        code: 'row_expression_scope',
        at: 'top}',
        severity: 'warning',
        suggestion: 'Add top: "{top}" to the inputs of the step, unless the rows have a field of that name.',
      },
    ]);
    expect(validate(transform('{type: filter, expression: "{pay} > {top}"}', '{data: [], top: "{top}"}'))).toEqual([]);
  });
});

describe('destinations', () => {
  const output = (destination: string): string =>
    `${playbook(`  - ${ask('a')}`, COMPANY)}\noutput: {destinations: [${destination}]}`;
  const route = (destination: string): string =>
    playbook(
      `  - {name: r, step_type: tool, action: route_output, inputs: {data: []}, params: {destinations: [${destination}]}}`,
    );

  it.each([
    '{type: document, config: {filename_template: "{title} {company} {date}", folder: reviews}}',
    '{type: folder, format: csv, config: {folder_id: reviews, create_if_missing: false}}',
    '{type: file_export, format: xlsx}',
    '{type: data_workspace_table, config: {table_name: t, upsert_key: [a, b], schema_mapping: {a: b}}}',
    '{type: append_to_existing, config: {document: notes}}',
    '{type: chat}',
  ])('%s is fine', (destination) => {
    expect(validate(output(destination))).toEqual([]);
    expect(validate(route(destination.replaceAll('{title} {company} {date}', '{{title}} {{date}}')))).toEqual([]);
  });

  it.each([
    ['{type: folder}', 'missing_required', undefined],
    ['{type: append_to_existing, config: {}}', 'missing_required', undefined],
    ['{type: document, config: {file_name: x}}', 'unknown_field', 'Did you mean `filename`?'],
    ['{type: chat, config: {to: x}}', 'unknown_field', 'It has no settings.'],
    ['{type: document, config: {folder_id: 7}}', 'type_mismatch', undefined],
    ['{type: data_workspace_table, config: {create_if_missing: "yes"}}', 'type_mismatch', undefined],
  ])('%s', (destination, code, suggestion) => {
    for (const text of [output(destination), route(destination)]) {
      expect(validate(text).map((problem) => [problem.code, problem.suggestion])).toEqual([[code, suggestion]]);
    }
  });

  it('a file name has words of its own', () => {
    expectProblems(output('{type: file_export, config: {filename_template: "{titel} {a.decision}"}}'), [
      { code: 'unresolved_reference', at: 'titel}', suggestion: 'Did you mean {title}?' },
      { code: 'unresolved_reference', at: 'a.decision', message: 'A file name knows no word `a`.' },
    ]);
  });

  it.each([
    ['{type: docment}', 'docment', 'Write document.'],
    ['{format: csv}', '{format', undefined],
    ['{type: document, format: pdf}', 'pdf', undefined],
  ])('%s in a step', (destination, at, suggestion) =>
    expectProblems(route(destination), [{ code: 'invalid_value', at, suggestion }]),
  );
});

describe('warnings', () => {
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
