import { describe, expect, it } from '@jest/globals';
import { ask, expectProblems, placesOf, playbook, SAVE, validate } from '../harness';

const save = (name: string): string => `{name: ${name}, ${SAVE}, inputs: {data: []}}`;

describe('results that nothing uses', () => {
  const read = (name: string): string => `{name: ${name}, step_type: tool, action: query_journal}`;
  it.each<[string, string, string, string[]]>([
    ['the last step is the result', `  - ${read('a')}\n`, '', []],
    [
      'but not where the output shows other things',
      `  - ${read('a')}\n  - ${read('b')}\n`,
      'output: {sections: [{title: T, source: a}]}',
      ['b name'],
    ],
    ['and not where the output shows nothing', `  - ${read('a')}\n`, 'output: {title: T}', []],
    [
      'the last step of a map is its result',
      `  - {name: m, for_each: {items: [1], as: i, steps: [${read('a')}, ${read('b')}]}}\n`,
      'output: {sections: [{title: T, source: m.results}]}',
      ['a name'],
    ],
    ['a step with an effect is work in itself', `  - ${save('a')}\n  - ${ask('g')}\n`, '', []],
    ['a gate is no work for its result', `  - ${ask('g')}\n  - ${read('b')}\n`, '', []],
  ])('%s', (_what, steps, output, expected) => {
    expect(placesOf(playbook(steps) + output, 'unused_output')).toEqual(expected);
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

  it('the answer of a model that nothing reads is warned of', () => {
    const model =
      '{name: l, step_type: llm_task, action: llm_analyze, inputs: {data: x}, output_schema: {type: object, fields: [{name: a, type: string}]}}';
    expect(
      validate(playbook(`  - ${model}\n  - {name: g, step_type: approval}`)).map(({ code, step }) => `${code} ${step}`),
    ).toEqual(['unused_output l']);
  });
});
