import { didYouMean } from '../../../core/base/did-you-mean';
import { isJsonObject, type Json, type JsonObject } from '../../../core/base/json';
import type { FileField } from '../../../core/connector/types';

/** A declared field that is in none of the records of a list. */
export interface AbsentField {
  field: string;
  paths: string[];
  /** Present name that was probably meant. */
  near?: string;
}

/** A list of a file in which declared fields were looked for. */
export interface SearchedList {
  /** Name of the group; absent: the file's own records. */
  group?: string;
  /** True when a header names the columns: a file without a column lacks it for certain. */
  isTable: boolean;
  absent: AbsentField[];
}

export function absentField({ field, paths }: FileField, names: readonly string[]): AbsentField {
  const near = paths.flatMap((path) => didYouMean(path, names) ?? [])[0];
  return { field, paths, ...(near === undefined ? {} : { near }) };
}

/** One rule for every format: a field is missing when no record of any file of the call has it, and a column also in one file alone. */
export class UnseenFields {
  private readonly lists: Map<string, ListCounts>;

  constructor(kept?: Json) {
    this.lists = new Map(Array.isArray(kept) ? (kept as unknown as [string, ListCounts][]) : []);
  }

  add(file: string, looked: readonly SearchedList[]): void {
    for (const { group, isTable, absent } of looked) {
      const name = group ?? '';
      const counts = this.lists.get(name) ?? { files: 0, isTable, absent: [] };
      counts.files += 1;
      for (const each of absent) {
        const known = counts.absent.find(({ field }) => field === each.field);
        if (known === undefined) counts.absent.push({ ...each, files: 1, first: file });
        else known.files += 1;
      }
      this.lists.set(name, counts);
    }
  }

  kept(): Json {
    return [...this.lists] as unknown as Json;
  }

  warnings(): JsonObject[] {
    return [...this.lists].flatMap(([group, { files, isTable, absent }]) =>
      absent
        .filter((each) => isTable || each.files === files)
        .map((each) => ({
          code: isTable ? 'column_not_found' : 'unknown_field',
          field: each.field,
          ...(group === '' ? {} : { group }),
          message: sentence(each, { files, group, isTable }),
        })),
    );
  }
}

interface ListCounts {
  /** Files whose list was looked at. */
  files: number;
  isTable: boolean;
  absent: (AbsentField & { files: number; first: string })[];
}

function sentence(
  absent: ListCounts['absent'][number],
  of: { files: number; group: string; isTable: boolean },
): string {
  const { field, paths, near, files, first } = absent;
  const at = paths.map((path) => `\`${path}\``).join(' or ');
  const whose = of.group === '' ? '' : ` of \`${of.group}\``;
  const hint = near === undefined ? '' : ` Did you mean \`${near}\`?`;
  if (files === of.files) return `\`${field}\` is null everywhere: no record${whose} has ${at}.${hint}`;
  const others = files === 1 ? '' : ` and ${files - 1} more`;
  return `\`${field}\` is null in the records of ${files} of ${of.files} files (${first}${others}): they have no ${at}.${hint}`;
}

/** Names that records have, for a suggestion. */
export function fieldNamesOf(records: readonly Json[]): string[] {
  const names = new Set<string>();
  for (const record of records.slice(0, 100)) {
    if (isJsonObject(record)) for (const name of Object.keys(record)) names.add(name);
  }
  return [...names];
}
