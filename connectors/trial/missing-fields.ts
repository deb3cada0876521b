import type { Json } from '../../core/base/json';
import { isJsonObject, ownField } from '../../core/base/json';
import { findEndpoint } from '../../core/connector/find-endpoint';
import { pathOf } from '../../core/connector/field-rule';
import type { ConnectorDefinition, Endpoint } from '../../core/connector/types';

/** A mapped field that some records do not have. */
export interface MissingField {
  field: string;
  path: string;
  /** Records without it. */
  records: number;
  /** True when no record has it: the path is likely to be wrong. */
  everywhere: boolean;
}

export function missingFields(
  definition: ConnectorDefinition,
  endpoint: string,
  records: readonly Json[],
): MissingField[] {
  return fieldsOf(findEndpoint(definition, endpoint)).flatMap(({ field, path }): MissingField[] => {
    const without = records.filter((record) => isJsonObject(record) && (ownField(record, field) ?? null) === null);
    if (without.length === 0) return [];
    return [{ field, path, records: without.length, everywhere: without.length === records.length }];
  });
}

/** Fields of a call's records: those of the mapping, else those that the endpoint itself declares. */
function fieldsOf(endpoint: Endpoint | undefined): { field: string; path: string }[] {
  const mapped = Object.entries(endpoint?.response_mapping?.fields ?? {});
  if (mapped.length > 0) return mapped.map(([field, rule]) => ({ field, path: pathOf(rule) }));
  if (endpoint === undefined || !('fields' in endpoint)) return [];
  return endpoint.fields.map((field) => {
    const path = 'paths' in field ? field.paths.join(' | ') : (field.selector ?? field.xpath ?? field.field);
    return { field: field.field, path };
  });
}
