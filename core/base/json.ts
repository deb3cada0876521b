/** The JSON value types that flow between steps. Nothing else may enter a run's state. */
type JsonPrimitive = string | number | boolean | null;
export type Json = JsonPrimitive | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/** True for `{...}`; arrays and null are not objects here. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Own property only: data never reaches the prototype chain. */
export function ownField(value: JsonObject, name: string): Json | undefined {
  return Object.prototype.hasOwnProperty.call(value, name) ? value[name] : undefined;
}
