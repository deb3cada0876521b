import type { Json } from '../../../core/base/json';
import { rowMaker } from '../../../core/connector/row-maker';
import type { FileEndpoint, FileField, ValueType } from '../../../core/connector/types';
import { convertJson, convertText } from '../../../core/connector/convert';
import { FileFault } from '../file-fault';
import { Warnings } from '../parsed-file';
import type { ParsedFile } from '../parsed-file';
import { absentField } from '../../kinds/files/unseen-fields';

/** Rows and columns of any source. A missing cell is `undefined`. */
export interface Table {
  names: string[];
  /** True when the names are the numbers of the columns. */
  isNumbered?: true;
  rows: readonly (readonly (Json | undefined)[])[];
  /** Type of a column that no field declares. */
  type: ValueType;
  /** Line of the header, for errors. */
  headerLine: number;
}

interface Column {
  field: string;
  index: number;
  type: ValueType;
}

/** Records of a table by the endpoint's fields; without fields every column is one. */
export function readTable(endpoint: FileEndpoint, table: Table): ParsedFile {
  const position = firstPositions(table.names);
  requireColumns(endpoint.fields, position, table.headerLine);
  const columns = columnsOf(endpoint.fields, table, position);
  const warnings = new Warnings();
  const newRow = rowMaker(columns.map((column) => column.field));
  const records = table.rows.map((row) => {
    const record = newRow();
    for (const column of columns) {
      record[column.field] = cellOf(row[column.index], column, warnings);
    }
    return record;
  });
  const absent = endpoint.fields
    .filter((_field, at) => isAbsent(columns[at]?.index ?? -1, table.rows))
    .map((field) => absentField(field, table.isNumbered === true ? [] : table.names));
  const looked = endpoint.fields.length === 0 ? [] : [{ isTable: true, absent }];
  return { records, groups: {}, warnings: warnings.list, columns: table.names, looked };
}

/** True when there is no such column, or when every row ends before it. */
function isAbsent(index: number, rows: Table['rows']): boolean {
  return index < 0 || (rows.length > 0 && rows.every((row) => row[index] === undefined));
}

/** Makes column names unique: an empty one becomes its number, a repeated one gets a number at its end. */
export function columnNames(header: readonly string[]): string[] {
  const taken = new Set<string>();
  return header.map((text, index) => {
    const name = text.trim() === '' ? `column_${index + 1}` : text.trim();
    let unique = name;
    for (let count = 2; taken.has(unique); count += 1) {
      unique = `${name}_${count}`;
    }
    taken.add(unique);
    return unique;
  });
}

export function numberedNames(width: number): string[] {
  return Array.from({ length: width }, (_, index) => String(index + 1));
}

/** First position of each name. */
function firstPositions(names: readonly string[]): Map<string, number> {
  const position = new Map<string, number>();
  names.forEach((name, index) => {
    if (!position.has(name)) {
      position.set(name, index);
    }
  });
  return position;
}

function columnsOf(fields: readonly FileField[], table: Table, position: ReadonlyMap<string, number>): Column[] {
  if (fields.length === 0) {
    return table.names.map((field, index) => ({ field, index, type: table.type }));
  }
  return fields.map((field) => {
    const found = field.paths.find((path) => position.has(path));
    return { field: field.field, index: found === undefined ? -1 : (position.get(found) ?? -1), type: field.type };
  });
}

function cellOf(cell: Json | undefined, column: Column, warnings: Warnings): Json {
  if (cell === undefined || cell === null) {
    return null;
  }
  const value = typeof cell === 'string' ? convertText(cell, column.type) : convertJson(cell, column.type);
  if (value === undefined) {
    warnings.mismatch(column.field, column.type, typeof cell === 'string' ? cell : JSON.stringify(cell));
  }
  return value ?? null;
}

/** A file in which none of the wanted columns exists is another kind of file. */
function requireColumns(fields: readonly FileField[], position: ReadonlyMap<string, number>, line: number): void {
  const wanted = fields.flatMap((field) => field.paths);
  if (wanted.length > 0 && !wanted.some((name) => position.has(name))) {
    throw new FileFault(
      'columns_not_found',
      `None of the columns ${wanted.slice(0, 5).join(', ')} is in the header. Found: ${[...position.keys()].slice(0, 10).join(', ')}.`,
      { line, column: 1 },
    );
  }
}
