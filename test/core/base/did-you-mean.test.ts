import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { didYouMean, editDistance } from '../../../core/base/did-you-mean';

describe('didYouMean', () => {
  const actions = ['call_connector', 'transform_data', 'cross_reference', 'save_to_workspace', 'llm_analyze'];

  it.each([
    ['call_conector', 'call_connector'],
    ['transfrom_data', 'transform_data'],
    ['cross-reference', 'cross_reference'],
    ['SAVE_TO_WORKSPACE', 'save_to_workspace'],
    ['llm_analyse', 'llm_analyze'],
  ])('%s means %s', (word, meant) => {
    expect(didYouMean(word, actions)).toBe(meant);
  });

  it.each(['', 'wait', 'parallel', 'x', 'completely_different'])('has no guess for %p', (word) => {
    expect(didYouMean(word, actions)).toBeUndefined();
  });

  it('never suggests the word itself', () => {
    expect(didYouMean('name', ['name'])).toBeUndefined();
    expect(didYouMean('name', ['name', 'names'])).toBe('names');
  });

  it('takes one wrong letter in short words, not two', () => {
    expect(didYouMean('stpes', ['steps'])).toBe('steps');
    expect(didYouMean('ab', ['ax'])).toBe('ax');
    expect(didYouMean('ab', ['xy'])).toBeUndefined();
  });

  it('prefers the nearest, then the first', () => {
    expect(didYouMean('inputz', ['outputs', 'inputs'])).toBe('inputs');
    expect(didYouMean('cat', ['bat', 'hat'])).toBe('bat');
    expect(didYouMean('cat', ['hat', 'bat'])).toBe('hat');
  });

  it('takes any iterable', () => {
    expect(didYouMean('alpa', new Map([['alpha', 1]]).keys())).toBe('alpha');
  });

  it('does not compare endless words or endless lists', () => {
    const long = 'a'.repeat(65);
    expect(didYouMean(long, [`${long}b`])).toBeUndefined();
    let served = 0;
    const endless = {
      *[Symbol.iterator](): Generator<string> {
        for (;;) {
          served++;
          yield `unrelated${served}`;
        }
      },
    };
    expect(didYouMean('steps', endless)).toBeUndefined();
    expect(served).toBeLessThan(2_010);
  });
});

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['abc', 'abc', 0],
    ['abc', 'abd', 1],
    ['abc', 'acb', 1],
    ['abc', 'ab', 1],
    ['abc', 'xabc', 1],
    ['ca', 'abc', 3],
    ['kitten', 'sitting', 3],
  ])('of %p and %p is %d', (left, right, distance) => {
    expect(editDistance(left, right)).toBe(distance);
  });

  it('is capped at the limit', () => {
    expect(editDistance('aaaaaaaa', 'bbbbbbbb', 3)).toBe(3);
    expect(editDistance('a', 'bbbbbbbb', 3)).toBe(3);
  });

  it('is symmetric, zero only for equal words, and at most the longer length', () => {
    const word = fc.string({ maxLength: 12 });
    fc.assert(
      fc.property(word, word, (left, right) => {
        const distance = editDistance(left, right);
        expect(distance).toBe(editDistance(right, left));
        expect(distance === 0).toBe(left === right);
        expect(distance).toBeLessThanOrEqual(Math.max(left.length, right.length));
      }),
    );
  });
});
