import type { Json, JsonObject } from '../../../core/base/json';
import { safeRecord } from '../../../core/connector/fields';
import type { FileEndpoint } from '../../../core/connector/types';
import { fecColumns } from './fec-columns';
import { fecCells, usesCommas } from './fec-lines';
import { FileFault } from '../file-fault';
import { readDocument } from '../text/json-file';
import type { ParsedFile } from '../parsed-file';

/** An electronic filing of the FEC: `records` (lines behind the cover), `header`, `filing` (the cover), `text`. */
export function parseFecFile(endpoint: FileEndpoint, text: string): ParsedFile {
  return readDocument(endpoint, fecDocument(text, endpoint.record_types) as unknown as Json, { list: 'records' });
}

export interface FecDocument {
  header: JsonObject;
  filing: JsonObject;
  /** Free text of a letter (form 99). */
  text: string | null;
  records: JsonObject[];
  /** Record type → its records. */
  by_type: Record<string, JsonObject[]>;
}

/** `recordTypes`: only records whose type begins with one of them. Throws FileFault. */
export function fecDocument(text: string, recordTypes?: readonly string[]): FecDocument {
  const source = new Lines(text);
  const { header, version } = readHeader(source);
  const coverLine = source.next();
  if (coverLine === undefined) {
    throw malformed('it ends behind its header', source.number);
  }
  const filing = recordOf(coverLine, { version, commas: source.commas, line: source.number });
  const wanted = recordTypes?.map((type) => type.toUpperCase());
  const records: JsonObject[] = [];
  let letter: string | null = null;
  for (let line = source.next(); line !== undefined; line = source.next()) {
    if (/^\[BEGIN ?TEXT\]\s*$/i.test(line)) {
      letter = source.untilEndOfText();
      continue;
    }
    const record = recordOf(line, { version, commas: source.commas, line: source.number });
    const type = typeOf(record).toUpperCase();
    if (wanted === undefined || wanted.some((prefix) => type.startsWith(prefix))) {
      records.push(record);
    }
  }
  return { header, filing, text: letter, records, by_type: byType(records) };
}

/** Lines that hold something, with their numbers. */
class Lines {
  private readonly lines: string[];
  private at = 0;
  readonly commas: boolean;

  constructor(text: string) {
    this.lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
    this.commas = usesCommas(this.lines.find((line) => line.trim() !== '') ?? '');
  }

  get number(): number {
    return this.at;
  }

  next(): string | undefined {
    while (this.at < this.lines.length) {
      const line = this.lines[this.at] ?? '';
      this.at += 1;
      if (line.trim() !== '') {
        return line;
      }
    }
    return undefined;
  }

  untilEndOfText(): string {
    const begin = this.at;
    while (this.at < this.lines.length) {
      this.at += 1;
      if (/^\[END ?TEXT\]\s*$/i.test(this.lines[this.at - 1] ?? '')) {
        return this.lines
          .slice(begin, this.at - 1)
          .join('\n')
          .trim();
      }
    }
    throw malformed('its text has no [ENDTEXT]', begin);
  }
}

function readHeader(source: Lines): { header: JsonObject; version: string } {
  const line = source.next();
  if (line !== undefined && line.startsWith('/*')) {
    return oldHeader(source);
  }
  const cells = line === undefined ? [] : fecCells(line, source.commas);
  if (line === undefined || cells[0]?.toUpperCase() !== 'HDR') {
    throw malformed('its first line is no HDR record', Math.max(1, source.number));
  }
  const version = (cells[1] === 'FEC' ? cells[2] : cells[1]) ?? '';
  return { header: recordOf(line, { version, commas: source.commas, line: source.number }), version };
}

/** Versions 1 and 2: `name = value` lines between two comments. */
function oldHeader(source: Lines): { header: JsonObject; version: string } {
  const pairs: [string, Json][] = [];
  const begin = source.number;
  for (let line = source.next(); line !== undefined; line = source.next()) {
    if (line.startsWith('/*')) {
      const header = safeRecord(pairs);
      const version = header['fec_ver_#'];
      return { header, version: typeof version === 'string' ? version : '' };
    }
    const at = line.indexOf('=');
    if (at > 0) {
      pairs.push([line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()]);
    }
  }
  throw malformed('its header has no end', begin);
}

/** Columns by name where the form and version are known, else `columns`; cells after the last name are `more`. */
function recordOf(line: string, use: { version: string; commas: boolean; line: number }): JsonObject {
  const cells = fecCells(line, use.commas);
  while (cells.length > 1 && cells.at(-1) === '') {
    cells.pop();
  }
  const type = cells[0] ?? '';
  const names = fecColumns(type, use.version);
  if (names === undefined) {
    return { line: use.line, record_type: type, columns: cells };
  }
  const pairs = names.map((name, index): [string, Json] => [name, valueOf(name, cells[index])]);
  const more = cells.slice(names.length);
  return { line: use.line, ...Object.fromEntries(pairs), ...(more.length === 0 ? {} : { more }) };
}

/** Dates as ISO dates; amounts stay text, exact to the cent, until a field declares them as numbers. */
function valueOf(name: string, cell: string | undefined): Json {
  if (cell === undefined || cell === '') {
    return null;
  }
  const date = name.endsWith('_date') ? /^(\d{4})(\d{2})(\d{2})$/.exec(cell) : null;
  return date === null ? cell : `${date[1]}-${date[2]}-${date[3]}`;
}

function byType(records: readonly JsonObject[]): Record<string, JsonObject[]> {
  const groups = new Map<string, JsonObject[]>();
  for (const record of records) {
    const type = typeOf(record);
    const list = groups.get(type) ?? [];
    list.push(record);
    groups.set(type, list);
  }
  return safeRecord(groups);
}

function typeOf(record: JsonObject): string {
  const type = record['record_type'];
  return typeof type === 'string' ? type : '';
}

function malformed(reason: string, line: number): FileFault {
  return new FileFault('malformed_fec', `The file is no FEC filing: ${reason}.`, { line, column: 1 });
}
