import type { OpenAPIObject } from '@nestjs/swagger';

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  examples?: unknown[];
}
interface Media {
  schema: Schema;
  examples?: Record<string, { value: unknown }>;
}
interface Operation {
  requestBody?: { content: Record<string, Media> };
}

/** Example of a file's bytes. */
const FILE = '<filing><ein>200253310</ein></filing>\n';

/**
 * An example of each body in each of its media types, made of the examples of its fields: all required fields, and others that have an example.
 * Throws where a required field has none.
 */
export function withBodyExamples(document: OpenAPIObject): OpenAPIObject {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  for (const [path, item] of Object.entries(document.paths)) {
    for (const operation of Object.values(item) as Operation[]) {
      for (const media of Object.values(operation.requestBody?.content ?? {}))
        media.examples = { usual: { value: exampleOf(schemas, media.schema, path) } };
    }
  }
  return document;
}

function exampleOf(schemas: Record<string, Schema>, schema: Schema, place: string): unknown {
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema.format === 'binary') return FILE;
  const name = schema.$ref?.split('/').at(-1);
  if (name !== undefined) return exampleOf(schemas, schemas[name] ?? {}, name);
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.items !== undefined) return [exampleOf(schemas, schema.items, place)];
  if (schema.properties === undefined) throw new Error(`${place} has no example: give its @ApiProperty one`);
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties).filter(
    ([field, property]) => required.has(field) || property.examples !== undefined,
  );
  return Object.fromEntries(
    fields.map(([field, property]) => [field, exampleOf(schemas, property, `${place}.${field}`)]),
  );
}
