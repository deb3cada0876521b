import { chmodSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Redactor } from '../../../infra/secrets/redactor';
import { Secrets } from '../../../infra/secrets/secrets';
import { newFolder } from '../../support/run-folder';

let home: string;
const file = () => join(home, 'secrets.json');
function write(text: string, mode = 0o600): void {
  writeFileSync(file(), text);
  chmodSync(file(), mode);
}
const codeOf = (work: () => unknown): unknown => {
  try {
    work();
    return undefined;
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
};

beforeEach(() => {
  home = newFolder('secrets');
});
afterEach(() => rmSync(home, { recursive: true }));

describe('secrets.json', () => {
  it('are read at each use', () => {
    const secrets = new Secrets(home);
    expect(secrets.find('key')).toBeUndefined();
    write('{"key": "one"}');
    expect(secrets.find('key')).toBe('one');
    write('{"key": "two", "other": "x"}');
    utimesSync(file(), 1, 1);
    expect(secrets.find('key')).toBe('two');
    expect(secrets.entries()).toEqual([
      ['key', 'two'],
      ['other', 'x'],
    ]);
    rmSync(file());
    expect(secrets.find('key')).toBeUndefined();
  });

  it.each([0o644, 0o640, 0o604, 0o660])('a file of mode %o is refused', (mode) => {
    write('{"key": "one"}', mode);
    expect(codeOf(() => new Secrets(home).find('key'))).toBe('secrets_file_unsafe');
  });

  it('a loosened file is refused though it was read before', () => {
    write('{"key": "one"}');
    const secrets = new Secrets(home);
    secrets.find('key');
    chmodSync(file(), 0o644);
    expect(codeOf(() => secrets.find('key'))).toBe('secrets_file_unsafe');
  });

  it.each(['', 'hunter2', '[]', '{"key": 1}', '{"key": ""}', 'null'])(
    'the content %j is refused without being quoted',
    (text) => {
      write(text);
      const secrets = new Secrets(home);
      expect(codeOf(() => secrets.find('key'))).toBe('secrets_file_invalid');
      expect(() => secrets.find('key')).not.toThrow(/hunter2/);
    },
  );

  it.each(['__proto__', 'constructor', 'toString'])('%s is no secret', (name) => {
    write('{"key": "one"}');
    expect(new Secrets(home).find(name)).toBeUndefined();
  });
});

describe('Redactor', () => {
  const secret = 'p$ss/w+rd "quoted" ü';
  const mask = new Redactor([secret, 'abc', 'second-secret']).text;

  it.each([
    ['plain', secret],
    ['json', JSON.stringify({ a: secret })],
    ['url', `https://h/?k=${encodeURIComponent(secret)}&x=1`],
    ['form', `k=${encodeURIComponent(secret).replaceAll('%20', '+')}`],
    ['lower-case url', encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
    ['base64', Buffer.from(secret).toString('base64')],
    ['base64url', Buffer.from(secret).toString('base64url')],
    ['hex', Buffer.from(secret).toString('hex')],
    ['basic auth', `Basic ${Buffer.from(`user:${secret}`).toString('base64')}`],
    ['basic auth, other offset', `Basic ${Buffer.from(`users:${secret}:x`).toString('base64')}`],
    ['basic auth, third offset', `Basic ${Buffer.from(`user1s:${secret}`).toString('base64')}`],
  ])('masks the %s form', (_form, text) => {
    const masked = mask(`before ${text} after`);
    expect(masked).toContain('[masked]');
    expect(masked).toMatch(/^before .* after$/s);
    for (const form of [secret, Buffer.from(secret).toString('base64').slice(4, -4), encodeURIComponent(secret)]) {
      expect(masked).not.toContain(form);
    }
  });

  it('masks every secret and leaves other text alone', () => {
    expect(mask('second-secret, second-secret and abc')).toBe('[masked], [masked] and abc');
    expect(new Redactor([]).text('nothing')).toBe('nothing');
  });
});
