import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { MASK, Redactor } from '../../../infra/secrets/redactor';
import { partsOf } from '../../../infra/secrets/scan/parts';
import { layersOf } from '../../../infra/secrets/scan/patterns';

const masked = (secret: string, text: string): string => new Redactor([secret]).text(text);
const eachByte = (text: string, write: (hex: string) => string): string =>
  [...Buffer.from(text)].map((byte) => write(byte.toString(16).padStart(2, '0'))).join('');
const eachUnit = (text: string, write: (code: number) => string): string =>
  text
    .split('')
    .map((character) => write(character.charCodeAt(0)))
    .join('');
const hex4 = (code: number): string => code.toString(16).padStart(4, '0');
/** Escapes as Python, Go and Java do: all but letters, digits and a few. */
const strict = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
const NAMED: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  $: '&dollar;',
};

/** Escapes: they can be put into one another. */
const ESCAPES: Record<string, (text: string) => string> = {
  'percent, upper case': strict,
  'percent, lower case': (text) => strict(text).replace(/%../g, (code) => code.toLowerCase()),
  'percent, as JavaScript': encodeURIComponent,
  'percent, a form': (text) => strict(text).replaceAll('%20', '+'),
  'percent, every character': (text) => eachByte(text, (hex) => `%${hex}`),
  'percent, every character, upper case': (text) => eachByte(text, (hex) => `%${hex.toUpperCase()}`),
  'named entities': (text) => text.replace(/[&<>"'$]/g, (character) => NAMED[character] ?? character),
  'decimal entities': (text) => eachUnit(text, (code) => `&#${code};`),
  'hexadecimal entities': (text) => eachUnit(text, (code) => `&#x${code.toString(16)};`),
  JSON: (text) => JSON.stringify(text).slice(1, -1),
  'JSON, every character': (text) => eachUnit(text, (code) => `\\u${hex4(code)}`),
  'JSON, upper case': (text) => eachUnit(text, (code) => `\\u${hex4(code).toUpperCase()}`),
  'JSON, slashes': (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
};
/** Other alphabets: they hold the secret, and can be escaped. */
const ALPHABETS: Record<string, (text: string, before: string, behind: string) => string> = {
  hex: (text, before, behind) => Buffer.from(before + text + behind).toString('hex'),
  'hex, upper case': (text, before, behind) =>
    Buffer.from(before + text + behind)
      .toString('hex')
      .toUpperCase(),
  base64: (text, before, behind) => Buffer.from(before + text + behind).toString('base64'),
  base64url: (text, before, behind) => Buffer.from(before + text + behind).toString('base64url'),
  'base64 in lines': (text, before, behind) =>
    Buffer.from(before + text + behind)
      .toString('base64')
      .replace(/.{19}/g, '$&\r\n'),
};
const escapeOf = (name: string): [string, (text: string) => string] => [name, ESCAPES[name] ?? String];
const entriesOf = <T>(table: Record<string, T>) => fc.constantFrom(...Object.entries(table));
/** Four characters remain of it when what looks like an escape in it is taken away. */
const isLong = (text: string): boolean => layersOf(text).every((layer) => layer.length >= 4);
/** Printable ASCII and beyond, without lone halves of characters; no blanks at the ends, which nobody sees. */
const secrets = fc
  .string({ unit: 'grapheme-composite', minLength: 4, maxLength: 40 })
  .filter((text) => !/\p{Surrogate}/u.test(text) && text.trim() === text && isLong(text));
const ascii = fc.stringMatching(/^[!-~]{4,40}$/).filter(isLong);
/**
 * Characters other than letters and digits, so that no escape begins or ends here, but for a secret's last backslash.
 */
const around = fc.constantFrom('', ' ', '"', ' <- ', '=', ', ');
/** A quotation mark of the text beside a secret that begins or ends with two of them, or with a backslash, may be taken for its own. */
const withoutQuotes = (text: string): string => text.replace(/^"(?=\[)|(?<=\])"$/g, '');

describe('a secret is masked', () => {
  it('as it is, wherever it stands', () => {
    fc.assert(
      fc.property(fc.oneof(ascii, secrets), fc.string(), fc.string(), (secret, before, behind) => {
        expect(masked(secret, before + secret + behind)).not.toContain(secret);
      }),
      { numRuns: 500 },
    );
  });

  it('behind any escapes, up to three of them one in the other', () => {
    const chains = fc.array(entriesOf(ESCAPES), { minLength: 1, maxLength: 3 });
    const named = escapeOf('named entities');
    const percent = escapeOf('percent, upper case');
    fc.assert(
      fc.property(fc.oneof(ascii, secrets), chains, around, around, (secret, chain, before, behind) => {
        const written = chain.reduce((text, [, write]) => write(text), secret);
        const text = withoutQuotes(masked(secret, before + written + behind));
        expect(text).toBe(withoutQuotes(before + MASK + behind));
      }),
      {
        numRuns: 2_000,
        examples: [
          ['$!!\\', [named, percent], '', '"'],
          ['>!!!\\', [named], '', '"'],
          ['""!!!!', [percent], '"', ''],
        ],
      },
    );
  });

  it('in hexadecimal and base64, at any offset, escaped or not', () => {
    const escapes = fc.option(entriesOf(ESCAPES), { nil: undefined });
    const bytes = fc.string({ maxLength: 5 });
    fc.assert(
      fc.property(
        fc.oneof(ascii, secrets),
        entriesOf(ALPHABETS),
        escapes,
        bytes,
        bytes,
        (secret, [, write], escape, before, behind) => {
          const written = write(secret, before, behind);
          const text = masked(secret, escape === undefined ? written : escape[1](written));
          expect(text).toContain(MASK);
          // Rest are the neighbours: at most two characters of base64 for each of their bytes, and padding.
          const rest = Buffer.byteLength(before + behind) * 2 + 4;
          expect(text.replace(MASK, '').replace(/%..|&#\w+;|\\u....|\\n|\\r|[\r\n]/g, '.').length).toBeLessThanOrEqual(
            rest + 6,
          );
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

// The same letters with their accents composed (NFC) or not (NFD), each in any of the spellings above.
it.each(['NFC', 'NFD'] as const)('a secret is masked in the other form of Unicode than %s', (form) => {
  const other = form === 'NFC' ? 'NFD' : 'NFC';
  const [secret, shown] = ['pässwörd-Å+/=', 'pässwörd-Å+/='.normalize(other)];
  for (const write of Object.values(ESCAPES))
    expect(masked(secret.normalize(form), `<${write(shown)}>`)).toBe(`<${MASK}>`);
  for (const write of Object.values(ALPHABETS))
    expect(masked(secret.normalize(form), write(shown, '', ''))).toContain(MASK);
});

it('a secret is masked behind escapes of eight digits', () => {
  expect(masked('pä😀ssword', 'x \\U00000070\\U000000e4\\U0001F600ssword')).toBe(`x ${MASK}`);
  expect(masked('pä😀ssword', '\\Uffffffff')).toBe('\\Uffffffff');
});

describe('nothing else is', () => {
  it('where the secret is not there in any spelling', () => {
    const others = fc.string({ unit: 'grapheme', maxLength: 200 });
    fc.assert(
      fc.property(others, (text) => {
        expect(masked('Zq7#vK2!pX9&', text)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });
  it('finds of a short secret need all of its bits', () => {
    const secret = 'aB3$';
    // One bit of the last byte differs: the whole characters of the middle are the same.
    for (const [before, behind] of [
      ['x', 'y'],
      ['xx', 'yyy'],
      ['', 'y'],
    ] as const) {
      const near = Buffer.from(`${before}aB3%${behind}`).toString('base64');
      expect(masked(secret, near)).toBe(near);
    }
  });
});

// findings/17-short-secret-base64.md
it('a secret of four characters is masked in base64 too', () => {
  expect(masked('aB3$', 'YUIzJA==')).toBe(`${MASK}==`);
  expect(masked('aB3$', `{"v":"${Buffer.from('user:aB3$').toString('base64url')}"}`)).not.toContain('JA');
  expect(masked('aB3$', '61423324 and 61423324'.toUpperCase())).toBe(`${MASK} AND ${MASK}`);
});

// findings/18-secret-url-escaped.md
it.each([
  'aB3%24xY7%26kL9%21',
  'aB3$xY7&kL9!',
  'aB3%24xY7%26kL9!',
  'aB3$xY7&amp;kL9!',
  '%61%42%33%24%78%59%37%26%6b%4C%39%21',
  'aB3%2524xY7%2526kL9%2521',
  'aB3\\u0024xY7\\u0026kL9\\u0021',
  'aB3&dollar;xY7&#38;kL9&#x21;',
  'aB3&#0000036;xY7&#X26;kL9&excl;',
])('a secret is masked as %s', (text) => {
  expect(masked('aB3$xY7&kL9!', `echo: ${text}`)).toBe(`echo: ${MASK}`);
});

describe('what stands inside a secret', () => {
  const lines = [
    'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7',
    'VJTUt9Us8cKjMzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDu',
    'c29tZXRoaW5n',
  ];
  const key = `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`;
  const account = {
    type: 'service_account',
    project: 'p-77',
    private_key: key,
    client_email: 'svc@p-77.example.com',
    token_uri: 'https://oauth2.example.com/token',
    nested: { password: 'hunter2', pin: 48392017, list: ['first-of-list'] },
  };
  const secret = JSON.stringify(account);
  const hidden = [...lines, 'svc@p-77.example.com', 'hunter2', 'first-of-list', '48392017'];

  // findings/20-secret-json-parts.md
  it.each([
    ['a value', key],
    ['a value, escaped', JSON.stringify(key)],
    ['one line of a value', `line: ${lines[1]}`],
    ['pretty-printed', JSON.stringify(account, null, 2)],
    ['other order of the fields', JSON.stringify(Object.fromEntries(Object.entries(account).reverse()))],
    ['a string in JSON', JSON.stringify({ config: secret })],
    ['a string in a string in JSON', JSON.stringify({ config: JSON.stringify({ secret }) })],
    ['in base64', Buffer.from(secret).toString('base64')],
    ['one value in base64', Buffer.from(key).toString('base64')],
    ['in base64, in lines', Buffer.from(secret).toString('base64').replace(/.{76}/g, '$&\n')],
    ['whole', secret],
  ])('%s', (_name, text) => {
    const shown = masked(secret, text);
    expect(shown).toContain(MASK);
    for (const part of hidden) expect(shown).not.toContain(part);
    expect(shown).not.toContain(
      Buffer.from(lines[1] ?? '')
        .toString('base64')
        .slice(4, -4),
    );
  });

  it('leaves what everybody knows, and marks between which keys stand', () => {
    const text = 'service_account https://oauth2.example.com/token -----BEGIN PRIVATE KEY-----';
    expect(masked(secret, text)).toBe(text);
  });

  it.each([
    ['user:correct-horse', ['user:correct-horse', 'correct-horse']],
    ['postgres://me:p%40ss%21word@db.example.org/x', ['p%40ss%21word', 'p@ss!word']],
    ['{"url":"https://me:hunter22@h.example"}', ['hunter22']],
    ['{"a":"{\\"password\\":\\"inner-one\\"}"}', ['inner-one']],
    [`first-line-1\nsecond-line-2`, ['first-line-1', 'second-line-2']],
    ['{"pin":12345678901234567890,"rate":1234567.50}', ['12345678901234567890', '1234567.50', '1234567.5']],
    ['Bearer abcd-1234', ['Bearer abcd-1234', 'abcd-1234']],
    ['  trimmed on its way ', ['trimmed on its way']],
    ['abc', []],
  ])('of %j', (whole, parts) => {
    expect(partsOf(whole)).toEqual(expect.arrayContaining(parts));
  });
});

describe('texts of any length', () => {
  it('a find across two pieces is one', () => {
    const secret = 'p$ss/w+rd-0123456789';
    for (const at of [65_500, 65_530, 65_536, 131_000]) {
      for (const written of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('hex')]) {
        const shown = masked(secret, `${'.'.repeat(at)}${written}${'.'.repeat(70_000)}`);
        expect(shown).toBe(`${'.'.repeat(at)}${MASK}${'.'.repeat(70_000)}`);
      }
    }
  });
  it('ends with what repeats the beginning of a secret for ever', () => {
    const secret = `${'a'.repeat(7_999)}b`;
    expect(masked(secret, 'a'.repeat(2_000_000))).toHaveLength(2_000_000);
    expect(masked(secret, `${'a'.repeat(500_000)}b`)).toBe(`${'a'.repeat(492_001)}${MASK}`);
    expect(masked('a'.repeat(8_000), '%'.repeat(1_000_000))).toHaveLength(1_000_000);
    expect(masked('a%25b%2525c', '%25'.repeat(300_000))).toHaveLength(900_000);
  });
});
