import { compareDecimals, decimalOf } from '../../../core/base/decimal';
import { isExactDouble } from '../../../core/base/number-rule';

/** Long enough to hold more than a double, or with an exponent. The text of a cell, in whatever prefix. */
const LONG_VALUE = /<((?:\w+:)?)v>\s*([+-]?(?:[\d.]{16,}(?:[eE][+-]?\d+)?|[\d.]+[eE][+-]?\d{3,}))\s*<\/\1v>/g;
const INTEGER = /^[+-]?\d+$/;

/**
 * The sheet with such numbers as text cells as no double holds: the library reads every number as a double. Bytes are looked
 * at as characters: all of the markup is ASCII.
 */
export function withKeptNumbers(sheet: Buffer): Buffer {
  const xml = sheet.toString('latin1');
  let kept = '';
  let copied = 0;
  let seen = 0;
  for (const match of xml.matchAll(LONG_VALUE)) {
    const [whole, prefix = '', written = ''] = match;
    // The search begins behind the value before it, so that no byte is read twice, in any file.
    const within = xml.slice(seen, match.index).lastIndexOf(`<${prefix}c`);
    const start = seen + within;
    seen = match.index + whole.length;
    if (within < 0 || isGivenBack(written)) continue;
    const end = xml.indexOf('>', start);
    if (end > match.index) continue;
    const tag = xml.slice(start, end);
    const type = /\st\s*=\s*["']([^"']*)["']/.exec(tag);
    if (type !== null && type[1] !== 'n') continue;
    const bare = type === null ? tag : tag.replace(type[0], '');
    kept += `${xml.slice(copied, start)}${bare} t="str"`;
    copied = end;
  }
  return copied === 0 ? sheet : Buffer.from(kept + xml.slice(copied), 'latin1');
}

/** A cell of an ODS file with a number that may be longer than a double. */
const LONG_CELL =
  /<(?:\w+:)?table-cell\b[^<>]*\soffice:value="(-?[\d.]{16,}(?:[eE][+-]?\d+)?|-?[\d.]+[eE][+-]?\d{3,})"[^<>]*>/g;

/** The content of an ODS file with such numbers as text cells. */
export function withKeptCells(content: Buffer): Buffer {
  const xml = content.toString('latin1');
  if (xml.search(LONG_CELL) < 0) return content;
  const kept = xml.replace(LONG_CELL, (cell, written: string) =>
    isGivenBack(written)
      ? cell
      : cell
          .replace(/\soffice:value-type="(?:float|percentage|currency)"/, ' office:value-type="string"')
          .replace(/\soffice:value="/, ' office:string-value="'),
  );
  return Buffer.from(kept, 'latin1');
}

/** Excel writes a fraction with 17 digits, also where fewer say the same double: `1.1000000000000001` is 1.1. */
function isGivenBack(written: string): boolean {
  if (isExactDouble(written)) return true;
  const value = Number(written);
  if (INTEGER.test(written) || !Number.isFinite(value)) return false;
  const [exact, printed] = [decimalOf(written), decimalOf(value.toPrecision(17))];
  return exact !== undefined && printed !== undefined && compareDecimals(exact, printed) === 0;
}

/** A formula whose cell has no value: the program that wrote the file did not calculate. */
const UNCOMPUTED =
  /(?:<\/(?:\w+:)?f>|<(?:\w+:)?f\b[^<>]*\/>)\s*(?:<(?:\w+:)?v\s*\/>\s*|<(?:\w+:)?v>\s*<\/(?:\w+:)?v>\s*)?<\/(?:\w+:)?c>/;

export function hasUncomputedCells(sheet: Buffer): boolean {
  return UNCOMPUTED.test(sheet.toString('latin1'));
}
