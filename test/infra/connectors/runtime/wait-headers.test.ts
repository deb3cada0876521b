import { describe, expect, it } from '@jest/globals';
import { askedWaitMs, usedUpMs } from '../../../../infra/connectors/runtime/wait-headers';

const NOW = Date.UTC(2026, 0, 1, 12, 0, 0);
const unix = NOW / 1000;

describe('when a source may be asked again', () => {
  it.each<[string, Record<string, string>, number | undefined]>([
    ['seconds', { 'retry-after': '30' }, 30_000],
    ['seconds with spaces', { 'retry-after': ' 7 ' }, 7000],
    ['parts of a second', { 'retry-after': '1.5' }, 1500],
    ['zero', { 'retry-after': '0' }, 0],
    ['an HTTP date', { 'retry-after': 'Thu, 01 Jan 2026 12:00:30 GMT' }, 30_000],
    ['a date of the past', { 'retry-after': 'Thu, 01 Jan 2026 11:00:00 GMT' }, 0],
    ['negative seconds', { 'retry-after': '-5' }, undefined],
    ['words', { 'retry-after': 'soon' }, undefined],
    ['nothing', {}, undefined],
    ['a wait of years, cut', { 'retry-after': '9999999999' }, 31 * 86_400_000],
    ['Retry-After before a reset header', { 'retry-after': '5', 'x-ratelimit-reset': '90' }, 5000],
    [
      'a reset header after a Retry-After that says nothing',
      { 'retry-after': 'soon', 'x-ratelimit-reset': '90' },
      90_000,
    ],
    ['seconds until the reset', { 'ratelimit-reset': '42' }, 42_000],
    ['the Unix time of the reset', { 'x-ratelimit-reset': String(unix + 90) }, 90_000],
    ['the Unix time in milliseconds', { 'x-rate-limit-reset': String(NOW + 1500) }, 1500],
    ['a date of the reset', { 'x-ratelimit-reset': '2026-01-01T12:01:00Z' }, 60_000],
    ['the combined field', { ratelimit: 'limit=10, remaining=0, reset=7' }, 7000],
    ['the structured field', { ratelimit: '"default";r=0;t=9' }, 9000],
    ['a reset that is over', { 'x-ratelimit-reset': String(unix - 90) }, 0],
  ])('%s', (_name, headers, expected) => {
    expect(askedWaitMs(headers, NOW)).toBe(expected);
  });

  it.each<[string, Record<string, string>, number | undefined]>([
    ['the last one', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30' }, 30_000],
    ['some left', { 'x-ratelimit-remaining': '3', 'x-ratelimit-reset': '30' }, undefined],
    ['the last one without an end', { 'x-ratelimit-remaining': '0' }, undefined],
    ['the last one, and the end is now', { 'ratelimit-remaining': '0', 'ratelimit-reset': '0' }, undefined],
    ['the combined field', { ratelimit: 'limit=10, remaining=0, reset=7' }, 7000],
    ['the structured field', { ratelimit: '"default";r=0;t=9' }, 9000],
    ['no count', { 'ratelimit-reset': '30' }, undefined],
  ])('an answer that was %s', (_name, headers, expected) => {
    expect(usedUpMs(headers, NOW)).toBe(expected);
  });
});
