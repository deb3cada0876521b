import { describe, expect, it } from '@jest/globals';
import { COMPANY, expectOnly, expectProblems, playbook, PULL, SAVE, validate } from '../harness';

const CODES = ['nonexistent_step', 'unresolved_reference', 'invalid_expression'];
const save = (data: string, name = 'save'): string => `  - {name: ${name}, ${SAVE}, inputs: {data: "${data}"}}\n`;

describe('a reference names something that exists', () => {
  it('accepts inputs, earlier results, projections and built-ins', () => {
    const text = playbook(
      `${PULL}${save('{pull.results}')}  - {name: ask, step_type: approval, prompt: "{today} {30_days_ago} {execution_id} {query} {company} {pull.results[*].officers[0].name} {pull.status} {pull.error.code} {pull.result.count}"}`,
      COMPANY,
    );
    expect(validate(text).filter((problem) => problem.severity === 'error')).toEqual([]);
  });

  it('suggests the near name', () => {
    expectProblems(playbook(`${PULL}${save('{pul.results}')}`, COMPANY), [
      { code: 'unused_output', at: 'pull' },
      {
        code: 'nonexistent_step',
        at: 'pul.results}"',
        step: 'save',
        field: 'inputs.data',
        message: '{pul.results} refers to `pul`, but there is no step, input or variable of that name.',
        suggestion: 'Did you mean {pull.results}?',
      },
    ]);
  });

  it('knows that a step with an output_key goes by it', () => {
    const text = playbook(
      `  - {name: pull, output_key: rows, step_type: tool, action: query_journal}\n${save('{pull.entries}')}`,
    );
    expectOnly(text, CODES, [{ code: 'nonexistent_step', at: 'pull.entries', suggestion: 'Write {rows.entries}.' }]);
  });

  it('suggests the near field and lists the known ones', () => {
    expectOnly(playbook(`${PULL}${save('{pull.result_s}')}`, COMPANY), CODES, [
      {
        code: 'unresolved_reference',
        at: 'pull.result_s',
        message: '{pull.result_s} reads the field `result_s`, which does not exist there.',
        suggestion: 'Did you mean `results`? Known fields: results, count.',
      },
    ]);
  });

  it.each([
    ['{pull.results.ein}', 'Write [*].ein for the values of all elements, or [0].ein for the first.'],
    ['{pull.count[0]}', 'Leave out [0].'],
    ['{pull.count[*]}', 'Leave out [*].'],
    ['{pull.count.x}', undefined],
    ['{pull.status.x}', undefined],
    ['{pull.decision}', 'Write {pull.result.decision} for a field of that name in the result.'],
    ['{pull.results[0].officers.name}', 'Write [*].name for the values of all elements, or [0].name for the first.'],
  ])('%s leads nowhere', (reference, suggestion) => {
    const text = playbook(`${PULL}  - {name: ask, step_type: approval, prompt: "Look: ${reference}"}`, COMPANY);
    expectOnly(text, CODES, [
      { code: 'unresolved_reference', at: reference.slice(1), step: 'ask', field: 'prompt', suggestion },
    ]);
  });

  it.each(['{secrets.key}', '{env.HOME}', '{connection.accessToken}'])('X10: %s is never a value', (reference) => {
    expectOnly(playbook(`  - {name: ask, step_type: approval, prompt: "${reference}"}`), CODES, [
      { code: 'nonexistent_step', at: reference.slice(1) },
    ]);
  });

  it('X01: code is refused', () => {
    const text = playbook(
      `${PULL}  - {name: ask, step_type: approval, prompt: '{pull.constructor.constructor("return process")()}'}`,
      COMPANY,
    );
    expectOnly(text, CODES, [{ code: 'invalid_expression', at: 'constructor.constructor' }]);
  });
});

