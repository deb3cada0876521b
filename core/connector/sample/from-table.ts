import { FieldNames } from './field-names';
import { typeOfTexts } from './infer-type';
import type { SampleShape } from './shape';
import { MAX_FIELDS, MAX_RECORDS } from './shape';

export interface SampleTable {
  /** Names in the header line; empty = there is none. */
  names: string[];
  rows: string[][];
  delimiter: string;
}

/** Shape of a CSV sample; nothing where it has no column. */
export function shapeOfTable({ names, rows, delimiter }: SampleTable): SampleShape | undefined {
  const header = names.length > 0;
  const columns = header ? names : (rows[0] ?? []).map((_cell, index) => String(index + 1));
  const seen = rows.slice(0, MAX_RECORDS);
  const unique = new FieldNames([]);
  const named = columns.map((name, index) => ({ name, index })).filter(({ name }) => name.trim() !== '');
  // A second column of the same name is hidden by the first when rows are read by name.
  const first = named.filter(({ name, index }) => columns.indexOf(name) === index);
  if (first.length === 0) return undefined;
  return {
    format: 'csv',
    single: false,
    records: rows.length,
    fields: first.slice(0, MAX_FIELDS).map(({ name, index }) => ({
      field: unique.nameFor(header ? [name] : ['column', name]),
      path: name,
      type: typeOfTexts(seen.map((row) => row[index] ?? '')),
    })),
    delimiter,
    header,
    unnamed: named.filter(({ name, index }) => columns.indexOf(name) !== index).map(({ name }) => name.slice(0, 60)),
  };
}
