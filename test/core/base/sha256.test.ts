import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { sha256 } from '../../../core/base/sha256';
import { encodeUtf8 } from '../../../core/base/utf8';

const reference = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

describe('sha256', () => {
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
  ])('of the published vector %p', (text, digest) => {
    expect(sha256(text)).toBe(digest);
  });

  it('of a million letters a', () => {
    expect(sha256('a'.repeat(1_000_000))).toBe('cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0');
  });

  it('agrees with node:crypto at every length around the block borders', () => {
    for (let length = 0; length <= 200; length++) {
      const text = 'x'.repeat(length);
      expect(sha256(text)).toBe(reference(text));
    }
  });

  it('agrees with node:crypto on any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(sha256(text)).toBe(reference(text));
      }),
    );
  });

  it('does not depend on earlier calls', () => {
    const first = sha256('one');
    sha256('two');
    expect(sha256('one')).toBe(first);
  });
});

describe('encodeUtf8', () => {
  it.each(['', 'a', '\u007f\u0080', '\u07ff\u0800', '\uffff', '😀', '\ud800', '\udfff', 'a\ud83db', '\ude00\ud83d'])(
    'agrees with Buffer on %j',
    (text) => {
      expect([...encodeUtf8(text)]).toEqual([...Buffer.from(text, 'utf8')]);
    },
  );

  it('agrees with Buffer on any text', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff })), (units) => {
        const text = String.fromCharCode(...units);
        expect(Buffer.from(encodeUtf8(text)).equals(Buffer.from(text, 'utf8'))).toBe(true);
      }),
    );
  });
});
