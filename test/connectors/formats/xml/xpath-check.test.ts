import { describe, expect, it } from '@jest/globals';
import { xpathFault } from '../../../../connectors/formats/xml/xpath-check';

describe('XPath of a connector', () => {
  it.each([
    "a/b[@c = 'x']/@d",
    '//EIN',
    'a | b',
    '.',
    '..',
    'a/(b | c)',
    'n:a/*:b',
    "exists(a[. = 'X'])",
    'a[1]',
    'a[last()]',
    'a/text()',
    "normalize-space(concat(a, ' ', b))",
    'a[b > 1 and not(c)]',
    'a[.//b]',
  ])('%s is allowed', (path) => {
    expect(xpathFault(path)).toBeUndefined();
  });
  it.each([
    'for $x in 1 to 1000000000 return $x',
    '(1 to 1000000000)',
    'some $x in //a satisfies $x',
    'let $x := 1 return $x',
    'doc("file:///etc/passwd")',
    'unparsed-text("file:///etc/passwd")',
    "matches(a, '(a+)+$')",
    "replace(a, '(a+)+$', '')",
    'a!b',
    'if (a) then b else c',
    'function() { 1 }',
    'array { 1 }',
    'map { "a": 1 }',
    '//*[//*]',
    '//*/following::*',
    '//a//b//c//d',
    'a[b[c[d[e]]]]',
    'a[',
    '',
    `a${'/a'.repeat(400)}`,
  ])('%s is refused', (path) => {
    expect(xpathFault(path)).toEqual(expect.any(String));
  });
});
