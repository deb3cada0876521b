import type { Json, JsonObject } from '../../../core/base/json';
import type { ScraperField } from '../../../core/connector/types';

/** Fields that are found in none of the records. */
export function unseenFields(fields: readonly ScraperField[], records: readonly JsonObject[]): ScraperField[] {
  return fields.filter((field) => records.every((record) => isEmpty(record[field.field])));
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}
