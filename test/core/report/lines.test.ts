import { expect, it } from '@jest/globals';
import { innerMessage, shortfallText } from '../../../core/report/shortfall-text';
import { unknownApproversText } from '../../../core/report/unknown-approvers-text';

it.each([
  ['failed', 'Why.', 'read failed: gone (Why.)'],
  ['failed', '', 'read failed: gone'],
  ['skipped', 'its condition is false', 'read was skipped: its condition is false'],
  ['incomplete', '2 of 8 files not read', 'read: 2 of 8 files not read'],
])('a shortfall of the kind %s with the message %j is %j', (kind, message, text) => {
  expect(shortfallText({ step: 'read', kind, code: 'gone', message })).toBe(text);
});

it.each([
  ['inside, each[0]/a failed', 'each[0]/a failed'],
  ['inside, ', ''],
  ['2 of 8 files, inside, not read', undefined],
  ['', undefined],
])('what lies inside %j is %j', (message, inside) => {
  expect(innerMessage(message)).toBe(inside);
});

it('approvers whom nobody is are named', () => {
  expect(unknownApproversText([])).toBeUndefined();
  expect(unknownApproversText(['ann', 'bob'])).toMatch(
    /^Named as approvers, but nobody answers for them .*: ann, bob$/,
  );
});
