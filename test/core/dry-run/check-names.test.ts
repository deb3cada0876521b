import { describe, expect, it } from '@jest/globals';
import { checkNames } from '../../../core/dry-run/check-names';
import { planOf } from '../playbook/support';
import { dryRunOf, KEEP } from './support';

const TEXT = `
id: test
steps:
  - {name: read, ${KEEP}}
  - name: both
    parallel_steps: [{name: left, ${KEEP}}, {name: right, ${KEEP}}]
  - name: each
    for_each: {items: [1, 2], as: n, steps: [{name: parse, ${KEEP}}, {name: sub, action: run_playbook, playbook: child, inputs: {company: Acme}}]}
  - name: again
    loop: {until: "false", max_iterations: 2, steps: [{name: retry, ${KEEP}}]}
  - name: way
    route: {on: "a", routes: {a: [{name: inside, ${KEEP}}]}}
  - name: choice
    route: {on: {action: llm_analyze, inputs: {data: x}, params: {instructions: Choose.}}, routes: {a: [{name: chosen, ${KEEP}}]}}
  - {name: judge, step_type: llm_task, action: llm_analyze, inputs: {data: x}, params: {instructions: Judge.}}
  - {name: review, step_type: approval, prompt: "Go on?"}
  - {name: last, step_type: approval, prompt: "Go on?"}
  - {name: send, ${KEEP}}
`;
const PLAN = planOf(TEXT);

function refusal(samples: Record<string, number>, decisions: Record<string, 'approved'> = {}): unknown {
  try {
    checkNames(PLAN, { samples, decisions });
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('results and decisions that a dry run is given', () => {
  it('may be named by every place that the run takes a result from', async () => {
    const { steps } = await dryRunOf(TEXT);
    const called = steps.filter(({ source }) => source !== undefined);
    expect(called.map(({ step_path: path }) => path)).toEqual(
      expect.arrayContaining([
        'read',
        'both/left',
        'each[1]/sub',
        'again[1]/retry',
        'way/inside',
        'choice/~router',
        'judge',
        'send',
      ]),
    );
    for (const { step, step_path: path } of called)
      expect([path, refusal({ [step]: 1, [path]: 1 })]).toEqual([path, undefined]);
    expect(refusal({ 'each[12]/parse': 1 })).toBeUndefined();
    expect(refusal({}, { review: 'approved', last: 'approved' })).toBeUndefined();
  });

  it.each([
    ['raed', 'Did you mean "read"?'],
    ['each[0]/prase', 'Did you mean "each/parse"?'],
    ['nothing', 'There are: read, left, right, parse, sub, retry, inside, choice, chosen, judge, send.'],
    ['x'.repeat(101), `"${'x'.repeat(100)}" in`],
    ['each[0]/read', 'is no step of this playbook, nor the path of one'],
    ['review', 'is an approval, which takes no result. `decisions` says what a person would answer.'],
    ['each', 'is a `for_each` step, which takes no result. Name a step inside it'],
    ['each[0]', 'is a `for_each` step, which takes no result.'],
    ['again', 'is a loop'],
    ['both', 'is a parallel step'],
    ['way', 'is a route that no model chooses'],
  ])('%s in samples is refused', (name, sentence) => {
    expect(refusal({ read: 1, [name]: 1 })).toMatchObject({
      code: 'invalid_samples',
      category: 'validation',
      message: expect.stringContaining(sentence),
    });
  });

  it.each([
    ['reveiw', 'Did you mean "review"?'],
    ['read', 'is no approval step of this playbook. There are: review, last.'],
  ])('%s in decisions is refused', (name, sentence) => {
    expect(refusal({}, { [name]: 'approved' })).toMatchObject({
      code: 'invalid_decisions',
      category: 'validation',
      message: expect.stringContaining(sentence),
    });
  });

  it('there may be none', () => {
    const plan = planOf(`id: test\nsteps: [{name: read, ${KEEP}}]`);
    expect(() => checkNames(plan, { samples: {}, decisions: { review: 'approved' } })).toThrow(
      '"review" in `decisions` is no approval step of this playbook. It has none.',
    );
  });
});
