import { describe, expect, it } from '@jest/globals';
import { parseCondition } from '../../../core/expr/condition';
import { memoized } from '../../../core/expr/memo';
import { parseReference } from '../../../core/expr/reference';
import { parseTemplate } from '../../../core/expr/template';

function counting(): { calls: string[]; run: (text: string) => { text: string } } {
  const calls: string[] = [];
  const run = memoized((text) => {
    calls.push(text);
    return { text };
  });
  return { calls, run };
}

describe('memoized', () => {
  it('parses a text once and gives the same result again', () => {
    const { calls, run } = counting();
    const first = run('a');
    expect(run('a')).toBe(first);
    expect(run('b')).toEqual({ text: 'b' });
    expect(run('a')).toBe(first);
    expect(calls).toEqual(['a', 'b']);
  });

  it('starts anew after a thousand entries, and still answers right', () => {
    const { calls, run } = counting();
    for (let index = 0; index < 1_000; index++) run(`k${index}`);
    run('k0');
    expect(calls).toHaveLength(1_000);
    run('one more');
    run('k0');
    expect(calls).toHaveLength(1_002);
    expect(run('k0')).toEqual({ text: 'k0' });
  });

  it('starts anew when its texts grow too long together', () => {
    const { calls, run } = counting();
    const long = (index: number): string => String(index).padEnd(60_000, 'x');
    for (let index = 0; index < 5; index++) run(long(index));
    expect(calls).toHaveLength(5);
    run(long(4));
    run(long(0));
    expect(calls).toHaveLength(6);
  });

  it('does not keep texts above the limit of the language', () => {
    const { calls, run } = counting();
    const long = 'x'.repeat(65_537);
    run('short');
    run(long);
    run(long);
    run('short');
    expect(calls).toHaveLength(3);
  });

  it('keeps names of the host language apart from results', () => {
    const { run } = counting();
    for (const text of ['__proto__', 'constructor', 'toString', '']) expect(run(text)).toEqual({ text });
  });

  it('serves the three parsers, problems too', () => {
    expect(parseReference('a.b')).toBe(parseReference('a.b'));
    expect(parseTemplate('x {a}')).toBe(parseTemplate('x {a}'));
    expect(parseCondition('{a} > 1')).toBe(parseCondition('{a} > 1'));
    expect(parseCondition('{a} >')).toBe(parseCondition('{a} >'));
  });

  it('does not mix the parsers', () => {
    expect(parseTemplate('a')).toEqual({ ok: true, value: { kind: 'literal', text: 'a' } });
    expect(parseReference('a')).toMatchObject({ ok: true, value: { root: 'a' } });
    expect(parseCondition('a').ok).toBe(false);
  });
});
