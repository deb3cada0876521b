import { describe, expect, it } from '@jest/globals';
import { ask, COMPANY, expectOnly, expectProblems, playbook, validate } from '../harness';

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
