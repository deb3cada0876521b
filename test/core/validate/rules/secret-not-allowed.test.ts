import { describe, expect, it } from '@jest/globals';
import { ask, COMPANY, expectOnly, placesOf, playbook, PULL, SAVE } from '../harness';

describe('a secret', () => {
  it('has no place in a playbook', () => {
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

  const S = '{secret: KEY}';
  it.each<[string, string, string[]]>([
    ['in an input', `  - {name: a, ${SAVE}, inputs: {data: ${S}}}`, ['a inputs.data']],
    ['deep in an input', `  - {name: a, ${SAVE}, inputs: {data: [1, {k: ${S}}]}}`, ['a inputs.data[1].k']],
    ['in a param', `  - {name: a, step_type: tool, action: query_journal, params: {limit: ${S}}}`, ['a params.limit']],
    [
      'in an input of a model',
      `  - {name: a, step_type: llm_task, action: llm_analyze, inputs: {data: ${S}}, params: {instructions: x}, output_schema: {fields: [{name: x}]}}`,
      ['a inputs.data'],
    ],
    [
      'in a param of a model',
      `  - {name: a, step_type: llm_task, action: llm_analyze, inputs: {data: 1}, params: {instructions: x, temperature: ${S}}, output_schema: {fields: [{name: x}]}}`,
      ['a params.temperature'],
    ],
    [
      'in an input of a playbook',
      `  - {name: a, action: run_playbook, playbook: child, inputs: {company: ${S}}}`,
      ['a inputs.company'],
    ],
    [
      'in the items of a map',
      `  - {name: a, for_each: {items: [${S}], as: i, steps: [${ask('g')}]}}`,
      ['a for_each.items[0]'],
    ],
    [
      'in what undoes a step',
      `  - {name: a, ${SAVE}, inputs: {data: []}, undo: {action: query_journal, inputs: {x: ${S}}}}`,
      ['a undo.inputs.x'],
    ],
    ['beside another key it is data', `  - {name: a, ${SAVE}, inputs: {data: [{secret: KEY, more: 1}]}}`, []],
    ['of no name it is one all the same', `  - {name: a, ${SAVE}, inputs: {data: {secret: null}}}`, ['a inputs.data']],
  ])('%s', (_what, steps, expected) => {
    expect(placesOf(playbook(steps), 'secret_not_allowed')).toEqual(expected);
  });
  it('in the settings of a destination', () => {
    const text = `${playbook(PULL, COMPANY)}output: {sections: [{title: T, source: pull.results}], destinations: [{type: document, config: {folder: ${S}}}]}`;
    expect(placesOf(text, 'secret_not_allowed')).toEqual(['output.destinations[0].config.folder']);
  });
});
