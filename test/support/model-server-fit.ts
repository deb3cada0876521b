import type { SeenRequest } from './model-server-types';

type Schema = { [key: string]: unknown };

/** The schema that a request gives for the answer, in any protocol. */
export function wantedSchema(seen: SeenRequest): Schema | undefined {
  const { body } = seen;
  const chat = (body['response_format'] as { json_schema?: { schema?: Schema } } | undefined)?.json_schema?.schema;
  const responses = (body['text'] as { format?: { schema?: Schema } } | undefined)?.format?.schema;
  const messages = (body['output_config'] as { format?: { schema?: Schema } } | undefined)?.format?.schema;
  return chat ?? responses ?? messages;
}

/** A small value that fits: the same for the same schema. */
export function fitSchema(schema: Schema, name = 'value'): unknown {
  const choice = ((schema['enum'] ?? schema['anyOf']) as unknown[] | undefined)?.[0];
  if (schema['enum'] !== undefined) {
    return choice;
  }
  if (schema['anyOf'] !== undefined) {
    return fitSchema(choice as Schema, name);
  }
  switch (schema['type']) {
    case 'object': {
      const properties = (schema['properties'] ?? {}) as { [key: string]: Schema };
      return Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, fitSchema(value, key)]));
    }
    case 'array':
      return [fitSchema((schema['items'] ?? {}) as Schema, name)];
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    default:
      return schema['format'] === 'date' ? '2026-01-31' : `stand-in ${name}`;
  }
}
