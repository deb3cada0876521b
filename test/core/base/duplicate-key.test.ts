import { expect, it } from '@jest/globals';
import { duplicateKeyOf } from '../../../core/base/duplicate-key';

it.each<[string, string | undefined]>([
  ['{"a": 1, "a": 2}', 'a'],
  ['{"a": {"b": 1, "c": [], "b" : 2}}', 'b'],
  ['[{"x": "\\"", "y": {}, "x": 1}]', 'x'],
  ['{"\\u0061": 1, "a": 2}', 'a'],
  ['{"a b": 1, "a b"\n:\t2}', 'a b'],
  ['{"": 0, "": 1}', ''],
  ['{"a": {"a": {"a": "a"}}, "b": ["a", "a", {"a": 1}], "c": "a: {\\"a\\": 1, \\"a\\": 2}"}', undefined],
  ['["a", "a"]', undefined],
  ['"a"', undefined],
  ['{"a": "\\\\", "b": "\\\\\\"", "c": 1}', undefined],
  ['{}', undefined],
  ['{"__proto__": 1, "__proto__": 2}', '__proto__'],
])('%s: %s', (json, key) => {
  JSON.parse(json);
  expect(duplicateKeyOf(json)).toBe(key);
});
