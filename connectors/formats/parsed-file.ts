import { shorten } from '../../core/base/shorten';
import type { JsonObject } from '../../core/base/json';
import { digitsRemark } from '../../core/base/number-rule';
import { safeRecord } from '../../core/connector/fields';
import type { FileEndpoint } from '../../core/connector/types';
import type { SearchedList } from '../kinds/files/unseen-fields';

/** A value that did not have its declared type; it became null. With a code: something else that is wrong with the file. */
export interface FieldWarning {
  code?: 'short_rows';
  field: string;
  message: string;
}

/** Result of one file. Rows of groups already repeat the carried fields. */
export interface ParsedFile {
  records: JsonObject[];
  groups: Record<string, JsonObject[]>;
  warnings: FieldWarning[];
  /** Columns that a table's header names, with rows below it or without. */
  columns?: string[];
  /** Lists in which declared fields were looked for. */
  looked?: SearchedList[];
}

/** Limit of mismatches: further ones tell nothing new. */
const MAX_WARNINGS = 20;

export class Warnings {
  readonly list: FieldWarning[] = [];

  note(field: string, message: string): void {
    if (this.list.length < MAX_WARNINGS) this.list.push({ field, message });
  }

  mismatch(field: string, type: string, text: string): void {
    const remark = type === 'number' || type === 'integer' ? digitsRemark(text) : '';
    this.note(field, `\`${field}\` should be of type ${type}, found \`${shorten(text)}\`.${remark}`);
  }
}

/** Rows of every group with the fields of the file's own record that they carry. */
export function carryFields(
  endpoint: FileEndpoint,
  own: JsonObject | undefined,
  groups: Record<string, JsonObject[]>,
): Record<string, JsonObject[]> {
  return safeRecord(
    Object.entries(groups).map(([name, rows]) => {
      const carry = endpoint.groups[name]?.carry ?? [];
      const carried = carry.map((field): [string, JsonObject[string]] => [field, own?.[field] ?? null]);
      return [name, rows.map((row) => Object.fromEntries([...carried, ...Object.entries(row)]))] as const;
    }),
  );
}
