import { isJsonObject, ownField, type Json, type JsonObject } from '../base/json';
import type { Report, Table } from './types';

export function isRecordList(value: Json): value is JsonObject[] {
  return Array.isArray(value) && value.length > 0 && value.every(isJsonObject);
}

/** Elements of a list that are null, so that no row stands for them. */
export function nullsIn(list: readonly Json[]): number {
  return list.filter((element) => element === null).length;
}

export function tableOf(records: readonly JsonObject[]): Table {
  const columns = new Set<string>();
  for (const record of records) {
    for (const name of Object.keys(record)) {
      columns.add(name);
    }
  }
  const names = [...columns];
  return { columns: names, rows: records.map((record) => names.map((name) => ownField(record, name) ?? null)) };
}

/**
 * The records that a value offers as rows: a list of records, a list of single values (column `value`), the only
 * list of records among the fields of a record (`{data, count}`), else the record itself as one row.
 * Null elements (failed items) are left out.
 */
export function recordsOf(value: Json): JsonObject[] {
  if (Array.isArray(value)) {
    return value
      .filter((element) => element !== null)
      .map((element) => (isJsonObject(element) ? element : { value: element }));
  }
  if (!isJsonObject(value)) {
    return value === null ? [] : [{ value }];
  }
  const lists = Object.values(value).filter(isListOfRecords);
  return lists.length === 1 ? recordsOf(lists[0] ?? null) : [value];
}

function isListOfRecords(value: Json): boolean {
  return Array.isArray(value) && value.every((element) => element === null || isJsonObject(element));
}

/**
 * All sections as one table; when there are several, the first column says where a row belongs: `section`, or `section_2` and
 * so on where the data have a column of that name.
 */
export function reportTable(report: Report): Table {
  const parts = report.sections.map((section) => ({ title: section.title, records: recordsOf(section.value) }));
  if (parts.length === 1) {
    return tableOf(parts[0]?.records ?? []);
  }
  const tables = parts.map((part) => ({ title: part.title, table: tableOf(part.records) }));
  const columns = [...new Set(tables.flatMap(({ table }) => table.columns))];
  const rows = tables.flatMap(({ title, table }) => {
    const places = new Map(table.columns.map((name, at) => [name, at]));
    return table.rows.map((row) => [title, ...columns.map((name) => row[places.get(name) ?? -1] ?? null)]);
  });
  return { columns: [freeName('section', columns), ...columns], rows };
}

/** Whatever the case: programs that read tables may take `Section` and `section` for one name. */
function freeName(wanted: string, taken: readonly string[]): string {
  const known = new Set(taken.map((name) => name.toLowerCase()));
  let name = wanted;
  for (let no = 2; known.has(name); no += 1) name = `${wanted}_${no}`;
  return name;
}
