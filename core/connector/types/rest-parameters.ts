import { assertNever } from '../../base/assert-never';
import { isDate } from '../../base/calendar';
import { canonicalJson } from '../../base/canonical-json';
import { isInstant } from '../../base/instant';
import type { Json } from '../../base/json';
import { isJsonObject } from '../../base/json';
import type { Fields, TextRule } from '../fields';
import { headerFault } from '../http-names';
import { nullMeaning } from '../null-meaning';
import { PARAMETER_NAME } from '../patterns';
import { listFault, placeFault, type BindFault, type ListForm } from '../place-fault';
import type { Parameter, ParameterPlace, ValueType } from '../types';
import { PARAMETER_PLACES, VALUE_TYPES } from '../types';

export interface ParameterRules {
  /** Allowed places of a parameter, and the default. */
  places: readonly ParameterPlace[];
  fallback: ParameterPlace;
  /** Rule for names; absent = any name that HTTP can carry. */
  name?: TextRule;
  /** Form of a list in a place; absent = one JSON value. */
  listForm?: (place: ParameterPlace) => ListForm;
  /** Tells whether a place has a null of its own; absent = a default of null counts as no default. */
  canSendNull?: (place: ParameterPlace) => boolean;
}

/** Parameters of a request. Names in braces in the path are path parameters. */
export function readPathParameters(fields: Fields, path: string, rules: ParameterRules): Parameter[] {
  const inPath = new Set([...path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? ''));
  const parameters = readParameters(fields, 'parameters', rules, inPath);
  for (const name of inPath) {
    if (!parameters.some((parameter) => parameter.name === name && parameter.in === 'path')) {
      const message = `The path uses \`{${name}}\`, but no parameter of that name is declared.`;
      const suggestion = `Add \`- {name: ${name}, in: path, type: string, required: true}\` to \`parameters\`.`;
      fields.report.add(fields.at('path'), 'unknown_reference', message, { suggestion });
    }
  }
  return parameters;
}

export function readParameters(
  fields: Fields,
  key: string,
  rules: ParameterRules,
  inPath: ReadonlySet<string> = new Set(),
): Parameter[] {
  const parameters = fields.children(key).map((item) => readParameter(item, rules, inPath));
  const seen = new Set<string>();
  parameters.forEach((parameter, index) => {
    if (parameter.name !== '' && seen.has(parameter.name)) {
      const message = `The parameter \`${parameter.name}\` is declared twice.`;
      fields.report.add([...fields.at(key), index, 'name'], 'duplicate_name', message);
    }
    seen.add(parameter.name);
  });
  return parameters;
}

function readParameter(item: Fields, rules: ParameterRules, inPath: ReadonlySet<string>): Parameter {
  const name = item.text('name', { required: true, ...(rules.name ?? PARAMETER_NAME) }) ?? '';
  const place = item.choice('in', PARAMETER_PLACES) ?? (inPath.has(name) ? 'path' : rules.fallback);
  const type = item.choice('type', VALUE_TYPES) ?? 'string';
  const description = item.text('description');
  const required = item.flag('required') ?? place === 'path';
  const written = item.given('default');
  const fallback = written === null && rules.canSendNull === undefined ? undefined : written;
  const options = item.list('enum')?.map((option) => option.value);
  item.done();
  checkPlace(item, { name, place, inPath, rules });
  const form = rules.listForm?.(place) ?? 'whole';
  checkOptions(item, { type, place, form }, options);
  if (fallback === null) checkNull(item, { type, required, enum: options }, rules.canSendNull?.(place) === true);
  else checkDefault(item, { type, place, form }, fallback, options);
  return {
    name,
    in: place,
    type,
    ...(description === undefined ? {} : { description }),
    required,
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(options === undefined ? {} : { enum: options }),
  };
}

interface Use {
  name: string;
  place: ParameterPlace;
  inPath: ReadonlySet<string>;
  rules: ParameterRules;
}

