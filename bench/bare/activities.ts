import type { JsonObject } from '../../core/base/json';

/** The same step as the product's: takes a document, adds a field. */
export async function addField(document: JsonObject, field: string, value: number): Promise<JsonObject> {
  return { ...document, [field]: value };
}
