import { ESCAPES, newUnits, Unescaper, type Units } from './unescape';

/** Comparison of characters. */
export type Kind = 'plain' | 'base64' | 'hex';

/** A text to find, in one way of writing. */
export interface Pattern {
  kind: Kind;
  /** Characters, folded by `FOLDS`. */
  codes: Uint16Array;
  /** Bits that the character before or behind must end or begin with: base64 cuts bytes into sixes. */
  before?: Bits;
  behind?: Bits;
}

interface Bits {
  count: number;
  value: number;
}

export const SHORTEST = 4;
/** Layers of escapes that are taken away, one inside the other. */
export const MOST_LAYERS = 6;
/** Dropped where it stands between the characters of base64: encoders break their lines. */
export const SKIPPED = 0xffff;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Least length at which base64 is no accidental match: it counts also where a text was cut after it. */
const CERTAIN = 8;

/** Tables for ASCII; other characters are compared as they are in `plain`, and end base64 and hex. */
const FOLDS: Readonly<Record<Kind, Uint16Array>> = {
  // A form writes a blank as `+`.
  plain: Uint16Array.from({ length: 128 }, (_none, code) => (code === 0x2b ? 0x20 : code)),
  base64: foldOf(`${ALPHABET}-_\r\n`, (character) => ({ '-': '+', _: '/', '\r': '\uffff', '\n': '\uffff' })[character]),
  hex: foldOf('0123456789abcdefABCDEF', (character) => character.toLowerCase()),
};

function foldOf(characters: string, change: (character: string) => string | undefined): Uint16Array {
  const fold = new Uint16Array(128);
  for (const character of characters.split('')) {
    fold[character.charCodeAt(0)] = (change(character) ?? character).charCodeAt(0);
  }
  return fold;
}

/** Folding for the first look: characters that any of the kinds treats as equal are equal, and few others are. */
export const COARSE = Uint8Array.from({ length: 256 }, (_none, code) => {
  const character = String.fromCharCode(code);
  return '+-_/ '.includes(character) ? 0x20 : code < 128 ? character.toLowerCase().charCodeAt(0) : code;
});

/** Number of characters that the first look compares. */
export const PREFIX_LENGTH = 4;

/** The beginnings under which a pattern may stand in a text, before they are folded. Base64 may have a line break in it. */
export function beginningsOf({ kind, codes }: Pattern): number[][] {
  const first = [...codes.subarray(0, PREFIX_LENGTH)];
  if (kind !== 'base64') return [first];
  const broken = [[0x0a], [0x0d, 0x0a]].flatMap((lineBreak) =>
    [1, 2, 3].map((at) => [...first.slice(0, at), ...lineBreak, ...first.slice(at)].slice(0, PREFIX_LENGTH)),
  );
  return [first, ...broken];
}

export function folded(kind: Kind, code: number): number {
  return code < 128 ? (FOLDS[kind][code] ?? 0) : kind === 'plain' ? code : 0;
}

/** Every spelling of a value without escapes: those are removed from the text. Letters with accents are composed or not. */
export function patternsOf(value: string): Pattern[] {
  const clean = value.replace(/\p{Surrogate}/gu, '\ufffd');
  return [...new Set([clean, clean.normalize('NFC'), clean.normalize('NFD')])].flatMap(patternsOfForm);
}

function patternsOfForm(clean: string): Pattern[] {
  // CSV and SQL double quotation marks. At the ends one more is the text's own.
  const doubled = [/(?<=.)"(?=.)/gs, /(?<=.)'(?=.)/gs].map((quotes) => clean.replace(quotes, '$&$&'));
  const layers = layersOf(clean);
  const texts = new Set([...layers, ...layers.flatMap(endings), ...doubled]);
  const encoded = new Set([clean, JSON.stringify(clean).slice(1, -1), encodeURIComponent(clean)]);
  const bytes = [...encoded].map((text) => Buffer.from(text));
  // Older software writes letters as Latin-1.
  if (/[\x80-\xff]/.test(clean) && !/[^\0-\xff]/.test(clean)) bytes.push(Buffer.from(clean, 'latin1'));
  return [
    ...[...texts].map((text) => patternOf('plain', text)),
    ...bytes.map((each) => patternOf('hex', each.toString('hex'))),
    ...bytes.flatMap((each) => [0, 1, 2].map((offset) => base64Pattern(each, offset))),
  ].filter(({ codes }) => codes.length >= SHORTEST);
}

/** A backslash at the end forms an escape with the text after it, and disappears when escapes are removed. */
function endings(text: string): string[] {
  return text.endsWith('\\') ? [...ESCAPES.values()].map((code) => text.slice(0, -1) + String.fromCharCode(code)) : [];
}

/** The text, and the text with each layer of its escapes removed: what looks like an escape inside a secret is removed there too. */
export function layersOf(text: string): string[] {
  const layers = [text];
  const unescaper = new Unescaper();
  let from = unitsOf(text);
  for (let layer = 0; layer < MOST_LAYERS; layer += 1) {
    const to = newUnits(from.length);
    if (!unescaper.decode(from, to)) break;
    layers.push(Buffer.from(to.codes.buffer, 0, to.length * 2).toString('utf16le'));
    from = to;
  }
  return layers;
}

function unitsOf(text: string): Units {
  const units = newUnits(text.length);
  units.length = text.length;
  for (let i = 0; i < text.length; i += 1) units.codes[i] = text.charCodeAt(i);
  return units;
}

function patternOf(kind: Kind, text: string): Pattern {
  return { kind, codes: Uint16Array.from({ length: text.length }, (_none, i) => folded(kind, text.charCodeAt(i))) };
}

/** Part of the base64 text that the bytes alone determine when `offset` bytes stand before them. */
function base64Pattern(bytes: Buffer, offset: number): Pattern {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes, Buffer.alloc(2)]).toString('base64');
  const first = Math.ceil((offset * 8) / 6);
  const bitsEnd = (offset + bytes.length) * 8;
  const end = Math.floor(bitsEnd / 6);
  const pattern = patternOf('base64', encoded.slice(first, end));
  const before = first * 6 - offset * 8;
  const behind = bitsEnd - end * 6;
  if (before > 0) pattern.before = { count: before, value: sextet(encoded, first - 1) & ((1 << before) - 1) };
  if (behind > 0) pattern.behind = { count: behind, value: sextet(encoded, end) >> (6 - behind) };
  return pattern;
}

function sextet(encoded: string, at: number): number {
  return ALPHABET.indexOf(encoded.charAt(at));
}

/** Compares the neighbour (folded, 0 = none). A long piece is certain without it. */
export function fits(pattern: Pattern, side: 'before' | 'behind', neighbour: number): 'fits' | 'differs' | 'open' {
  const bits = pattern[side];
  if (bits === undefined) return 'open';
  const value = neighbour === 0 ? -1 : ALPHABET.indexOf(String.fromCharCode(neighbour));
  const seen = side === 'before' ? value & ((1 << bits.count) - 1) : value >> (6 - bits.count);
  if (value >= 0 && seen === bits.value) return 'fits';
  return pattern.codes.length >= CERTAIN ? 'open' : 'differs';
}
