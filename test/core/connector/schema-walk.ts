import type { Json, JsonObject } from '../../../core/base/json';
import { isJsonObject } from '../../../core/base/json';

/** An object of a definition for which the schema lists all keys. */
export interface SchemaObject {
  path: (string | number)[];
  /** Name of the part of the schema. */
  name: string;
  properties: JsonObject;
}

interface Place {
  path: (string | number)[];
  value: Json;
  name: string;
}

/** Every object in the data that the schema closes. Knows the few keywords that the schema of connectors uses. */
export function objectsOf(root: JsonObject, data: JsonObject): SchemaObject[] {
  const found: SchemaObject[] = [];
  visit(root, { path: [], value: data, name: '' });
  return found;

  function visit(given: JsonObject, place: Place): void {
    const { schema, name } = resolved(given, place.name);
    const here = { ...place, name };
    branches(schema, here.value).forEach((branch) => visit(branch, here));
    if (Array.isArray(here.value)) {
      const items = schema['items'];
      if (isJsonObject(items)) {
        here.value.forEach((value, index) => visit(items, { path: [...here.path, index], value, name: '' }));
      }
      return;
    }
    if (isJsonObject(here.value)) visitObject(schema, here, here.value);
  }

  function visitObject(schema: JsonObject, place: Place, value: JsonObject): void {
    const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
    if (schema['additionalProperties'] === false) {
      found.push({ path: place.path, name: place.name, properties });
    }
    for (const [key, inner] of Object.entries(value)) {
      const next = properties[key] ?? schema['additionalProperties'];
      if (isJsonObject(next)) visit(next, { path: [...place.path, key], value: inner, name: '' });
    }
  }

  function resolved(schema: JsonObject, name: string): { schema: JsonObject; name: string } {
    const target = schema['$ref'];
    if (typeof target !== 'string') return { schema, name };
    const part = target.replace('#/$defs/', '');
    return { schema: (root['$defs'] as JsonObject)[part] as JsonObject, name: part };
  }

  /** The alternatives and conditions that apply to the value. */
  function branches(schema: JsonObject, value: Json): JsonObject[] {
    const alternatives = [...listOf(schema['oneOf']), ...listOf(schema['anyOf'])].filter((branch) =>
      fits(branch, value),
    );
    const conditions = listOf(schema['allOf']).flatMap((rule) =>
      isJsonObject(rule['if']) && fits(rule['if'], value) && isJsonObject(rule['then']) ? [rule['then']] : [],
    );
    return [...alternatives, ...conditions];
  }

  function fits(given: JsonObject, value: Json): boolean {
    const { schema } = resolved(given, '');
    const properties = schema['properties'];
    if (schema['type'] === 'array') return Array.isArray(value);
    if (!isJsonObject(value)) return schema['type'] !== 'object' && !isJsonObject(properties);
    if (!isJsonObject(properties)) return schema['type'] === undefined && schema['oneOf'] !== undefined;
    return Object.entries(properties).every(
      ([key, rule]) => !isJsonObject(rule) || rule['const'] === undefined || rule['const'] === value[key],
    );
  }
}

function listOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
