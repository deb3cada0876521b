import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { RE2JS } from 're2js';
import { patternSize } from '../../../../core/expr/functions/pattern-size';
import { patternFault } from '../../../../core/expr/functions/patterns';

describe('patternSize', () => {
  it('bounds what is compiled', () => {
    const atom = fc.constantFrom('a', '[a-c]', '[0-9]', '.', '[^]]');
    const repeat = fc.constantFrom('', '*', '+?', '{2}', '{0,7}', '{3,}');
    const pattern = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 3 },
        fc.tuple(atom, repeat).map(([a, r]) => a + r),
        fc.tuple(tie('node'), tie('node')).map(([a, b]) => a + b),
        fc.tuple(tie('node'), tie('node'), repeat).map(([a, b, r]) => `(${a}|${b})${r}`),
      ),
    })).node;
    fc.assert(
      fc.property(pattern, (source) => {
        fc.pre(patternFault(source) === undefined);
        expect(RE2JS.compile(source).programSize()).toBeLessThanOrEqual(3 * patternSize(source) + 3);
      }),
    );
  });

  it.each([
    ['x{1000}'.repeat(140)],
    [`(${'a'.repeat(900)}){1000}`],
    [`(${'[a-z]'.repeat(180)}){1000}`],
    ['((a{0,90}){0,90}){0,9}'],
  ])('refuses a bomb before it is compiled (%#)', (source) => {
    expect(patternFault(source)).toContain('more than 5000 parts');
  });

  it.each([
    ['[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,6})?(Z|[+-][0-9]{2}:[0-9]{2})'],
    ['(?i)^[a-z0-9._%+-]{1,64}@[a-z0-9-]{1,63}([.][a-z0-9-]{1,63}){1,8}$'],
    ['[]]{4}'],
    ['{a}'],
  ])('takes %s', (source) => {
    expect(patternFault(source)).toBeUndefined();
  });
});
