import type { JsonObject } from '../../core/base/json';

/** The product's step by hand: takes a document, adds a field. */
export async function addField(document: JsonObject, field: string, value: number): Promise<JsonObject> {
  return { ...document, [field]: value };
}
