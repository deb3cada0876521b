import { didYouMean } from '../base/did-you-mean';
import type { Json, JsonObject } from '../base/json';
import { hasField, type FieldPath } from './field-path';
import { columnsOf, type Row } from './rows';

/** Replay-sensitive. Remarks on records that a transform left out, and on fields that do not exist. */
export type RemarkCode =
  | 'unknown_field'
  | 'empty_input'
  | 'null_records'
  | 'not_comparable'
  | 'not_computed'
  | 'no_key'
  | 'key_missing'
  | 'no_list'
  | 'limited'
  | 'uneven'
  | 'several_values'
  | 'more_warnings';

/** Records, or values, that are not in the result although nobody left them out on purpose. */
const LOSSES: ReadonlySet<string> = new Set<RemarkCode>(['not_comparable', 'not_computed', 'no_key', 'several_values']);

/** True: something is surely missing. Other remarks may be as the author wants it. */
export function isLoss(code: string): boolean {
  return LOSSES.has(code);
}

/** Beyond this many a last one says how many there were. */
const MAX_REMARKS = 20;
const MAX_SHOWN = 60;

/** The step's `warnings`, in the order of the operations. */
export class Remarks {
  private readonly found: JsonObject[] = [];
  private more = 0;
  private place: { at?: number; type: string } = { type: '' };
  private columnsAreKnown = true;

  /** `knownOnly`: guesses are left out. Asked only where it makes a difference: runs that began before keep the older rule. */
  constructor(readonly knownOnly: () => boolean = () => true) {}

  /** Begins the warnings of an operation, counted from 0. */
  begin(at: number, type: string): void {
    this.place = { at, type };
  }

  add(code: RemarkCode, message: string, facts: { field?: string; count?: number } = {}): void {
    if (this.found.length === MAX_REMARKS) {
      this.more += 1;
      return;
    }
    const { at, type } = this.place;
    const base: JsonObject = { code, ...facts };
    if (at !== undefined) base['operation'] = at + 1;
    base['message'] = at === undefined ? message : `operation ${at + 1} (${type}): ${message}`;
    this.found.push(base);
  }

  /** A list without records was joined with the own rows: from here on their fields are not known. */
  emptyListTaken(): void {
    this.columnsAreKnown = false;
  }

  /** Fields that the author names: each has to be in some record, if only as null. `of`: whose records, where not the own. */
  fields(rows: readonly Row[], paths: readonly FieldPath[], of = ''): void {
    for (const path of paths) {
      if (rows.length === 0 || rows.some((row) => hasField(row, path))) continue;
      if (of === '' && !this.columnsAreKnown && this.knownOnly()) continue;
      const near = didYouMean(path.name, columnsOf(rows));
      const hint = near === undefined ? '' : ` Did you mean \`${near}\`?`;
      const whose = of === '' ? '' : ` of \`${of}\``;
      const message = `no record${whose} has a field \`${path.name.slice(0, MAX_SHOWN)}\` (${rows.length} looked at).${hint}`;
      this.add('unknown_field', message, { field: path.name });
    }
  }

  get list(): JsonObject[] {
    if (this.more === 0) return this.found;
    return [...this.found, { code: 'more_warnings', count: this.more, message: `${this.more} more are not shown.` }];
  }
}

/** Counts records with a fault, and keeps the first one as the example. */
export class RemarkCounter {
  count = 0;
  private first = '';
  private last = -1;

  /** A record counts once, however many faults it has. Records come in their order. */
  add(index: number, values: readonly (Json | undefined)[] = []): void {
    if (index === this.last) return;
    this.last = index;
    if (this.count === 0) this.first = `record ${index + 1}${values.length === 0 ? '' : `: ${shown(values)}`}`;
    this.count += 1;
  }

  /** `3 of 10 records (first: record 2: "n/a")`. */
  of(total: number): string {
    return `${this.count} of ${total} ${total === 1 ? 'record' : 'records'} (first: ${this.first})`;
  }
}

function shown(values: readonly (Json | undefined)[]): string {
  return values.map((value) => JSON.stringify(value ?? null).slice(0, MAX_SHOWN)).join(', ');
}
