import { describe, expect, it } from '@jest/globals';
import { firstStep, planOf, problems, spots, withSteps } from './support';

describe('the head of a playbook', () => {
  it('fills in the defaults', () => {
    expect(planOf('id: small\nsteps: [{name: ask, step_type: approval}]')).toStrictEqual({
      schema: 1,
      playbook: { id: 'small', name: 'small' },
      execution_mode: 'hybrid',
      run_context: 'interactive',
      approval_policy: 'require',
      inputs: [],
      steps: [expect.objectContaining({ name: 'ask' })],
    });
  });

  it('reads everything that the language has', () => {
    const plan = planOf(`
id: full
name: Full
description: Everything.
version: 1.0
category: investigation
tags: [us, tax-filings]
required_connectors: [irs]
execution_mode: deterministic
run_context: monitor
monitor_config:
  interval: 15m
  active_hours: {start: "08:00", end: "22:00", timezone: America/New_York}
  suppress_if_empty: true
approval_policy: auto_approve
triggers:
  - {pattern: filings, type: keyword, priority: 3}
inputs:
  - {name: company, type: entity_name, description: Who, required: true, extract_from: query}
  - {name: since, type: date, default: 2024-01-31}
steps:
  - {name: ask, step_type: approval}
output:
  format: csv
  template: brief
  title: "Report on {company}"
  sections: [{title: Rows, source: "{ask}", format: table}]
  auto_enrich_graph: true
  save_to: both
  destinations:
    - {type: file_export, format: xlsx, condition: "{company} is defined", config: {file_name: rows}}
    - {type: folder}
  summary: Done.
  summary_prompt: Say it.
`);
    expect(plan.playbook).toEqual({
      id: 'full',
      name: 'Full',
      version: '1.0',
      description: 'Everything.',
      category: 'investigation',
      tags: ['us', 'tax-filings'],
      triggers: [{ pattern: 'filings', type: 'keyword', priority: 3 }],
      required_connectors: ['irs'],
    });
    expect(plan).toMatchObject({
      execution_mode: 'deterministic',
      run_context: 'monitor',
      approval_policy: 'auto_approve',
    });
    expect(plan.inputs).toEqual([
      { name: 'company', type: 'entity_name', description: 'Who', required: true, extract_from: 'query' },
      { name: 'since', type: 'date', required: false, default: '2024-01-31' },
    ]);
    expect(plan.output).toEqual({
      format: 'csv',
      template: 'brief',
      title: 'Report on {company}',
      sections: [{ title: 'Rows', source: 'ask', format: 'table' }],
      auto_enrich_graph: true,
      save_to: 'both',
      destinations: [
        { type: 'document', format: 'csv', config: {} },
        { type: 'data_workspace_table', format: 'structured', config: {} },
        { type: 'file_export', format: 'xlsx', condition: '{company} is defined', config: { file_name: 'rows' } },
        { type: 'folder', format: 'csv', config: {} },
      ],
      summary: 'Done.',
      summary_prompt: 'Say it.',
    });
  });

  it.each([
    ['none', []],
    ['document', ['document']],
    ['workspace', ['data_workspace_table']],
    ['both', ['document', 'data_workspace_table']],
  ])('save_to: %s stands for destinations', (saveTo, types) => {
    const plan = planOf(`id: a\nsteps: [{name: ask, step_type: approval}]\noutput: {save_to: ${saveTo}}`);
    expect(plan.output?.destinations.map((destination) => destination.type)).toEqual(types);
  });

  it('JSON is the same language', () => {
    const value = { id: 'a', steps: [{ name: 'ask', step_type: 'approval', prompt: 'Go "on" / \\ \u00e9 😀?' }] };
    expect(planOf(JSON.stringify(value))).toEqual(planOf(JSON.stringify(value, null, '\t')));
    expect(planOf(JSON.stringify(value)).steps[0]).toMatchObject({ prompt: 'Go "on" / \\ \u00e9 😀?' });
  });

  it.each([
    ['', '1:1 not_a_playbook'],
    ['# nothing', '1:1 not_a_playbook'],
    ['- a', '1:1 not_a_playbook'],
    ['text', '1:1 not_a_playbook'],
    ['id: a\ntype: rest_api\nconnection: {}\nendpoints: {}', '1:1 not_a_playbook'],
    ['steps: [{name: a, step_type: approval}]', '1:1 missing_field'],
    ['id: a', '1:1 missing_field'],
    ['id: ""\nsteps: [{name: a, step_type: approval}]', '1:1 missing_field'],
    ['id: a\nsteps: [{name: "", step_type: approval}]', '2:9 missing_field'],
    ['id: a_b\nsteps: [{name: a, step_type: approval}]', '1:5 invalid_name'],
    ['id: a-\nsteps: [{name: a, step_type: approval}]', '1:5 invalid_name'],
    ['id: -a\nsteps: [{name: a, step_type: approval}]', '1:5 invalid_name'],
    ['id: a\nsteps: []', '2:8 empty_list'],
    ['id: a\nsteps: {}', '2:8 invalid_type'],
    ['id: 7\nsteps: [{name: a, step_type: approval}]', '1:5 invalid_type'],
    ['id: a\nsteps: [text]', '2:9 invalid_type'],
    ['id: a\ngraph: {}\nsteps: [{name: a, step_type: approval}]', '2:1 unknown_field'],
    ['id: a\nexecution_mode: fast\nsteps: [{name: a, step_type: approval}]', '2:17 invalid_value'],
    ['id: a\ntriggers: [{type: keyword}]\nsteps: [{name: a, step_type: approval}]', '2:12 missing_field'],
    ['id: a\nmonitor_config: {interval: 7m}\nsteps: [{name: a, step_type: approval}]', '2:28 invalid_value'],
    [
      'id: a\nmonitor_config: {interval: 5m, active_hours: {start: "25:00", end: "22:00"}}\nsteps: [{name: a, step_type: approval}]',
      '2:54 invalid_value',
    ],
    ['id: a\nrequired_connectors: irs\nsteps: [{name: a, step_type: approval}]', '2:22 invalid_type'],
    [
      `id: a\ninputs: [${Array.from({ length: 201 }, (_, at) => `{name: x${at}}`).join(', ')}]\nsteps: [{name: a, step_type: approval}]`,
      '2:9 invalid_value',
    ],
    ['id: a\ninputs: [{name: 1x}]\nsteps: [{name: a, step_type: approval}]', '2:17 invalid_name'],
    ['id: a\ninputs: [{name: x, type: text}]\nsteps: [{name: a, step_type: approval}]', '2:26 invalid_value'],
    [
      'id: a\ninputs: [{name: x, type: date, default: soon}]\nsteps: [{name: a, step_type: approval}]',
      '2:41 type_mismatch',
    ],
    ['id: a\ninputs: [{name: x, extract_from: mail}]\nsteps: [{name: a, step_type: approval}]', '2:34 invalid_value'],
    ['id: a\nsteps: [{name: a, step_type: approval}]\noutput: {sections: [{title: x}]}', '3:21 missing_field'],
    ['id: a\nsteps: [{name: a, step_type: approval}]\noutput: {destinations: [{type: fax}]}', '3:32 invalid_value'],
    ['id: a\nsteps: [{name: a, step_type: approval}]\noutput: {save_too: both}', '3:10 unknown_field'],
  ])('%j is answered with %s', (text, spot) => expect(spots(text)).toEqual([spot]));
});

