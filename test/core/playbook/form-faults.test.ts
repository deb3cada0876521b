import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../../core/base/json';
import { inputTypeProblem } from '../../../core/playbook/input-value';
import type { Problem } from '../../../core/errors/problem';
import type { InputType } from '../../../core/playbook/types';
import { planOf, problems, withSteps } from './support';

const only = (text: string): Problem => {
  const found = problems(text);
  if (found.length !== 1 || found[0] === undefined) throw new Error(JSON.stringify(found));
  return found[0];
};

describe('a text that is no playbook', () => {
  it.each([
    ['', 'The text is empty.'],
    ['~', 'The text is empty.'],
    ['hello', 'A playbook is a mapping, and this is text.'],
    ['- a', 'A playbook is a mapping, and this is a list.'],
    ['5', 'A playbook is a mapping, and this is the number 5.'],
  ])('%j says so', (text, message) => {
    expect(only(text)).toMatchObject({ code: 'not_a_playbook', message });
  });

  it('is told in whole sentences what YAML does not allow', () => {
    const found = problems('id: [a\nsteps: []\n');
    expect(found.map(({ code }) => code)).toContain('invalid_yaml');
    for (const { message } of found) expect(message).toMatch(/^.{10,199}[^.…]\.$/);
  });
});

describe('a plan', () => {
  it('is plain JSON: nothing that the author left out is in it', () => {
    const plan = planOf(
      'id: p\nsteps:\n  - {name: a, step_type: tool, action: query_journal}\n  - {name: b, step_type: approval}\noutput: {}\n',
    );
    expect(JSON.parse(JSON.stringify(plan))).toStrictEqual(plan);
    expect(plan.output).toMatchObject({ format: 'markdown', destinations: [], sections: [] });
  });
});

describe('a field of a step', () => {
  it('that stands in another is named with it', () => {
    const text = withSteps('  - {name: a, step_type: tool, action: query_journal, undo: {inputs: {}}}\n');
    expect(only(text)).toMatchObject({ code: 'missing_field', step: 'a', field: 'undo.action' });
  });

  it.each([
    ['depends_on: [a, 1]', 'depends_on[1]', '`depends_on[1]` is the number 1, but text is expected.'],
    ['depends_on: [[a]]', 'depends_on[0]', '`depends_on[0]` is a list, but text is expected.'],
    ['depends_on: true', 'depends_on', '`depends_on` is true, but a list is expected.'],
  ])('%s is wrong, and where', (field, place, message) => {
    const text = withSteps(
      `  - {name: a, step_type: approval}\n  - {name: b, step_type: tool, action: query_journal, ${field}}\n`,
    );
    expect(problems(text)).toContainEqual(expect.objectContaining({ step: 'b', field: place, message }));
  });

  it('may name a hundred people who decide, and no more', () => {
    const gate = (count: number): string => {
      const users = Array.from({ length: count }, (_unused, at) => `u${at}`).join(', ');
      return withSteps(`  - {name: ask, step_type: approval, approvers: {users: [${users}]}}\n`);
    };
    expect(problems(gate(100)).filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(only(gate(101))).toMatchObject({ code: 'invalid_value', field: 'approvers' });
  });

  it('that is a name of more than 100 letters may be its beginning', () => {
    const named = (name: string): string => withSteps(`  - {name: ${name}, step_type: approval}\n`);
    expect(problems(named('n'.repeat(100)))).toEqual([]);
    expect(only(named('n'.repeat(101)))).toMatchObject({
      code: 'invalid_name',
      message: expect.stringContaining('101 characters'),
      suggestion: `Write ${'n'.repeat(100)}.`,
    });
  });

  it.each([
    ['action: query_journal', 'tool'],
    ['action: no_such_action', 'tool'],
    ['action: synthesize_report', 'llm_task'],
    ['prompt: Go?', 'approval'],
    ['preview_from: a', 'approval'],
    ['inputs: {}', 'tool, llm_task or approval'],
  ])('says which type its step has, where that is missing: %s', (field, type) => {
    const found = problems(withSteps(`  - {name: a, ${field}}\n`));
    const missing = found.find(({ code, field: name }) => code === 'missing_field' && name === 'step_type');
    expect(missing?.suggestion).toBe(`Write step_type: ${type}.`);
  });
});

describe('a value of an input that has another type', () => {
  it.each<[InputType, Json, string]>([
    ['list', 'x'.repeat(40), `is the text "${'x'.repeat(40)}", but a list is expected`],
    ['list', 'x'.repeat(41), `is the text "${'x'.repeat(40)}…", but a list is expected`],
    ['string', 5, 'is the number 5, but text is expected'],
    ['string', true, 'is true, but text is expected'],
    ['object', null, 'is empty, but an object is expected'],
    ['boolean', [], 'is a list, but true or false is expected'],
    ['number', {}, 'is an object, but a number is expected'],
  ])('%s: %j', (type, value, said) => {
    expect(inputTypeProblem(value, type)).toBe(said);
  });
});

describe('a text in quotes', () => {
  it('that nothing ends is said to have no end', () => {
    expect(problems('id: p\nname: "one\n   two\n')[0]?.message).toBe(
      'The text in double quotes begins in line 2 and has no closing quote.',
    );
  });

  it('is offered as a block only below a plain key', () => {
    const suggestion = (key: string): string => problems(`${key}: "one\n<br>two"\n`)[0]?.suggestion ?? '';
    expect(suggestion('name')).toContain('`name: |`');
    expect(suggestion('"name"')).toMatch(/^Indent each further line of the text by at least 1 space\.$/);
  });
});
