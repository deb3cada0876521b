import { getContract } from '../actions/registry';
import type { FieldSpec } from '../actions/types';
import { findEndpoint, toolName } from './find-endpoint';
import { nullMeaning, canSendNull } from './null-meaning';
import type { ConnectorDefinition, FileConnector, Parameter, ToolConnector, ToolEndpoint, ValueType } from './types';

/** Inputs of a call of the endpoint. */
export function endpointInputs(definition: ConnectorDefinition, endpoint: string): FieldSpec[] {
  if (definition.type === 'file_parser') {
    return fileInputs(definition);
  }
  const found = findEndpoint(definition, endpoint);
  if (found === undefined) {
    return [];
  }
  if (definition.type === 'existing_tool') {
    return toolInputs(definition, found as ToolEndpoint);
  }
  const parameters = (found as { parameters?: Parameter[] }).parameters ?? [];
  return definition.type === 'rss_feed'
    ? parameters.map(inputOf)
    : parameters.map((parameter) => ({
        ...inputOf(parameter),
        nullable: nullMeaning(parameter, canSendNull(definition.type, found, parameter)) === 'sent',
      }));
}

function inputOf(parameter: Parameter): FieldSpec {
  const { description, default: fallback, enum: options } = parameter;
  const texts = options?.filter((option): option is string => typeof option === 'string');
  return {
    name: parameter.name,
    type: fieldType(parameter.type),
    required: parameter.required && fallback === undefined,
    ...(description === undefined ? {} : { description }),
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(texts === undefined || texts.length !== options?.length ? {} : { enum: texts }),
  };
}

/** The declared parameters narrow the action's own inputs and params; without them all of these are open. */
function toolInputs(definition: ToolConnector, endpoint: ToolEndpoint): FieldSpec[] {
  if (endpoint.parameters !== undefined) {
    return endpoint.parameters.map(inputOf);
  }
  const contract = getContract(toolName(definition, endpoint));
  return contract === undefined ? [] : [...contract.inputs, ...contract.params];
}

function fileInputs(definition: FileConnector): FieldSpec[] {
  const inputs: FieldSpec[] = [];
  if (definition.connection.sources.includes('directory')) {
    inputs.push({ name: 'directory', type: 'string', description: 'Directory below a root that the operator granted' });
    inputs.push({
      name: 'files',
      type: 'string[]',
      description: 'Names of files in that directory; absent = all of an accepted format',
    });
  }
  if (definition.connection.sources.includes('upload')) {
    inputs.push({ name: 'documents', type: 'any', description: 'Document id, list of ids, or list of documents' });
  }
  if (definition.connection.sources.includes('url')) {
    inputs.push({ name: 'urls', type: 'any', description: 'Address or list of addresses' });
  }
  return inputs;
}

/** A value type as the type of a contract's field. */
export function fieldType(type: ValueType): string {
  if (type === 'datetime') {
    return 'string';
  }
  return type === 'array' ? 'any[]' : type;
}
