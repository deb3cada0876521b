import type { Json } from '../../core/base/json';
import type { MappedRecords, Mismatch } from '../../core/connector/apply-mapping';

/** What a mapping could not fill, as fields of a result; nothing when it filled everything. */
export function mappingRemarks(mapped: Omit<MappedRecords, 'records'>): { missing?: Json; warnings?: Json } {
  return {
    ...(Object.keys(mapped.missing).length === 0 ? {} : { missing: { ...mapped.missing } }),
    ...(mapped.mismatches.length === 0 ? {} : { warnings: mapped.mismatches.map(warningOf) }),
  };
}

export function warningOf({ field, path, expected, found }: Mismatch): {
  field: string;
  path: string;
  message: string;
} {
  return { field, path, message: `\`${field}\` should be ${expected}, found \`${found}\` at \`${path}\`.` };
}
