import { describe, expect, it } from '@jest/globals';
import { hasValidator, keptHeaders, isStorable } from '../../../connectors/runtime/cache/cache-rules';
import type { Exchange } from '../../../connectors/http/exchange';
import { unreadableFacts } from '../../../connectors/http/fact-headers';

describe('what an answer says of itself', () => {
  it.each([
    ['last-modified', 'Wed, 21 Oct 2015 07:28:00 GMT'],
    ['last-modified', 'Wednesday, 21-Oct-15 07:28:00 GMT'],
    ['last-modified', 'Wed Oct 21 07:28:00 2015'],
    ['last-modified', '2015-10-21T07:28:00Z'],
    ['date', 'Wed, 21 Oct 2015 07:28:00 GMT'],
    ['expires', '0'],
    ['expires', '-1'],
    ['expires', 'Thu, 01 Jan 1970 00:00:00 GMT'],
    ['age', '0'],
    ['age', '10, 20'],
    ['content-length', '17'],
    ['etag', '"abc"'],
    ['etag', 'W/"abc"'],
    ['etag', '""'],
    ['etag', '5d8c72a5edda8'],
    ['cache-control', ''],
    ['cache-control', 'no-cache="set-cookie, x", max-age=60 , immutable,'],
    ['cache-control', 's-maxage="60", future-word=1'],
    ['x-unknown', 'yesterday'],
  ])('%s: %s can be read', (name, text) => {
    expect(unreadableFacts({ [name]: text })).toEqual([]);
  });

  it.each([
    ['last-modified', 'yesterday'],
    ['last-modified', '21.10.2015 07:28'],
    ['last-modified', ''],
    ['last-modified', 'Wed, 99 Oct 2015 07:28:00 GMT'],
    ['date', 'now'],
    ['expires', 'in an hour'],
    ['age', '-5'],
    ['age', '3 minutes'],
    ['content-length', '17 bytes'],
    ['etag', '"abc'],
    ['etag', ''],
    ['etag', 'two words'],
    ['cache-control', 'no store'],
    ['cache-control', 'max-age=soon'],
    ['cache-control', 'no-store; private'],
  ])('%s: %s is named with its text', (name, text) => {
    expect(unreadableFacts({ [name]: text })).toEqual([
      expect.stringContaining(`The header \`${name}: ${text}\` cannot be read: `),
    ]);
  });

  it('what cannot be read is no validator, is not kept, and lets nothing be kept where it may forbid it', () => {
    const headers = { 'last-modified': 'yesterday', etag: '"a', date: 'now', 'content-type': 'text/plain' };
    expect(keptHeaders(headers)).toEqual({ 'content-type': 'text/plain' });
    expect([hasValidator(headers), hasValidator({ ...headers, etag: '"a"' })]).toEqual([false, true]);
    const keeps = (control: string): boolean =>
      isStorable({} as Exchange, {
        status: 200,
        headers: { 'cache-control': control },
        body: new Uint8Array(),
        url: 'https://a.example/',
      });
    expect([keeps('max-age=60'), keeps('no store'), keeps('max-age=soon')]).toEqual([true, false, false]);
  });
});
