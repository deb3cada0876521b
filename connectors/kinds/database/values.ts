import { parseExactJson } from '../../../core/base/exact-json';
import type { Json } from '../../../core/base/json';
import { readNumber } from '../../../core/base/number-rule';

/**
 * Values of PostgreSQL as JSON. Numbers are read by the rule of core/base/number-rule: nothing is rounded. Dates and times are ISO 8601; `timestamptz` is in UTC.
 */
export type Decoder = (text: string) => Json;

function exactNumber(text: string): Json {
  return readNumber(text) ?? text;
}

/** PostgreSQL writes a double with just the digits that give it back. `NaN` and `Infinity` are no JSON. */
function double(text: string): Json {
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}

/** `infinity` and years before Christ stay as they are. */
function instant(text: string): string {
  return /^\d{4,6}-\d\d-\d\d \d/.test(text) ? text.replace(' ', 'T').replace(/\+00$/, 'Z') : text;
}

const asText: Decoder = (text) => text;
const DECODERS: ReadonlyMap<number, Decoder> = new Map([
  [16, (text: string) => text === 't'],
  [20, exactNumber],
  [21, Number],
  [23, Number],
  [26, Number],
  [700, double],
  [701, double],
  [1700, exactNumber],
  [114, parseExactJson],
  [3802, parseExactJson],
  [1114, instant],
  [1184, instant],
]);

export const BYTEA = 17;

export function decoderOf(type: number): Decoder {
  return DECODERS.get(type) ?? asText;
}

/** `{1,NULL,"a b"}` as a list, nested as it is. `delimiter`: a comma for all types but one. */
export function arrayDecoder(element: Decoder, delimiter: string): Decoder {
  return (text) => {
    // Bounds other than 1 stand before it: `[0:1]={a,b}`.
    const reader = new ArrayReader(text, text.indexOf('{'), { element, delimiter });
    return reader.list();
  };
}

class ArrayReader {
  constructor(
    private readonly text: string,
    private at: number,
    private readonly use: { element: Decoder; delimiter: string },
  ) {}

  list(): Json[] {
    const items: Json[] = [];
    this.at += 1;
    while (this.at < this.text.length && this.text[this.at] !== '}') {
      items.push(this.item());
      if (this.text[this.at] === this.use.delimiter) this.at += 1;
    }
    this.at += 1;
    return items;
  }

  private item(): Json {
    if (this.text[this.at] === '{') return this.list();
    if (this.text[this.at] === '"') return this.use.element(this.quoted());
    const start = this.at;
    while (this.at < this.text.length && this.text[this.at] !== '}' && this.text[this.at] !== this.use.delimiter) {
      this.at += 1;
    }
    const plain = this.text.slice(start, this.at);
    return plain === 'NULL' ? null : this.use.element(plain);
  }

  private quoted(): string {
    const start = this.at + 1;
    for (this.at = start; this.at < this.text.length && this.text[this.at] !== '"'; this.at += 1) {
      if (this.text[this.at] === '\\') this.at += 1;
    }
    this.at += 1;
    return this.text.slice(start, this.at - 1).replace(/\\([\s\S])/g, '$1');
  }
}

/** A value of a parameter as PostgreSQL reads it; its type is what the statement makes of it. */
export function encodeValue(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return `{${value.map(encodeItem).join(',')}}`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function encodeItem(value: Json): string {
  if (value === null) return 'NULL';
  if (Array.isArray(value)) return `{${value.map(encodeItem).join(',')}}`;
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}
