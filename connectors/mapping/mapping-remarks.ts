import type { Json } from '../../core/base/json';
import { digitsRemark } from '../../core/base/number-rule';
import type { MappedRecords, TypeMismatch } from '../../core/connector/apply-mapping';

/** Fields that a mapping did not find, as a field of a result: output field → records. Empty when it found all. */
export function missingNote(missing: Readonly<Record<string, number>>): { missing?: Json } {
  return Object.keys(missing).length === 0 ? {} : { missing: { ...missing } };
}

/** Fields that a mapping could not fill, as fields of a result; empty when it filled all. */
export function mappingRemarks({ missing, mismatches }: Pick<MappedRecords, 'missing' | 'mismatches'>): {
  missing?: Json;
  warnings?: Json;
} {
  return { ...missingNote(missing), ...(mismatches.length === 0 ? {} : { warnings: mismatches.map(warningOf) }) };
}

export function warningOf({ field, path, expected, found }: TypeMismatch): {
  field: string;
  path: string;
  message: string;
} {
  const remark = expected === 'a number' ? digitsRemark(found) : '';
  return { field, path, message: `\`${field}\` should be ${expected}, found \`${found}\` at \`${path}\`.${remark}` };
}
