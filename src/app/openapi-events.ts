import { capitalize } from '../../core/base/capitalize';
import type { OpenAPIObject } from '@nestjs/swagger';
import { EVENT_SCHEMAS, EVENT_TYPES } from '../runs/events/event-types';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
interface ObjectSchema {
  properties?: object;
  required?: string[];
}

const ref = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });

/** Each event as a schema with its own `type`, so that a typed client tells them apart by it. */
export function withEventUnion(document: OpenAPIObject): OpenAPIObject {
  const schemas: Schemas = { ...document.components?.schemas };
  const members = Object.entries(EVENT_TYPES).map(([type, { name }]) => ({ type, name: nameOf(type), base: name }));
  const made = members.map(({ type, name, base }) => [name, typed(schemas[base] as ObjectSchema, type)] as const);
  for (const { name } of EVENT_SCHEMAS) delete schemas[name];
  Object.assign(schemas, Object.fromEntries(made));
  schemas['RunEvent'] = unionOf(Object.keys(EVENT_TYPES));
  return { ...document, components: { ...document.components, schemas } };
}

/** `step.attempt_failed`: StepAttemptFailedEvent. */
function nameOf(type: string): string {
  const words = type.split(/[._]/).map(capitalize);
  return `${words.join('')}Event`;
}

function typed(schema: ObjectSchema, type: string): object {
  const { properties, required = [] } = schema;
  return {
    ...schema,
    properties: { type: { type: 'string', const: type }, ...properties },
    required: ['type', ...required],
  };
}

function unionOf(types: readonly string[]): object {
  const mapping = Object.fromEntries(types.map((type) => [type, ref(nameOf(type)).$ref]));
  const oneOf = types.map((type) => ref(nameOf(type)));
  return { description: 'An event of a run.', oneOf, discriminator: { propertyName: 'type', mapping } };
}
