import { shorten } from '../base/shorten';
import type { Json, JsonObject } from '../base/json';
import { isJsonObject, ownField } from '../base/json';
import { type CompiledTransform, compileTransform } from './transform-value';
import { safeRecord } from './fields';
import { pathFaultOf } from './path-fault';
import { type DotSegment, parseDotPath, pathReader } from './path';
import { rowMaker } from './row-maker';
import type { FieldRule, ResponseMapping } from './types';

/**
 * Target of a rule's path: `dot` into a JSON record; `name` to a field of a flat record (a column, a field of a file),
 * or else as a dot path; `field` to the value that a reader already put under the output field's own name (XML).
 */
export type PathLookup = 'dot' | 'name' | 'field';

/** A value that is not what its rule expects; it became null. */
export interface TypeMismatch {
  field: string;
  /** Place in the answer, such as `data.items[3].amount`. */
  path: string;
  expected: string;
  found: string;
}

export interface MappedRecords {
  records: Json[];
  /** Output field → records in which nothing was found. Only fields with at least one. */
  missing: Record<string, number>;
  /** The first ones; `mismatch_count` counts all. */
  mismatches: TypeMismatch[];
  mismatch_count: number;
}

/** Limit of mismatches: further ones tell nothing new. */
const MAX_MISMATCHES = 20;

/** Records as the mapping wants them. Without `fields` they pass through. One walk over the data, no user pattern runs. */
export function applyMapping(
  mapping: ResponseMapping | undefined,
  records: readonly Json[],
  look: PathLookup = 'dot',
): MappedRecords {
  return compileMapping(mapping, look)(records);
}

export type Mapper = (records: readonly Json[]) => MappedRecords;

/** `applyMapping` for many lists: the pages of a call. */
export function compileMapping(mapping: ResponseMapping | undefined, look: PathLookup): Mapper {
  const fields = Object.entries(mapping?.fields ?? {}).map(([name, rule]) => compileField(name, rule, look));
  if (fields.length === 0) {
    return (records) => ({ records: [...records], missing: {}, mismatches: [], mismatch_count: 0 });
  }
  const newRow = rowMaker(fields.map(({ name }) => name));
  return (records) => {
    const run = new MappingRun(mapping?.results_path ?? '');
    const mapped = records.map((record, index) => run.record(fields, record, index, newRow()));
    return { records: mapped, ...run.counts() };
  };
}

interface CompiledField {
  name: string;
  /** The path as it is written, for messages. */
  path: string;
  find: (record: Json) => Json | undefined;
  segments: DotSegment[] | undefined;
  transforms: CompiledTransform[];
  fallback: Json | undefined;
}

function compileField(name: string, rule: string | FieldRule, look: PathLookup): CompiledField {
  const full: FieldRule = typeof rule === 'string' ? { path: rule, transforms: [] } : rule;
  const path = full.path ?? '';
  const segments = look === 'field' ? undefined : parseDotPath(path);
  const constant = full.constant;
  return {
    name,
    path,
    find: constant === undefined ? finder(look === 'field' ? name : path, segments, look) : () => constant,
    segments: look === 'dot' ? segments : undefined,
    transforms: full.transforms.map(compileTransform),
    fallback: full.default,
  };
}

function finder(path: string, segments: DotSegment[] | undefined, look: PathLookup): CompiledField['find'] {
  const dotted: CompiledField['find'] = segments === undefined ? () => undefined : pathReader(segments);
  if (look === 'dot') {
    return dotted;
  }
  return (record) => {
    // Readers of files and pages use null for a value that they did not find.
    const found = isJsonObject(record)
      ? (ownField(record, path) ?? (look === 'name' ? dotted(record) : undefined))
      : undefined;
    return found ?? undefined;
  };
}

class MappingRun {
  private readonly missing = new Map<string, number>();
  private readonly mismatches: TypeMismatch[] = [];
  private mismatchCount = 0;

  constructor(private readonly base: string) {}

  /** Fills the row. */
  record(fields: readonly CompiledField[], record: Json, index: number, row: JsonObject): JsonObject {
    for (const field of fields) row[field.name] = this.value(field, record, index);
    return row;
  }

  counts(): Omit<MappedRecords, 'records'> {
    return {
      missing: safeRecord(this.missing),
      mismatches: this.mismatches,
      mismatch_count: this.mismatchCount,
    };
  }

  private value(field: CompiledField, record: Json, index: number): Json {
    const found = field.find(record);
    if (found === undefined || found === null) {
      return found === undefined ? this.absent(field, record, index) : (field.fallback ?? null);
    }
    let value: Json = found;
    for (const { expected, change } of field.transforms) {
      const changed = change(value);
      if (changed === undefined) {
        this.mismatch(field, this.placeOf(index, field.path), { expected, found: value });
        return null;
      }
      value = changed;
    }
    return value;
  }

  private absent(field: CompiledField, record: Json, index: number): Json {
    if (field.fallback !== undefined) {
      return field.fallback;
    }
    this.missing.set(field.name, (this.missing.get(field.name) ?? 0) + 1);
    const blocked = field.segments === undefined ? undefined : pathFaultOf(record, field.segments);
    if (blocked !== undefined) {
      this.mismatch(field, this.placeOf(index, blocked.path), blocked);
    }
    return null;
  }

  private mismatch(field: CompiledField, path: string, what: { expected: string; found: Json }): void {
    this.mismatchCount += 1;
    if (this.mismatches.length < MAX_MISMATCHES) {
      this.mismatches.push({ field: field.name, path, expected: what.expected, found: excerpt(what.found) });
    }
  }

  private placeOf(index: number, path: string): string {
    const inner = path === '' || path.startsWith('[') ? path : `.${path}`;
    return `${this.base}[${index}]${inner}`;
  }
}

function excerpt(value: Json): string {
  if (typeof value === 'object' && value !== null) {
    return Array.isArray(value) ? `a list of ${value.length}` : 'a record';
  }
  return typeof value === 'string' ? shorten(value) : String(value);
}
