import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { checkKeys } from '../../../infra/crypto/check-keys';
import { addKeyToFile, randomMasterKey } from '../../../infra/crypto/key-file';
import { KeyRing } from '../../../infra/crypto/key-ring';
import { ensureKeys, loadKeyRing } from '../../../infra/crypto/load-keys';
import { parseMasterKeys, SAMPLE_KEY } from '../../../infra/crypto/master-keys';
import { headSigner, isSignedBy } from '../../../infra/crypto/signing';
import type { MasterKeyRow } from '../../../infra/db/stores/master-keys.store';
import { testMasterKey } from '../../support/keys';
import { newFolder } from '../../support/run-folder';

const good = testMasterKey('k1');
const base64 = (bytes: number): string => Buffer.alloc(bytes, 'x7Kp').toString('base64');

let home: string;
const file = (): string => join(home, 'master.keys');
const config = (more: object = {}) => ({ home, masterKeys: undefined, masterKeysFile: undefined, ...more });
beforeEach(() => {
  home = newFolder('keys');
});
afterEach(() => rmSync(home, { recursive: true }));

describe('master keys', () => {
  it('are read in order, the first one is current', () => {
    const ring = new KeyRing(parseMasterKeys(`${good},\n ${testMasterKey('k2')}\n`, 'X'));
    expect([ring.current, ring.ids().sort()]).toEqual(['k1', ['k1', 'k2']]);
  });

  it.each([
    ['nothing', ' , ', /no key/],
    ['no id', good.slice(3), /not written as id:base64/],
    ['no base64', 'k1:%%%', /not written as id:base64/],
    [
      '31 bytes',
      `k1:${Buffer.from(good.slice(3), 'base64').subarray(1).toString('base64')}`,
      /too short: 31 bytes, at least 32/,
    ],
    ['a password', 'k1:hunter2', /too short/],
    ['changeme', 'changeme', /sample value/],
    ['changeme as the key', 'k1:changemechangemechangemechangemechangemechangeme', /sample value/],
    ['changeme inside the base64', `k1:${Buffer.from('changeme'.repeat(4)).toString('base64')}`, /no random value/],
    ['the sample of this repository', SAMPLE_KEY, /(sample|no random) value/],
    ['zeros', `k1:${Buffer.alloc(32).toString('base64')}`, /no random value/],
    ['a pattern', `k1:${base64(32)}`, /no random value/],
    ['one id twice', `${good} ${good}`, /"k1" twice/],
  ])('A09: %s are refused in one line that does not repeat them', (_what, text, message) => {
    const refused = (): unknown => parseMasterKeys(text, 'AF_MASTER_KEYS');
    expect(refused).toThrow(message);
    try {
      refused();
    } catch (error) {
      const said = (error as Error).message;
      expect(said).toMatch(/^AF_MASTER_KEYS[^\n]+$/);
      if (text.trim().length > 8) expect(said).not.toContain(text.split(':').at(-1));
    }
  });

  it('the sample in the documentation is the one that is refused', () => {
    const docs = readFileSync(join(__dirname, '../../../docs/secrets.md'), 'utf8');
    expect(docs).toContain(SAMPLE_KEY);
  });
});