describe('steps', () => {
  it('a tool step, with params beside or inside `params`', () => {
    const step = firstStep(`
  - name: pull
    description: Reads filings.
    step_type: tool
    action: call_connector
    connector: irs
    params: {endpoint: filings}
    inputs: {ein: "{ein}", years: [2019, 2020]}
    output_key: filings
    condition: "{ein} is defined"
    on_error: stop
    retry_count: 2
    timeout_seconds: 30
    optional: true
    undo: {action: call_connector, inputs: {id: "{filings.id}"}}
`);
    expect(step).toEqual({
      kind: 'tool',
      name: 'pull',
      key: 'filings',
      description: 'Reads filings.',
      condition: '{ein} is defined',
      on_error: 'stop',
      retry_count: 2,
      timeout_seconds: 30,
      optional: true,
      undo: { action: 'call_connector', inputs: { id: '{filings.id}' } },
      action: 'call_connector',
      inputs: { ein: '{ein}', years: [2019, 2020] },
      params: { endpoint: 'filings', connector: 'irs' },
    });
  });

  it('an llm_task with its schema', () => {
    const step = firstStep(`
  - name: judge
    step_type: llm_task
    action: research_with_tools
    params: {tools: [query_journal], max_rounds: 5}
    output_schema:
      type: record_set
      fields:
        - {name: who, type: string, description: Name}
        - {name: jobs, type: "record[]", required: false, fields: [{name: title, type: string}]}
`);
    expect(step).toMatchObject({
      kind: 'llm_task',
      params: { tools: ['query_journal'], max_rounds: 5 },
      output_schema: {
        type: 'record_set',
        fields: [
          { name: 'who', type: 'string', description: 'Name' },
          { name: 'jobs', type: 'record[]', required: false, fields: [{ name: 'title', type: 'string' }] },
        ],
      },
    });
  });

  it('an approval', () => {
    const step = firstStep(`
  - name: gate
    step_type: approval
    prompt: Send?
    preview_from: "{rows.data}"
    preview_limit: 3
    timeout_minutes: 60
    on_reject: skip
    on_timeout: stop
`);
    expect(step).toMatchObject({
      prompt: 'Send?',
      preview_from: 'rows.data',
      preview_limit: 3,
      timeout_minutes: 60,
      on_reject: 'skip',
      on_timeout: 'stop',
    });
  });

  it('every shape, without step_type', () => {
    const plan = planOf(
      withSteps(`
  - name: both
    action: parallel
    parallel_steps:
      - {name: p1, step_type: approval}
      - {name: p2, step_type: approval}
  - name: each
    depends_on: [both, both]
    for_each: {items: "{x.results}", as: row, max_parallel: 3, steps: [{name: e1, step_type: approval}]}
  - name: defaults
    for_each: {items: [1, 2], steps: [{name: e2, step_type: approval}]}
  - name: again
    loop: {until: "{l1.decision} == 'approved'", max_iterations: 5, steps: [{name: l1, step_type: approval}]}
  - name: pick
    route:
      on: "{x.kind}"
      routes: {1: [{name: r1, step_type: approval}], "yes": [{name: r2, step_type: approval}]}
      default: "yes"
  - name: ask_model
    route:
      on: {action: llm_analyze, inputs: {text: "{x}"}}
      routes: {a: [{name: r3, step_type: approval}]}
  - name: sub
    action: run_playbook
    playbook: other
    version: 2
    inputs: {a: 1}
`),
    );
    expect(plan.steps.map((step) => step.kind)).toEqual([
      'parallel',
      'for_each',
      'for_each',
      'loop',
      'route',
      'route',
      'run_playbook',
    ]);
    expect(plan.steps[0]).toMatchObject({ steps: [{ name: 'p1' }, { name: 'p2' }] });
    expect(plan.steps[1]).toMatchObject({ depends_on: ['both'], items: '{x.results}', as: 'row', max_parallel: 3 });
    expect(plan.steps[2]).toMatchObject({ items: [1, 2], as: 'item', max_parallel: 10 });
    expect(plan.steps[3]).toMatchObject({ until: "{l1.decision} == 'approved'", max_iterations: 5 });
    expect(plan.steps[4]).toMatchObject({ on: '{x.kind}', default: 'yes', routes: [{ label: '1' }, { label: 'yes' }] });
    expect(plan.steps[5]).toMatchObject({
      on: {
        kind: 'llm_task',
        name: 'ask_model_router',
        timeout_seconds: 600,
        output_schema: { type: 'object', fields: [{ name: 'label', type: 'string', required: true }] },
      },
    });
    expect(plan.steps[6]).toMatchObject({ playbook: 'other', version: '2', inputs: { a: 1 } });
  });

  it('run_playbook takes its params in `params` too', () => {
    expect(firstStep('  - {name: s, action: run_playbook, params: {playbook: other, version: "3"}}')).toMatchObject({
      playbook: 'other',
      version: '3',
    });
  });

  it.each([
    ['  - {step_type: approval}', '3:5 missing_field'],
    ['  - {name: "a b", step_type: approval}', '3:12 invalid_name'],
    ['  - {name: a[0], step_type: approval}', '3:13 invalid_yaml'],
    ['  - {name: a, action: query_journal}', '3:5 missing_field'],
    ['  - {name: a, step_type: tool}', '3:5 missing_field'],
    ['  - {name: a, step_type: wait}', '3:26 invalid_value'],
    ['  - {name: a, step_type: tol}', '3:26 invalid_value 3:5 missing_field'],
    ['  - {name: a, step_type: aproval}', '3:26 invalid_value'],
    ['  - {name: a, step_type: approval, output_key: "1"}', '3:48 invalid_name'],
    ['  - {name: a, step_type: approval, on_reject: later}', '3:47 invalid_value'],
    ['  - {name: a, step_type: approval, timeout_minutes: 0}', '3:53 invalid_value'],
    ['  - {name: a, step_type: approval, preview_limit: 1.5}', '3:51 invalid_value'],
    ['  - {name: a, step_type: approval, action: query_journal}', '3:36 field_not_allowed'],
    ['  - {name: a, step_type: approval, timeout_seconds: 5}', '3:36 field_without_effect'],
    ['  - {name: a, step_type: tool, action: query_journal, prompt: x}', '3:55 field_not_allowed'],
    ['  - {name: a, step_type: tool, action: query_journal, operations: [{}]}', '3:55 field_not_allowed'],
    ['  - {name: a, step_type: tool, action: query_journal, inputs: [1]}', '3:63 invalid_type'],
    ['  - {name: a, step_type: tool, action: query_journal, timeout_seconds: 0}', '3:72 invalid_value'],
    ['  - {name: a, step_type: tool, action: query_journal, retry_count: many}', '3:68 invalid_type'],
    ['  - {name: a, step_type: tool, action: query_journal, optional: "yes"}', '3:65 invalid_type'],
    ['  - {name: a, step_type: tool, action: query_journal, depends_on: x}', '3:67 invalid_type'],
    ['  - {name: a, step_type: tool, action: query_journal, undo: {do: x}}', '3:62 unknown_field 3:61 missing_field'],
    ['  - {name: a, step_type: tool, action: query_journal, condtion: x}', '3:55 unknown_field'],
    ['  - {name: a, step_type: tool, action: query_journal, limit: 3, params: {limit: 3}}', '3:55 duplicate_key'],
    ['  - {name: a, step_type: llm_task, action: llm_analyze, output_schema: {type: list}}', '3:79 invalid_value'],
    [
      '  - {name: a, step_type: llm_task, action: llm_analyze, output_schema: {fields: [{name: x, type: text}]}}',
      '3:98 invalid_value',
    ],
    [
      '  - {name: a, step_type: llm_task, action: llm_analyze, output_schema: {fields: [{name: x}, {name: x}]}}',
      '3:100 duplicate_name',
    ],
    ['  - {name: a, action: parallel}', '3:5 missing_field'],
    ['  - {name: a, action: parallel, parallel_steps: [], inputs: {a: 1}}', '3:53 field_not_allowed 3:49 empty_list'],
    [
      '  - {name: a, step_type: approval, loop: {until: x, max_iterations: 1, steps: [{name: b, step_type: approval}]}}',
      '3:26 conflicting_shape',
    ],
    [
      '  - {name: a, loop: {until: x, max_iterations: 1, steps: [{name: b, step_type: approval}]}, route: {on: x, routes: {}}}',
      '3:93 conflicting_shape',
    ],
    ['  - {name: a, loop: {until: x, steps: [{name: b, step_type: approval}]}}', '3:21 missing_field'],
    [
      '  - {name: a, loop: {until: x, max_iterations: 1001, steps: [{name: b, step_type: approval}]}}',
      '3:48 invalid_value',
    ],
    ['  - {name: a, for_each: {steps: [{name: b, step_type: approval}]}}', '3:25 missing_field'],
    ['  - {name: a, for_each: {items: {x: 1}, steps: [{name: b, step_type: approval}]}}', '3:33 invalid_type'],
    [
      '  - {name: a, for_each: {items: [], max_parallel: 101, steps: [{name: b, step_type: approval}]}}',
      '3:51 invalid_value',
    ],
    ['  - {name: a, for_each: {items: [], as: "a.b", steps: [{name: b, step_type: approval}]}}', '3:41 invalid_name'],
    ['  - {name: a, for_each: {items: [], step: []}}', '3:37 unknown_field 3:25 missing_field'],
    ['  - {name: a, route: {on: x, routes: {}}}', '3:38 empty_list'],
    ['  - {name: a, route: {on: x, routes: {l: [{name: b, step_type: approval}]}, default: m}}', '3:86 invalid_value'],
    ['  - {name: a, route: {on: x}}', '3:22 missing_field'],
    ['  - {name: a, route: [on]}', '3:22 invalid_type'],
    ['  - {name: a, loop: often}', '3:21 invalid_type'],
    ['  - {name: a, for_each: 5}', '3:25 invalid_type'],
    [
      '  - {name: a, route: {on: {action: llm_analyze, colour: red}, routes: {l: [{name: b, step_type: approval}]}}}',
      '3:49 unknown_field',
    ],
    ['  - {name: a, route: {routes: {l: [{name: b, step_type: approval}]}}}', '3:22 missing_field'],
    ['  - {name: a, action: run_playbook}', '3:5 missing_field'],
    ['  - {name: a, action: run_playbook, params: {playbok: x}}', '3:46 unknown_field 3:45 missing_field'],
  ])('%s is answered with %s', (steps, expected) => {
    expect(spots(withSteps(steps)).sort()).toEqual(expected.split(/ (?=\d)/).sort());
  });

  it('explains a field of another kind of step', () => {
    expect(problems(withSteps('  - {name: a, step_type: tool, action: query_journal, prompt: x}'))).toEqual([
      expect.objectContaining({
        message: '`prompt` has no meaning in a tool step.',
        suggestion: 'It belongs to approval step. Remove it here.',
      }),
    ]);
  });
});
