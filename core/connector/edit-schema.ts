import { fieldSchema } from '../actions/edit-schema';
import type { FieldSpec } from '../actions/types';
import type { JsonObject } from '../base/json';
import { findEndpoint } from './find-endpoint';
import { endpointInputs } from './inputs';
import { nullMeaning, saysNull } from './null-meaning';
import type { ConnectorDefinition, Parameter } from './types';

/** JSON Schema of what a person may give in place of a call's inputs: the parameters of the endpoint, and nothing else. */
export function endpointEditSchema(definition: ConnectorDefinition, endpoint: string): JsonObject {
  const found = findEndpoint(definition, endpoint);
  const declared: readonly Parameter[] = found && 'parameters' in found ? (found.parameters ?? []) : [];
  const properties = endpointInputs(definition, endpoint).map((spec) => {
    const parameter = declared.find(({ name }) => name === spec.name);
    const refused =
      found && parameter
        ? nullMeaning(parameter, saysNull(definition.type, found, parameter)) === 'refused'
        : spec.required === true;
    return [spec.name, valueSchema(spec, parameter?.enum, refused)] as const;
  });
  return { type: 'object', additionalProperties: false, properties: Object.fromEntries(properties) };
}

/** Null is sent as one where the endpoint can say it; else it takes away what need not be given. */
function valueSchema(spec: FieldSpec, options: Parameter['enum'], refusesNull: boolean): JsonObject {
  const { enum: _texts, ...base } = fieldSchema(spec);
  const schema: JsonObject = options === undefined ? base : { ...base, enum: [...options] };
  return refusesNull || Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] };
}
