import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { associatedData, open, seal } from '../../../infra/crypto/envelope';
import { KeyRing } from '../../../infra/crypto/key-ring';
import { randomMasterKey } from '../../../infra/crypto/key-file';

const [k1, k2] = [randomMasterKey(), randomMasterKey()];
const ring = new KeyRing([k1, k2]);
const ABOUT = ['owner', 'name'];

function codeOf(work: () => unknown): unknown {
  try {
    work();
    return 'no error';
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
}

describe('an envelope', () => {
  it.each([0, 1, 15, 16, 17, 1_000, 100_000])('gives %i bytes back', (size) => {
    const content = randomBytes(size);
    const sealed = seal(ring, 'secrets', content, ABOUT);
    expect(sealed.keyId).toBe(k1.id);
    expect(open(ring, 'secrets', sealed, ABOUT)).toEqual(content);
    if (size >= 15) expect(sealed.bytes.includes(content)).toBe(false);
  });

  it('is another one each time', () => {
    const once = seal(ring, 'secrets', Buffer.from('value'), ABOUT);
    expect(seal(ring, 'secrets', Buffer.from('value'), ABOUT).bytes).not.toEqual(once.bytes);
  });

  it('has a nonce of its own, however many are made', () => {
    const nonces = Array.from({ length: 2_000 }, () =>
      seal(ring, 'secrets', Buffer.from('value'), ABOUT).bytes.subarray(1, 13).toString('hex'),
    );
    expect(new Set(nonces).size).toBe(nonces.length);
  });

  it.each([
    ['another owner', ['other', 'name']],
    ['another name', ['owner', 'other']],
    ['parts that only look alike', ['own', 'ername']],
    ['one part', ['ownername']],
    ['no part', []],
    ['one part more', ['owner', 'name', '']],
  ])('does not open for %s', (_what, about) => {
    const sealed = seal(ring, 'secrets', Buffer.from('value'), ABOUT);
    expect(codeOf(() => open(ring, 'secrets', sealed, about))).toBe('envelope_damaged');
  });

  it('does not open for another purpose', () => {
    const sealed = seal(ring, 'secrets', Buffer.from('value'), ABOUT);
    expect(codeOf(() => open(ring, 'payloads', sealed, ABOUT))).toBe('envelope_damaged');
  });

  it('does not open with any of its bits turned, but for the version with words of its own', () => {
    const sealed = seal(ring, 'secrets', Buffer.from('a secret value'), ABOUT);
    for (let bit = 0; bit < sealed.bytes.length * 8; bit += 1) {
      const bytes = Buffer.from(sealed.bytes);
      bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      const expected = bit < 8 ? 'envelope_invalid' : 'envelope_damaged';
      expect([bit, codeOf(() => open(ring, 'secrets', { ...sealed, bytes }, ABOUT))]).toEqual([bit, expected]);
    }
  });

  it('does not open cut off at any length, or with a byte more', () => {
    const sealed = seal(ring, 'secrets', Buffer.from('a secret value'), ABOUT);
    for (let length = 0; length < sealed.bytes.length; length += 1) {
      const bytes = sealed.bytes.subarray(0, length);
      expect(codeOf(() => open(ring, 'secrets', { ...sealed, bytes }, ABOUT))).toMatch(/^envelope_(invalid|damaged)$/);
    }
    const longer = Buffer.concat([sealed.bytes, Buffer.of(0)]);
    expect(codeOf(() => open(ring, 'secrets', { ...sealed, bytes: longer }, ABOUT))).toBe('envelope_damaged');
  });

  it('does not open under the id of another key, and names a key that is not there', () => {
    const sealed = seal(ring, 'secrets', Buffer.from('value'), ABOUT);
    expect(codeOf(() => open(ring, 'secrets', { ...sealed, keyId: k2.id }, ABOUT))).toBe('envelope_damaged');
    expect(() => open(ring, 'secrets', { ...sealed, keyId: 'gone' }, ABOUT)).toThrow(/"gone".*AF_MASTER_KEYS/);
  });
});

describe('associated data', () => {
  it('are other bytes for every other list of parts', () => {
    const lists = [[], [''], ['', ''], ['a'], ['a', ''], ['', 'a'], ['a', 'b'], ['ab'], ['a\0b'], ['\0\0\0\u0001a']];
    expect(new Set(lists.map((list) => associatedData(list).toString('hex'))).size).toBe(lists.length);
  });
});
