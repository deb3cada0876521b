import { expect, it } from '@jest/globals';
import { headerFault } from '../../../core/connector/http-names';

it.each<[string, string | undefined, string | undefined]>([
  ['X-Key', undefined, undefined],
  ['X-Key', 'a b\tc', undefined],
  ['X_Key.1', '', undefined],
  ['', undefined, 'is no header name'],
  ['a b', undefined, '`a b` is no header name'],
  ['a:b', 'x', 'is no header name'],
  ['a\nb', 'x', 'is no header name'],
  ['ä', 'x', 'is no header name'],
  ['a'.repeat(100), undefined, undefined],
  ['a'.repeat(101), undefined, `\`${'a'.repeat(40)}…\` is no header name`],
  ['Host', 'x', 'is set by the platform'],
  ['idempotency-KEY', 'x', 'is set by the platform'],
  ['X-Key', 'a\r\nb', 'contains line breaks'],
  ['X-Key', '\u20ac', 'characters that a header cannot carry'],
  ['X-Key', 'a'.repeat(8_000), undefined],
  ['X-Key', 'a'.repeat(8_001), 'The value of header `X-Key` has 8001 characters, and a header carries at most 8000.'],
])('the header %j with %j: %s', (name, value, fault) => {
  const found = headerFault(name, value);
  if (fault === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(fault);
});
