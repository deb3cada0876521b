import { applyMapping } from '../../core/connector/apply-mapping';
import type { PathLookup } from '../../core/connector/apply-mapping';
import type { Json, JsonObject } from '../../core/base/json';
import type { ResponseMapping } from '../../core/connector/types';
import { mappingRemarks } from './mapping-remarks';

/** Records in the envelope of every connector: `missing` and `warnings` only where there is something to say. */
export function mappedResult(
  mapping: ResponseMapping | undefined,
  found: readonly Json[],
  look: PathLookup,
): JsonObject & { results: Json[]; count: number } {
  const { records, ...counts } = applyMapping(mapping, found, look);
  return { results: records, count: records.length, ...mappingRemarks(counts) };
}
