import type { Json, JsonObject } from '../../core/base/json';
import { isJsonObject } from '../../core/base/json';
import { compileMapping, type Mapper, type PathLookup } from '../../core/connector/apply-mapping';
import { parseDotPath, readDotPath } from '../../core/connector/path';
import type { ResponseMapping } from '../../core/connector/types';
import { missingNote, warningOf } from './mapping-remarks';

/** Records of one page as the mapping wants them, with what it did not find. */
export interface MappedPage {
  records: Json[];
  /** Output field → records in which nothing was found. */
  missing: Record<string, number>;
  /** Values that their rule could not read. */
  warnings: readonly JsonObject[];
}

/** Limit of warnings: further ones tell nothing new. */
const MAX_WARNINGS = 20;

export function mapPage(mapping: ResponseMapping | undefined, records: Json[], look: PathLookup): MappedPage {
  const { records: mapped, missing, mismatches } = mapperOf(mapping, look)(records);
  return { records: mapped, missing, warnings: mismatches.map(warningOf) };
}

/** A mapping is compiled once for all pages of a call. */
const mappers = new WeakMap<ResponseMapping, Map<PathLookup, Mapper>>();

function mapperOf(mapping: ResponseMapping | undefined, look: PathLookup): Mapper {
  if (mapping === undefined) return compileMapping(mapping, look);
  const known = mappers.get(mapping) ?? new Map<PathLookup, Mapper>();
  const mapper = known.get(look) ?? compileMapping(mapping, look);
  mappers.set(mapping, known.set(look, mapper));
  return mapper;
}

/** The value at a dot path; nothing when the path is none or something on the way is missing. */
export function readPath(value: Json | undefined, path: string): Json | undefined {
  const segments = parseDotPath(path);
  return segments === undefined ? undefined : readDotPath(value, segments);
}

/** Mapped records of all pages of a call. */
export class MappedPages {
  readonly records: Json[] = [];
  private readonly missing = new Map<string, number>();
  private readonly warnings: Json[] = [];

  add(page: MappedPage): void {
    for (const record of page.records) this.records.push(record);
    for (const [field, count] of Object.entries(page.missing)) {
      this.missing.set(field, (this.missing.get(field) ?? 0) + count);
    }
    const room = MAX_WARNINGS - this.warnings.length;
    this.warnings.push(...page.warnings.slice(0, room));
  }

  /** Adds a warning about pages that could not be read. */
  warn(warning: { code: string; message: string }): void {
    const { message } = warning;
    const known = this.warnings.some((other) => isJsonObject(other) && other['message'] === message);
    if (!known && this.warnings.length < MAX_WARNINGS) this.warnings.push(warning);
  }

  /** Drops what lies above the cap. */
  cutTo(most: number): void {
    if (this.records.length > most) this.records.length = most;
  }

  /** Fields of a result beside the records; each absent when it has no content. */
  notes(): JsonObject {
    return {
      ...missingNote(Object.fromEntries(this.missing)),
      ...(this.warnings.length === 0 ? {} : { warnings: this.warnings }),
    };
  }

  toJson(): JsonObject {
    return { records: this.records, ...this.notes() };
  }

  static from(value: Json | undefined): MappedPages {
    const mapped = new MappedPages();
    if (!isJsonObject(value)) {
      return mapped;
    }
    const { records, missing, warnings } = value;
    mapped.add({
      records: Array.isArray(records) ? records : [],
      missing: isJsonObject(missing) ? (missing as Record<string, number>) : {},
      warnings: Array.isArray(warnings) ? warnings.filter(isJsonObject) : [],
    });
    return mapped;
  }
}
