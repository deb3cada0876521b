import { describe, expect, it } from '@jest/globals';
import { requestedWaitMs, hasReadableWait, unreadableWaits, exhaustedMs } from '../../../infra/egress/wait-headers';

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
    ['negative seconds', { 'retry-after': '-5' }, 0],
    ['words: a safe pause', { 'retry-after': 'soon' }, 60_000],
    ['words that look like a date to a lenient reader', { 'retry-after': 'about 5' }, 60_000],
    // findings/09-retry-after-list.md
    ['a list: the largest', { 'retry-after': '4, 5' }, 5000],
    ['a list with a part that nobody can read', { 'retry-after': '4, soon' }, 60_000],
    ['a list of a date and seconds', { 'retry-after': 'Thu, 01 Jan 2026 12:00:30 GMT, 5' }, 30_000],
    ['a duration', { 'retry-after': 'PT4S' }, 4000],
    ['a longer duration', { 'retry-after': 'P1DT1H1M1.5S' }, 90_061_500],
    ['seconds with their unit', { 'retry-after': '90s' }, 90_000],
    ['minutes', { 'retry-after': '2 minutes' }, 120_000],
    ['several units', { 'x-ratelimit-reset': '1m30s' }, 90_000],
    ['units with blanks and fractions', { 'retry-after': '1 hour 0.5 min' }, 3_630_000],
    ['thousandths', { 'retry-after': '1500ms' }, 1500],
    ['a day', { 'retry-after': '1d' }, 86_400_000],
    ['a unit that nobody knows', { 'retry-after': '5 moons' }, 60_000],
    ['the Unix time in place of seconds', { 'retry-after': String(unix + 9) }, 9000],
    ['an RFC 850 date', { 'retry-after': 'Thursday, 01-Jan-26 12:00:09 GMT' }, 9000],
    ['an asctime date', { 'retry-after': 'Thu Jan  1 12:00:09 2026' }, 9000],
    ['an ISO time without zone', { 'retry-after': '2026-01-01T12:00:09' }, 9000],
    ['a list of resets', { 'x-ratelimit-reset': '7, 9' }, 9000],
    ['a reset that nobody can read', { 'x-ratelimit-reset': 'tomorrow' }, 60_000],
    ['several policies: the one with least left', { ratelimit: '"a";r=10;t=5, "b";r=0;t=60' }, 60_000],
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
    expect(requestedWaitMs(headers, NOW)).toBe(expected);
  });

  it.each<[string, Record<string, string>, number | undefined]>([
    ['the last one', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30' }, 30_000],
    ['some left', { 'x-ratelimit-remaining': '3', 'x-ratelimit-reset': '30' }, undefined],
    ['the last one of two counts', { 'x-ratelimit-remaining': '5, 0', 'x-ratelimit-reset': '30' }, 30_000],
    [
      'the last one, with an end that nobody can read',
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '?' },
      60_000,
    ],
    ['the last one of one policy', { ratelimit: '"a";r=10;t=5, "b";r=0;t=60' }, 60_000],
    ['the last one without an end', { 'x-ratelimit-remaining': '0' }, undefined],
    ['the last one, and the end is now', { 'ratelimit-remaining': '0', 'ratelimit-reset': '0' }, undefined],
    ['the combined field', { ratelimit: 'limit=10, remaining=0, reset=7' }, 7000],
    ['the structured field', { ratelimit: '"default";r=0;t=9' }, 9000],
    ['no count', { 'ratelimit-reset': '30' }, undefined],
  ])('an answer that was %s', (_name, headers, expected) => {
    expect(exhaustedMs(headers, NOW)).toBe(expected);
  });

  it('what cannot be read is a warning with its text', () => {
    const headers = { 'retry-after': '4, soon', 'x-ratelimit-remaining': 'many', 'ratelimit-reset': '7' };
    const found = unreadableWaits(headers, NOW);
    expect(found).toHaveLength(2);
    expect(found[0]).toContain('`retry-after: 4, soon`');
    expect(found[1]).toContain('`x-ratelimit-remaining: many`');
    for (const ratelimit of ['soon', '"a";r=few;t=5', '"a";r=0;t=then', 'remaining=?', 'limit=10', '"a";q=5']) {
      const [said, ...others] = unreadableWaits({ ratelimit }, NOW);
      expect([said, others]).toEqual([expect.stringContaining(`\`ratelimit: ${ratelimit}\``), []]);
    }
    for (const ratelimit of ['', '"a";r=3;t=5', 'limit=10, remaining=3', 'reset=5', '"a";r=3'])
      expect(unreadableWaits({ ratelimit }, NOW)).toEqual([]);
    expect(unreadableWaits({ 'retry-after': '4, 5', 'ratelimit-reset': '2026-01-01T12:00:09Z' }, NOW)).toEqual([]);
  });

  it.each([
    ['5', true],
    ['soon', false],
    [undefined, false],
  ])('a 503 of an effect is a refusal only with a word that is understood: %s', (header, expected) => {
    expect(hasReadableWait(header)).toBe(expected);
  });
});
