import { describe, expect, it } from '@jest/globals';
import { ask, expectProblems, placesOf, playbook, validate } from '../harness';

describe('a long chain', () => {
  const chain = (length: number): string =>
    Array.from(
      { length },
      (_, at) => `  - ${ask(`s${at}`, at === 0 ? '' : `, prompt: "{s${at - 1}.decision}"`)}\n`,
    ).join('');

  it('long chains', () => {
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

  it('is told at its end, whatever comes after it', () => {
    expect(placesOf(playbook(`${chain(16)}  - ${ask('last')}\n`), 'long_chain')).toEqual(['s15 name']);
    expect(placesOf(playbook(`${chain(15)}  - ${ask('last')}\n`), 'long_chain')).toEqual([]);
  });

  it('is as long as its longest way: steps that read the same one are none', () => {
    const fan = Array.from(
      { length: 30 },
      (_, at) => `  - ${ask(`s${at}`, at === 0 ? '' : ', prompt: "{s0.decision}"')}\n`,
    ).join('');
    expect(placesOf(playbook(fan), 'long_chain')).toEqual([]);
  });

  it('does not count what a loop reads of the iteration before', () => {
    const steps = Array.from({ length: 12 }, (_, at) =>
      ask(`s${at}`, `, prompt: "{s${(at + 11) % 12}.decision}"`),
    ).join(', ');
    expect(
      placesOf(playbook(`  - {name: l, loop: {until: "true", max_iterations: 2, steps: [${steps}]}}\n`), 'long_chain'),
    ).toEqual([]);
  });
});
