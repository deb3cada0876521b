import { fieldSchema } from '../actions/edit-schema';
import { isJsonObject, ownField, type Json, type JsonObject } from '../base/json';
import type { FieldSpec } from '../actions/types';
import { bindValue } from './bind-value';
import { findEndpoint } from './find-endpoint';
import { endpointInputs } from './inputs';
import { nullMeaning, canSendNull } from './null-meaning';
import { listFault, listForm, type BindFault, type ListForm } from './place-fault';
import type { ConnectorDefinition, Endpoint, Parameter } from './types';

/** Keyword of the schema for the rules that types cannot express, by the names of the parameters. */
const RULES = 'x-parameters';

interface EditRules extends Pick<Parameter, 'in' | 'type' | 'enum'> {
  /** Absent = `whole`. */
  lists?: ListForm;
  /** Reason why null is refused. */
  null_fault?: string;
}

/** JSON Schema of what a person may give in place of a call's inputs: the parameters of the endpoint, and nothing else. */
export function endpointEditSchema(definition: ConnectorDefinition, endpoint: string): JsonObject {
  const found = findEndpoint(definition, endpoint);
  const declared: readonly Parameter[] = found && 'parameters' in found ? (found.parameters ?? []) : [];
  const properties = endpointInputs(definition, endpoint).map((spec) => {
    const parameter = declared.find(({ name }) => name === spec.name);
    const refused =
      found && parameter
        ? nullMeaning(parameter, canSendNull(definition.type, found, parameter)) === 'refused'
        : spec.required === true;
    return [spec.name, valueSchema(spec, parameter?.enum, refused)] as const;
  });
  const rules = found === undefined ? [] : rulesOf(definition, found, declared);
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(properties),
    ...(rules.length === 0 ? {} : { [RULES]: Object.fromEntries(rules) }),
  };
}

/**
 * Reason why the call would refuse an edit's value of a parameter; undefined = it would not, or the parameter is
 * unknown.
 */
export function editFault(schema: JsonObject, name: string, value: Json): BindFault | undefined {
  const known = ownField(schema, RULES);
  const rules = isJsonObject(known) ? ownField(known, name) : undefined;
  if (rules === undefined) return undefined;
  const { lists = 'whole', null_fault: nullFault, ...parameter } = rules as unknown as EditRules;
  if (value === null) return nullFault === undefined ? undefined : { fault: nullFault };
  const bound = bindValue({ ...parameter, required: true }, value, false);
  if ('fault' in bound) return bound;
  return bound.value === undefined ? undefined : listFault(bound.value, lists);
}

/** Feeds read their parameters by rules of their own. */
function rulesOf({ type }: ConnectorDefinition, endpoint: Endpoint, declared: readonly Parameter[]): [string, Json][] {
  if (type === 'rss_feed') return [];
  return declared.map((parameter) => {
    const ofNull = bindValue(parameter, null, canSendNull(type, endpoint, parameter));
    const lists = listForm(type, endpoint, parameter);
    const rules: EditRules = {
      in: parameter.in,
      type: parameter.type,
      ...(parameter.enum === undefined ? {} : { enum: parameter.enum }),
      ...(lists === 'whole' ? {} : { lists }),
      ...('fault' in ofNull ? { null_fault: ofNull.fault } : {}),
    };
    return [parameter.name, rules as unknown as Json];
  });
}

/** Null is sent as null where the endpoint has a place for it; elsewhere it removes an optional input. */
function valueSchema(spec: FieldSpec, options: Parameter['enum'], refusesNull: boolean): JsonObject {
  const { enum: _texts, ...base } = fieldSchema(spec);
  const schema: JsonObject = { ...base, ...optionsOf(base, options) };
  return refusesNull || Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] };
}

/** Options of a list are options of its elements. */
function optionsOf({ type }: JsonObject, options: Parameter['enum']): JsonObject {
  if (options === undefined) return {};
  return type === 'array' ? { items: { enum: [...options] } } : { enum: [...options] };
}
