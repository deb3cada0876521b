import { describe, expect, it } from '@jest/globals';
import { ask, expectProblems, playbook, validate } from '../harness';

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
