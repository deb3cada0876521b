import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { randomMasterKey } from '../../../infra/crypto/key-file';
import { KeyRing } from '../../../infra/crypto/key-ring';
import { headSigner } from '../../../infra/crypto/signing';
import { GENESIS } from '../../../infra/decisions/chain';
import { headText } from '../../../infra/decisions/head-text';
import { ExportVerifier, type VerifyOptions } from '../../../infra/decisions/verify-export';

const OWNER = randomUUID();
const signer = headSigner(new KeyRing([randomMasterKey()]));

interface Entry {
  kind: 'entry';
  no: number;
  entry: string;
  prev_hash: string;
  hash: string;
}

/** A chain as the database writes it. */
function chain(texts: readonly string[], ownerFirst = GENESIS): Entry[] {
  let previous = ownerFirst;
  return texts.map((entry, index) => {
    const prev_hash = previous;
    previous = createHash('sha256')
      .update(previous + entry)
      .digest('hex');
    return { kind: 'entry', no: index + 1, entry, prev_hash, hash: previous };
  });
}

function head(entries: readonly Entry[], no: number, { by = signer, owner = OWNER } = {}): object {
  const stated = { no, hash: entries[no - 1]?.hash ?? GENESIS, signed_at: `2026-01-0${no + 1}T00:00:00.000Z` };
  return {
    kind: 'head',
    ...stated,
    key_id: by.keyId,
    public_key: by.publicKey,
    signature: by.sign(headText(owner, stated)),
  };
}

const start = { kind: 'export', format: 1, owner_id: OWNER };
const entries = chain(['{"decision":"approve"}', '{"decision":"reject"}', 'third', 'fourth', 'fifth']);
const whole = [start, ...entries, head(entries, 2), head(entries, 5)];

function verify(lines: readonly (object | string)[], options?: VerifyOptions): unknown {
  const verifier = new ExportVerifier(options);
  for (const line of lines) verifier.take(typeof line === 'string' ? line : JSON.stringify(line));
  const result = verifier.finish();
  return result.ok ? 'ok' : result.fault.code;
}
const at = (lines: readonly object[], index: number, change: object): object[] =>
  lines.map((line, no) => (no === index ? { ...line, ...change } : line));
const without = (lines: readonly object[], ...indexes: number[]): object[] =>
  lines.filter((_line, no) => !indexes.includes(no));

describe('an exported chain of decisions', () => {
  it('verifies whole, empty, and with blank lines', () => {
    expect(verify(whole)).toBe('ok');
    expect(verify([start, head([], 0)])).toBe('ok');
    expect(verify([...whole, ''])).toBe('ok');
  });

  it('says how it ends and who signed', () => {
    const verifier = new ExportVerifier();
    for (const line of whole) verifier.take(JSON.stringify(line));
    expect(verifier.finish()).toEqual({
      ok: true,
      verified: {
        owner_id: OWNER,
        entries: 5,
        hash: entries[4]?.hash,
        signed_at: '2026-01-06T00:00:00.000Z',
        public_keys: [signer.publicKey],
      },
    });
  });

  it.each([1, 2, 3, 4, 5])('changed: the text of entry %i', (no) => {
    expect(verify(at(whole, no, { entry: 'another' }))).toBe('entry_changed');
  });

  it.each([1, 2, 3, 4, 5])('changed with its hash: entry %i', (no) => {
    const hash = createHash('sha256')
      .update(`${entries[no - 1]?.prev_hash}another`)
      .digest('hex');
    expect(verify(at(whole, no, { entry: 'another', hash }))).toMatch(/^(entry_out_of_place|head_mismatch)$/);
  });

  it.each([1, 2, 3, 4])('removed: entry %i', (no) => expect(verify(without(whole, no))).toBe('entry_out_of_place'));

  it('reordered', () => {
    const [a, b, ...rest] = entries;
    expect(verify([start, b as Entry, a as Entry, ...rest, head(entries, 5)])).toBe('entry_out_of_place');
  });

  it.each([0, 1, 3, 5])('inserted after entry %i', (after) => {
    const lines = [...whole];
    lines.splice(after + 1, 0, { kind: 'entry', no: after + 1, entry: 'x', prev_hash: GENESIS, hash: GENESIS });
    expect(verify(lines)).toMatch(/^entry_/);
  });

  it('appended behind the signed end, with a right hash', () => {
    const longer = chain([...entries.map((entry) => entry.entry), 'sixth']);
    expect(verify([start, ...longer, head(entries, 5)])).toBe('not_signed');
    expect(verify([...whole, longer[5] as Entry])).toBe('entry_out_of_place');
  });

  it('written anew as a whole, by one who cannot sign', () => {
    const forged = chain(['other', ...entries.slice(1).map((entry) => entry.entry)]);
    expect(verify([start, ...forged, head(entries, 5)])).toBe('head_mismatch');
  });

  it('truncated: the last entries, with or without the heads', () => {
    expect(verify(without(whole, 5))).toBe('truncated');
    expect(verify(without(whole, 4, 5))).toBe('truncated');
    expect(verify(without(whole, 6, 7))).toBe('not_signed');
    expect(verify(without(whole, 7))).toBe('not_signed');
    expect(verify(whole.slice(0, 4))).toBe('not_signed');
  });

  it('truncated to an earlier signed head: who noted a later one finds it', () => {
    const earlier = [start, ...entries.slice(0, 2), head(entries, 2)];
    expect(verify(earlier)).toBe('ok');
    const seen = { no: 5, hash: entries[4]?.hash ?? '' };
    expect(verify(earlier, { seen })).toBe('seen_head_missing');
    expect(verify(whole, { seen })).toBe('ok');
    expect(verify(whole, { seen: { no: 2, hash: GENESIS } })).toBe('seen_head_missing');
  });

  it('signed by another key than those that are named', () => {
    const other = headSigner(new KeyRing([randomMasterKey()]));
    const forged = [start, ...entries, head(entries, 5, { by: other })];
    expect(verify(forged)).toBe('ok');
    expect(verify(forged, { publicKeys: [signer.publicKey] })).toBe('unknown_signer');
    expect(verify([...whole, ...forged.slice(-1)], { publicKeys: [signer.publicKey, other.publicKey] })).toBe('ok');
  });

  it('with a head of another owner, a changed head, a broken signature', () => {
    expect(verify([start, ...entries, head(entries, 5, { owner: randomUUID() })])).toBe('head_invalid');
    expect(verify(at(whole, 7, { signed_at: '2030-01-01T00:00:00.000Z' }))).toBe('head_invalid');
    expect(verify(at(whole, 7, { signature: 'AAAA' }))).toBe('head_invalid');
  });

  it.each([
    ['nothing', []],
    ['no start', whole.slice(1)],
    ['two starts', [start, ...whole]],
    ['another format', at(whole, 0, { format: 2 })],
    ['half a line', [start, '{"kind":"entry","no":1']],
    ['something else', [start, '[1]', '"x"']],
    ['an entry without a text', at(whole, 1, { entry: 5 })],
    ['a head without a number', at(whole, 6, { no: '2' })],
  ])('%s is a fault, never an exception', (_what, lines) => {
    expect(verify(lines)).toMatch(/^(unreadable_line|not_signed)$/);
  });
});