describe('a result can be read where it is there', () => {
  const ask = (name: string, prompt: string): string => `{name: ${name}, step_type: approval, prompt: "${prompt}"}`;
  const cases: [string, string, string | undefined, string?][] = [
    [
      'later step',
      `  - ${ask('a', '{b.decision}')}\n  - ${ask('b', 'x')}`,
      '`b` runs after this step, so its result is not there yet.',
      'Move b before a.',
    ],
    ['itself', `  - ${ask('a', '{a.decision}')}`, '`a` is this step itself: it has no result yet.'],
    ['earlier step', `  - ${ask('a', 'x')}\n  - ${ask('b', '{a.decision}')}`, undefined],
    [
      'DAG without dependency',
      `  - {name: a, step_type: approval}\n  - {name: b, step_type: approval, depends_on: []}\n  - {name: c, step_type: approval, depends_on: [b], prompt: "{a.decision}"}`,
      '`a` need not be finished when this step begins.',
      'Add a to depends_on of c.',
    ],
    [
      'DAG through others',
      `  - ${ask('a', 'x')}\n  - {name: b, step_type: approval, depends_on: [a]}\n  - {name: c, step_type: approval, depends_on: [b], prompt: "{a.decision}"}`,
      undefined,
    ],
    [
      'DAG backwards',
      `  - {name: a, step_type: approval, prompt: "{b.decision}"}\n  - {name: b, step_type: approval, depends_on: [a]}`,
      '`b` runs after this step, so its result is not there yet.',
      'Move b before a.',
    ],
    [
      'parallel sibling',
      `  - {name: p, action: parallel, parallel_steps: [${ask('a', 'x')}, ${ask('b', '{a.decision}')}]}`,
      '`a` runs at the same time, so its result is not there yet.',
      'Move one of the two steps behind the parallel step.',
    ],
    [
      'out of a parallel',
      `  - {name: p, action: parallel, parallel_steps: [${ask('a', 'x')}]}\n  - ${ask('b', '{a.decision} {p.failed_count}')}`,
      undefined,
    ],
    [
      'structure around',
      `  - {name: p, action: parallel, parallel_steps: [${ask('a', '{p.count}')}]}`,
      '`p` is the step around this one: its result is not there before all inner steps are over.',
      'Refer to an earlier step.',
    ],
    [
      'out of a for_each',
      `  - {name: e, for_each: {items: [1], steps: [${ask('a', 'x')}]}}\n  - ${ask('b', '{a.decision}')}`,
      '`a` lies inside the for_each `e` and has one result for each item.',
      'Read {e.results}: the results of its last step, one an item.',
    ],
    [
      'results of a for_each',
      `  - {name: e, for_each: {items: [1], steps: [${ask('a', '{item} {item_index}')}]}}\n  - ${ask('b', '{e.results[*].decision} {e.errors[0].code}')}`,
      undefined,
    ],
    [
      'other branch',
      `  - {name: r, route: {on: x, routes: {l: [${ask('a', 'x')}], m: [${ask('b', '{a.decision}')}]}}}`,
      '`a` lies in another branch of the route, which does not run together with this one.',
      'Refer to a step before the route.',
    ],
    [
      'out of a branch',
      `  - {name: r, route: {on: x, routes: {l: [${ask('a', 'x')}]}}}\n  - ${ask('b', '{a.decision} {r.label}')}`,
      undefined,
    ],
    [
      'iteration before',
      `  - {name: l, loop: {until: "{b.decision} == 'approved'", max_iterations: 3, steps: [${ask('a', '{b.instructions}')}, ${ask('b', 'x')}]}}`,
      undefined,
    ],
    [
      'itself in a loop',
      `  - {name: l, loop: {until: "true", max_iterations: 3, steps: [${ask('a', '{a.decision}')}]}}`,
      undefined,
    ],
    [
      'iteration before, but a map between',
      `  - {name: l, loop: {until: "true", max_iterations: 3, steps: [{name: e, for_each: {items: [1], steps: [${ask('a', '{b.decision}')}, ${ask('b', 'x')}]}}]}}`,
      '`b` runs after this step, so its result is not there yet.',
      'Move b before a.',
    ],
    [
      'until of a loop reads its body',
      `  - {name: l, loop: {until: "{a.decision} == 'x'", max_iterations: 3, steps: [${ask('a', 'x')}]}}`,
      undefined,
    ],
    [
      'condition of a loop does not',
      `  - {name: l, condition: "{a.decision} == 'x'", loop: {until: "true", max_iterations: 3, steps: [${ask('a', 'x')}]}}`,
      '`a` runs after this step, so its result is not there yet.',
      'Move a before l.',
    ],
  ];
  it.each(cases.map(([name, steps, message, suggestion]) => ({ name, steps, message, suggestion })))(
    '$name',
    ({ steps, message, suggestion }) => {
      const found = validate(playbook(steps)).filter((problem) => CODES.includes(problem.code));
      expect(found.map((problem) => [problem.message, problem.suggestion])).toEqual(
        message === undefined ? [] : [[message, suggestion]],
      );
    },
  );

  it('the output sees every result but those inside a map', () => {
    const text = `${playbook(`  - {name: e, for_each: {items: [1], steps: [{name: inner, step_type: approval}]}}`)}
output:
  title: "{e.count}"
  sections:
    - {title: "T {nope}", source: e.results}
    - {title: U, source: "{inner.decision}"}
  destinations:
    - {type: folder, condition: "{e.cuont} > 0", config: {folder_id: x}}
  summary: "{e.failed_count} failed"
`;
    expectOnly(text, CODES, [
      { code: 'nonexistent_step', at: 'nope}' },
      { code: 'unresolved_reference', at: '{inner.decision}', field: 'output.sections[1].source' },
      { code: 'unresolved_reference', at: 'e.cuont', field: 'output.destinations[0].condition' },
    ]);
  });
});

