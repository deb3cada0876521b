import { fieldSchema } from '../actions/edit-schema';
import type { FieldSpec } from '../actions/types';
import type { JsonObject } from '../base/json';
import { findEndpoint } from './find-endpoint';
import { endpointInputs } from './inputs';
import type { ConnectorDefinition, Parameter } from './types';

/** JSON Schema of what a person may give in place of a call's inputs: the parameters of the endpoint, and nothing else. */
export function endpointEditSchema(definition: ConnectorDefinition, endpoint: string): JsonObject {
  const found = findEndpoint(definition, endpoint);
  const declared: readonly Parameter[] = found && 'parameters' in found ? (found.parameters ?? []) : [];
  const properties = endpointInputs(definition, endpoint).map((spec) => {
    const options = declared.find((parameter) => parameter.name === spec.name)?.enum;
    return [spec.name, valueSchema(spec, options)] as const;
  });
  return { type: 'object', additionalProperties: false, properties: Object.fromEntries(properties) };
}

/** What need not be given may be taken away: null stands for that. */
function valueSchema(spec: FieldSpec, options: Parameter['enum']): JsonObject {
  const { enum: _texts, ...base } = fieldSchema(spec);
  const schema: JsonObject = options === undefined ? base : { ...base, enum: [...options] };
  return spec.required === true || Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] };
}