describe('loading keys', () => {
  it('F32b: without any there is one clear line, and none is made up', () => {
    expect(() => loadKeyRing(config())).toThrow(/^There is no master key: neither AF_MASTER_KEYS is set nor[^\n]+$/);
    expect(readdirSync(home)).toEqual([]);
  });

  it('F32b: the very first start of the embedded profile writes a random one that its owner alone can read', () => {
    ensureKeys(config());
    const text = readFileSync(file(), 'utf8');
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    ensureKeys(config());
    expect(readFileSync(file(), 'utf8')).toBe(text);
    expect(loadKeyRing(config()).ids()).toHaveLength(1);
  });

  it('a profile that is given keys writes none, and refuses bad ones', () => {
    ensureKeys(config({ masterKeys: good }));
    expect(existsSync(file())).toBe(false);
    expect(() => ensureKeys(config({ masterKeys: 'changeme' }))).toThrow(/sample value/);
    expect(() => ensureKeys(config({ masterKeysFile: join(home, 'none') }))).toThrow(/There is no master key/);
  });

  it.each([0o644, 0o640, 0o604])('a file of mode %o is refused', (mode) => {
    writeFileSync(file(), good);
    chmodSync(file(), mode);
    expect(() => loadKeyRing(config())).toThrow(/chmod 600/);
  });

  it('F32a: a key that is added to the file becomes current, and old things still open', () => {
    ensureKeys(config());
    const ring = loadKeyRing(config());
    const old = ring.current;
    const before = ring.dataKey('secrets', old);
    const added = addKeyToFile(file());
    // Another process has encrypted under the new key already.
    expect(ring.dataKey('secrets', added)).toHaveLength(32);
    expect([ring.current, ring.has(old)]).toEqual([added, true]);
    expect(ring.dataKey('secrets', old)).toEqual(before);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });
});

describe('derived keys', () => {
  it('are others for each purpose and each master key, and the same in every process', () => {
    const ring = (): KeyRing => new KeyRing(parseMasterKeys(`${good},${testMasterKey('k2')}`, 'X'));
    const keys = (['secrets', 'payloads', 'decision-heads', 'key-check'] as const).flatMap((purpose) =>
      ['k1', 'k2'].map((id) => ring().dataKey(purpose, id).toString('hex')),
    );
    expect(new Set(keys).size).toBe(8);
    expect(ring().dataKey('payloads', 'k2').toString('hex')).toBe(keys[3]);
  });

  it('sign heads', () => {
    const signer = headSigner(new KeyRing([randomMasterKey()]));
    const signature = signer.sign('text');
    expect(isSignedBy(signer.publicKey, 'text', signature)).toBe(true);
    expect(isSignedBy(signer.publicKey, 'Text', signature)).toBe(false);
    expect(isSignedBy(headSigner(new KeyRing([randomMasterKey()])).publicKey, 'text', signature)).toBe(false);
    for (const broken of ['', 'x', signature.slice(1)])
      expect(isSignedBy(signer.publicKey, 'text', broken)).toBe(false);
    for (const broken of ['', 'AAAA']) expect(isSignedBy(broken, 'text', signature)).toBe(false);
  });
});

describe('the keys of an installation', () => {
  const knownKeys = (rows: MasterKeyRow[] = []) => ({
    rows,
    list: () => Promise.resolve(rows),
    add: (id: string, check_value: string) => {
      rows.push({ id, check_value, created_at: '2026-01-02T00:00:00Z', retired_at: null });
      return Promise.resolve();
    },
  });
  const ringOf = (...keys: string[]): KeyRing => new KeyRing(parseMasterKeys(keys.join(','), 'X'));

  it('F32b: one that was used and is missing is named at the start', async () => {
    const known = knownKeys();
    await checkKeys(ringOf(good), known);
    await checkKeys(ringOf(good), known);
    expect(known.rows).toHaveLength(1);
    await expect(checkKeys(ringOf(testMasterKey('k2')), known)).rejects.toThrow(/"k1" is missing.*2026-01-02/);
    await checkKeys(ringOf(testMasterKey('k2'), good), known);
    expect(known.rows.map((row) => row.id)).toEqual(['k1', 'k2']);
  });

  it('one of another value under a known id is refused', async () => {
    const known = knownKeys();
    await checkKeys(ringOf(good), known);
    const other = `k1:${testMasterKey('k2').slice(3)}`;
    await expect(checkKeys(ringOf(other), known)).rejects.toThrow(/"k1" is not the one/);
  });

  it('a retired one may be away', async () => {
    const known = knownKeys();
    await checkKeys(ringOf(good), known);
    for (const row of known.rows) row.retired_at = '2026-02-01T00:00:00Z';
    await checkKeys(ringOf(testMasterKey('k2')), known);
  });
});
