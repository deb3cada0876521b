import { describe, expect, it } from '@jest/globals';
import { ProblemList, type Finding } from '../../../core/playbook/problem-list';

const error = (at: number): Finding => ({ code: 'bad', message: `${at}`, at });
const warning = (at: number): Finding => ({ ...error(at), severity: 'warning' });

function listOf(...findings: Finding[]): ProblemList {
  const list = new ProblemList((offset) => ({ line: 1, column: offset + 1 }));
  for (const finding of findings) list.add(finding);
  return list;
}
const many = (count: number, made: (at: number) => Finding): Finding[] =>
  Array.from({ length: count }, (_, at) => made(at));
/** Numbers of shown problems of each kind, and the note about the others. */
function shown(list: ProblemList): [errors: number, warnings: number, left: string | undefined] {
  const problems = list.sorted();
  const note = problems.find(({ code }) => code === 'more_problems');
  const of = (kind: string): number =>
    problems.filter(({ code, severity }) => code === 'bad' && severity === kind).length;
  return [of('error'), of('warning'), note?.message.split('.')[0]];
}

describe('problems of a text', () => {
  it('come in its order, at one place in the order in which they were found', () => {
    const list = listOf({ code: 'c', message: 'no place' }, error(5), warning(2), { ...error(5), code: 'b' });
    expect(list.sorted()).toStrictEqual([
      { severity: 'error', code: 'c', message: 'no place' },
      { severity: 'warning', code: 'bad', message: '2', line: 1, column: 3 },
      { severity: 'error', code: 'bad', message: '5', line: 1, column: 6 },
      { severity: 'error', code: 'b', message: '5', line: 1, column: 6 },
    ]);
  });

  it.each<[number, number, ReturnType<typeof shown>]>([
    [0, 0, [0, 0, undefined]],
    [100, 0, [100, 0, undefined]],
    [101, 0, [100, 0, '1 more problem is not shown']],
    [0, 102, [0, 100, '2 more problems are not shown']],
    [60, 60, [60, 40, '20 more problems are not shown']],
    [100, 3, [100, 0, '3 more problems are not shown']],
    [150, 150, [100, 0, '200 more problems are not shown']],
  ])('%d errors and %d warnings are shown as far as there is room', (errors, warnings, expected) => {
    expect(shown(listOf(...many(warnings, warning), ...many(errors, error)))).toEqual(expected);
    expect(shown(listOf(...many(errors, error), ...many(warnings, warning)))).toEqual(expected);
  });

  it('are errors or not, and enough of them or not', () => {
    const states = (list: ProblemList): boolean[] => [list.hasErrors, list.isFull];
    expect(states(listOf(...many(200, warning)))).toEqual([false, false]);
    expect(states(listOf(error(0)))).toEqual([true, false]);
    expect(states(listOf(...many(99, error)))).toEqual([true, false]);
    expect(states(listOf(...many(100, error)))).toEqual([true, true]);
  });

  it('are taken back where they were only warned of, and count no longer', () => {
    const list = listOf(warning(1), { ...warning(1), code: 'other' }, warning(2));
    list.withdraw(['bad'], 1);
    expect(list.sorted().map(({ code, message }) => `${code} ${message}`)).toEqual(['other 1', 'bad 2']);
    for (const finding of many(98, warning)) list.add(finding);
    expect(shown(list)).toEqual([0, 99, undefined]);
    list.add(warning(3));
    expect(shown(list)).toEqual([0, 99, '1 more problem is not shown']);
  });
});
