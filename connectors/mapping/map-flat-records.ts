import type { JsonObject } from '../../core/base/json';
import { isJsonObject } from '../../core/base/json';
import { applyMapping } from '../../core/connector/apply-mapping';
import type { ResponseMapping } from '../../core/connector/types';
import { missingNote, warningOf } from './mapping-remarks';

export interface MappedFlat {
  records: JsonObject[];
  /** Values that a rule could not read. */
  warnings: JsonObject[];
  /** `missing`, where there is anything. */
  notes: JsonObject;
}

/** Flat records (of pages and feeds) as the mapping wants them; without `fields` they pass through. */
export function mapRecords(mapping: ResponseMapping | undefined, records: readonly JsonObject[]): MappedFlat {
  const mapped = applyMapping(mapping, records, 'name');
  return {
    records: mapped.records.filter(isJsonObject),
    warnings: mapped.mismatches.map(warningOf),
    notes: missingNote(mapped.missing),
  };
}