describe('what is known of a value', () => {
  it('a filter keeps the fields of its input, a compute does not', () => {
    const flag = (type: string): string =>
      `${PULL}  - {name: f, step_type: tool, action: transform_data, inputs: {data: "{pull.results}"}, params: {operations: [{type: ${type}}]}}\n`;
    const ask = '  - {name: ask, step_type: approval, prompt: "{f.data[0].nope}"}';
    expectOnly(
      playbook(flag('deduplicate') + ask, COMPANY),
      ['unresolved_reference'],
      [{ code: 'unresolved_reference', at: 'f.data', suggestion: 'Known fields: ein, revenue, officers.' }],
    );
    expectOnly(playbook(flag('compute, as: nope, expression: "1"') + ask, COMPANY), ['unresolved_reference'], []);
  });

  it('knows the item of a for_each and the results of it', () => {
    const text = playbook(
      `${PULL}  - name: each
    for_each:
      items: "{pull.results}"
      as: row
      steps:
        - {name: one, step_type: tool, action: call_connector, connector: irs, endpoint: filings, inputs: {ein: "{row.enn}"}}
  - {name: ask, step_type: approval, prompt: "{each.results[0].results[0].ein} {each.results[0].nope}"}`,
      COMPANY,
    );
    expectOnly(
      text,
      ['unresolved_reference'],
      [
        {
          code: 'unresolved_reference',
          at: 'row.enn',
          suggestion: 'Did you mean `ein`? Known fields: ein, revenue, officers.',
        },
        { code: 'unresolved_reference', at: 'each.results[0].nope' },
      ],
    );
  });

  it('a loop variable that is nearly the written one is offered', () => {
    const ask = '{name: ask, step_type: approval, prompt: "{grnt}"}';
    const text = playbook(
      `${PULL}  - {name: each, for_each: {items: "{pull.results}", as: grant, steps: [${ask}]}}`,
      COMPANY,
    );
    expectProblems(text, [{ code: 'nonexistent_step', at: 'grnt}', suggestion: 'Did you mean {grant}?' }]);
  });
});
