import type { Json } from '../../../core/base/json';
import { isJsonObject, ownField } from '../../../core/base/json';
import { findEndpoint } from '../../../core/connector/find-endpoint';
import { pathOf } from '../../../core/connector/field-rule';
import type { ConnectorDefinition } from '../../../core/connector/types';

/** A mapped field that some records do not have. */
export interface MissingField {
  field: string;
  path: string;
  /** Records without it. */
  records: number;
  /** No record has it: the path is likely to be wrong. */
  everywhere: boolean;
}

export function missingFields(
  definition: ConnectorDefinition,
  endpoint: string,
  records: readonly Json[],
): MissingField[] {
  const mapping = findEndpoint(definition, endpoint)?.response_mapping?.fields ?? {};
  return Object.entries(mapping).flatMap(([field, rule]): MissingField[] => {
    const without = records.filter((record) => isJsonObject(record) && (ownField(record, field) ?? null) === null);
    if (without.length === 0) return [];
    return [{ field, path: pathOf(rule), records: without.length, everywhere: without.length === records.length }];
  });
}