function checkPlace(item: Fields, use: Use): void {
  if (!use.rules.places.includes(use.place)) {
    const message = `A parameter cannot go into \`${use.place}\` here; possible: ${use.rules.places.join(', ')}.`;
    item.report.add(item.has('in') ? item.at('in') : item.path, 'invalid_value', message);
    return;
  }
  if (use.place === 'path' && !use.inPath.has(use.name) && use.name !== '') {
    item.report.add(
      item.at('in'),
      'unknown_reference',
      `\`${use.name}\` is a path parameter, but the path has no \`{${use.name}}\`.`,
    );
  }
  const fault = use.place === 'header' && use.name !== '' ? headerFault(use.name) : undefined;
  if (fault !== undefined) {
    item.report.add(item.at('name'), 'invalid_header', fault);
  }
}

/** Target of a value and its type. */
interface Target {
  type: ValueType;
  place: ParameterPlace;
  form: ListForm;
}

/** Options of a list are options of its elements. */
function checkOptions(item: Fields, target: Target, options: Json[] | undefined): void {
  if (options !== undefined && options.length === 0) {
    item.report.add(item.at('enum'), 'invalid_value', '`enum` needs at least one value.');
  }
  for (const [index, option] of (options ?? []).entries()) {
    const fault = optionFault(option, target);
    if (fault === undefined) continue;
    item.report.add([...item.at('enum'), index], 'invalid_value', fault.fault, suggestionOf(fault));
    return;
  }
}

function optionFault(option: Json, target: Target): BindFault | undefined {
  const { type } = target;
  if (type === 'array' && Array.isArray(option)) {
    return {
      fault: 'The values of `enum` of a list are those that its elements may have, so none is a list itself.',
      wayOut: 'Write the values of the elements: `enum: [a, b]`.',
    };
  }
  if (type !== 'array' && valueFault(option, type) !== undefined) {
    return { fault: `Each value of \`enum\` must be of type ${type}.` };
  }
  const unsendable = sendingFault(type === 'array' ? [option] : option, target);
  return unsendable && { ...unsendable, fault: `A value of \`enum\` ${unsendable.fault}.` };
}

/** Fault of a value that is of its type and that its place in the request cannot hold. */
function sendingFault(value: Json, { place, form }: Target): BindFault | undefined {
  return placeFault({ in: place }, value) ?? listFault(value, form);
}

function suggestionOf({ wayOut }: BindFault): { suggestion?: string } {
  return wayOut === undefined ? {} : { suggestion: wayOut };
}

function checkNull(item: Fields, rules: Parameters<typeof nullMeaning>[0], says: boolean): void {
  if (nullMeaning(rules, says) === 'sent') return;
  const message = 'The default is null, which cannot be sent for this parameter.';
  item.report.add(item.at('default'), 'invalid_value', message, { suggestion: 'Take the line out, or give a value.' });
}

function checkDefault(item: Fields, target: Target, fallback: Json | undefined, options: Json[] | undefined): void {
  if (fallback === undefined) {
    return;
  }
  const misfit = valueFault(fallback, target.type, options);
  const fault = misfit === undefined ? sendingFault(fallback, target) : { fault: misfit };
  if (fault !== undefined) {
    item.report.add(item.at('default'), 'invalid_value', `The default ${fault.fault}.`, suggestionOf(fault));
  }
}

/** Fault of a parameter's value, undefined = none. It does not contain the value. */
export function valueFault(value: Json, type: ValueType, options?: readonly Json[]): string | undefined {
  if (!hasType(value, type)) {
    return `must be of type ${type}`;
  }
  if (options === undefined) return undefined;
  const choices = options.map((option) => JSON.stringify(option)).join(', ');
  if (type === 'array' && Array.isArray(value)) {
    return value.every((item) => isOption(options, item)) ? undefined : `must hold nothing but ${choices}`;
  }
  return isOption(options, value) ? undefined : `must be one of ${choices}`;
}

function isOption(options: readonly Json[], value: Json): boolean {
  if (typeof value !== 'object' || value === null) return options.includes(value);
  const text = canonicalJson(value);
  return options.some((option) => typeof option === 'object' && canonicalJson(option) === text);
}

function hasType(value: Json, type: ValueType): boolean {
  switch (type) {
    case 'any':
      return true;
    case 'string':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number';
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'date':
      return typeof value === 'string' && isDate(value);
    case 'datetime':
      return typeof value === 'string' && isInstant(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    default:
      return assertNever(type);
  }
}
