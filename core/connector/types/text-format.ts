import type { Fields } from '../fields';
import { SKIPPED_LINES } from '../limits';
import type { TextFormat } from '../types';

export const ENCODINGS = [
  'auto',
  'utf-8',
  'utf-16le',
  'utf-16be',
  'iso-8859-1',
  'iso-8859-2',
  'iso-8859-5',
  'iso-8859-7',
  'iso-8859-8',
  'iso-8859-15',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'koi8-r',
  'koi8-u',
  'macintosh',
  'big5',
  'euc-kr',
  'euc-jp',
  'shift_jis',
  'gbk',
  'gb2312',
  'gb18030',
] as const;

/** Settings of a text with columns. */
export const TEXT_FORMAT = ['delimiter', 'encoding', 'header', 'skip_lines'] as const;

export function readTextFormat(fields: Fields): TextFormat {
  const skipped = fields.integer('skip_lines', SKIPPED_LINES);
  return {
    ...(skipped === undefined ? {} : { skip_lines: skipped }),
    delimiter: readDelimiter(fields),
    encoding: fields.choice('encoding', ENCODINGS) ?? 'auto',
    header: fields.flag('header') ?? true,
  };
}

function readDelimiter(fields: Fields): string {
  const raw = fields.raw('delimiter');
  const delimiter = raw === '\\t' || raw === 'tab' ? '\t' : raw;
  if (delimiter === undefined) {
    return ',';
  }
  if (typeof delimiter !== 'string' || delimiter.length !== 1 || /["\r\n]/.test(delimiter)) {
    fields.report.add(
      fields.at('delimiter'),
      'invalid_value',
      '`delimiter` must be one character such as `,`, `;`, `|` or `tab`.',
    );
    return ',';
  }
  return delimiter;
}
