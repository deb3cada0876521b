import type { Json } from '../../base/json';
import { jsonText } from '../../base/json-text';
import { isNumeric } from '../../base/number-rule';
import { compare } from '../compare';
import type { WorkMeter } from '../work-meter';
import { textOf } from './conversions';
import { isWhole, present, type CallContext, type FunctionEntry, type FunctionTable, type Value } from './entry';

/** Characters are code points: no function cuts one in two. */
export const TEXTS: FunctionTable = [
  ['lower', changes('lower({a.name})', (text) => text.toLowerCase())],
  ['upper', changes('upper({a.name})', (text) => text.toUpperCase())],
  ['trim', changes('trim({a.name})', (text) => text.trim())],
  ['slug', changes('slug({a.title})', slug)],
  [
    'concat',
    {
      params: 'value: any, ...more: any',
      gives: 'text',
      example: "concat({a.first}, ' ', {a.last})",
      ignoresNulls: true,
      call: concat,
    },
  ],
  [
    'substring',
    {
      params: 'value: text, start: number, length?: number',
      gives: 'text',
      example: 'substring({a.code}, 0, 3)',
      call: substring,
    },
  ],
  ['split', { params: 'value: text, separator: text', gives: 'list', example: "split({a.tags}, ',')", call: split }],
  ['join', { params: 'list: list, separator?: text', gives: 'text', example: "join({a.names}, ', ')", call: join }],
  [
    'replace',
    { params: 'value: text, part: text, by: text', gives: 'text', example: "replace({a.ein}, '-', '')", call: replace },
  ],
  [
    'pad',
    {
      params: 'value: text|number, width: number, fill?: text, side?: text',
      gives: 'text',
      example: "pad({a.number}, 6, '0')",
      call: pad,
    },
  ],
  [
    'contains',
    {
      params: 'value: text|list|object, part: any',
      gives: 'boolean',
      example: "contains({a.title}, 'draft')",
      call: ([value, part], { exact }) => compare('contains', value, part, exact),
    },
  ],
  ['starts_with', tests("starts_with({a.code}, 'X')", (text, part) => text.startsWith(part))],
  ['ends_with', tests("ends_with({a.file}, '.xml')", (text, part) => text.endsWith(part))],
];

function changes(example: string, change: (text: string) => string): FunctionEntry {
  return {
    params: 'value: text',
    gives: 'text',
    example,
    call: ([value]) => (typeof value === 'string' ? change(value) : null),
  };
}

function tests(example: string, holds: (text: string, part: string) => boolean): FunctionEntry {
  return {
    params: 'value: text, part: text',
    gives: 'boolean',
    example,
    call: ([text, part]) => typeof text === 'string' && typeof part === 'string' && holds(text, part),
  };
}

/** For addresses and file names: small letters and digits of any script without accents, joined by `-`. */
function slug(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  return plain.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '');
}

function concat(args: readonly Value[], { meter }: CallContext): Json {
  return joined(args, '', meter);
}

function join(args: readonly Value[], { meter }: CallContext): Json {
  const [list] = args;
  const separator = args.length > 1 ? args[1] : ', ';
  return Array.isArray(list) && typeof separator === 'string' ? joined(list, separator, meter) : null;
}

/** What is null has no text and no separator. Null where a list or an object is too large to be written out. */
function joined(values: readonly Value[], separator: string, meter: WorkMeter): Json {
  const texts: string[] = [];
  for (const value of present(values)) {
    const text = textOf(value, meter);
    if (text === null) return null;
    meter.use(text.length + separator.length);
    texts.push(text);
  }
  return texts.join(separator);
}

/** From a place, counted from 0, or from the end where it is negative. */
function substring(args: readonly Value[]): Json {
  const [text, start] = args;
  if (typeof text !== 'string' || !isWhole(start)) return null;
  const characters = Array.from(text);
  const from = start < 0 ? Math.max(0, characters.length + start) : start;
  if (args.length < 3) return characters.slice(from).join('');
  const length = args[2];
  return isWhole(length) && length >= 0 ? characters.slice(from, from + length).join('') : null;
}

/** At each place of the separator; at each character where the separator is empty. */
function split([text, separator]: readonly Value[]): Json {
  if (typeof text !== 'string' || typeof separator !== 'string') return null;
  return separator === '' ? Array.from(text) : text.split(separator);
}

/** All places, as they are written; nothing where the part is empty. */
function replace([text, part, by]: readonly Value[], { meter }: CallContext): Json {
  if (typeof text !== 'string' || typeof part !== 'string' || typeof by !== 'string' || part === '') return null;
  const pieces = text.split(part);
  meter.use((pieces.length - 1) * by.length);
  return pieces.join(by);
}

/** To at least so many characters, on the left unless `side` says `right`. */
function pad(args: readonly Value[], { meter }: CallContext): Json {
  const [value, width] = args;
  const fill = args.length > 2 ? args[2] : ' ';
  const side = args.length > 3 ? args[3] : 'left';
  if ((typeof value !== 'string' && !isNumeric(value)) || !isWhole(width)) return null;
  if (typeof fill !== 'string' || fill === '' || (side !== 'left' && side !== 'right')) return null;
  const text = jsonText(value);
  const missing = width - Array.from(text).length;
  if (missing <= 0) return text;
  const units = Array.from(fill);
  meter.use(missing * Math.ceil(fill.length / units.length));
  const whole = fill.repeat(Math.floor(missing / units.length));
  const padding = whole + units.slice(0, missing % units.length).join('');
  return side === 'left' ? padding + text : text + padding;
}
