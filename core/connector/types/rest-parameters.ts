import { assertNever } from '../../base/assert-never';
import { isDate } from '../../base/calendar';
import type { Json } from '../../base/json';
import { isJsonObject } from '../../base/json';
import type { Fields } from '../fields';
import { headerFault } from '../http-names';
import type { Method, Parameter, ParameterPlace, ValueType } from '../types';
import { VALUE_TYPES } from '../types';

const NAME = { pattern: /^[A-Za-z_$][A-Za-z0-9_.$[\]-]{0,99}$/, hint: 'a parameter name without spaces' };
/** RFC 3339. */
const INSTANT = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/;
const PLACES = ['path', 'query', 'header', 'body'] as const;

export function readParameters(fields: Fields, method: Method, path: string): Parameter[] {
  const inPath = new Set([...path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? ''));
  const parameters = fields.children('parameters').map((item) => readParameter(item, method, inPath));
  const seen = new Set<string>();
  parameters.forEach((parameter, index) => {
    if (seen.has(parameter.name)) {
      fields.report.add(
        [...fields.at('parameters'), index, 'name'],
        'duplicate_name',
        `The parameter \`${parameter.name}\` is declared twice.`,
      );
    }
    seen.add(parameter.name);
  });
  for (const name of inPath) {
    if (!parameters.some((parameter) => parameter.name === name && parameter.in === 'path')) {
      fields.report.add(
        fields.at('path'),
        'unknown_reference',
        `The path uses \`{${name}}\`, but no parameter of that name is declared.`,
        {
          suggestion: `Add \`- {name: ${name}, in: path, type: string, required: true}\` to \`parameters\`.`,
        },
      );
    }
  }
  return parameters;
}

function readParameter(item: Fields, method: Method, inPath: ReadonlySet<string>): Parameter {
  const name = item.text('name', { required: true, ...NAME }) ?? '';
  const place = item.choice('in', PLACES) ?? defaultPlace(name, method, inPath);
  const type = item.choice('type', VALUE_TYPES) ?? 'string';
  const description = item.text('description');
  const required = item.flag('required') ?? place === 'path';
  const fallback = item.raw('default');
  const options = item.list('enum')?.map((option) => option.value);
  item.done();
  checkPlace(item, { name, place, inPath });
  checkDefault(item, type, fallback, options);
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

function defaultPlace(name: string, method: Method, inPath: ReadonlySet<string>): ParameterPlace {
  if (inPath.has(name)) {
    return 'path';
  }
  return method === 'POST' || method === 'PUT' || method === 'PATCH' ? 'body' : 'query';
}

function checkPlace(item: Fields, use: { name: string; place: ParameterPlace; inPath: ReadonlySet<string> }): void {
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

function checkDefault(item: Fields, type: ValueType, fallback: Json | undefined, options: Json[] | undefined): void {
  if (fallback === undefined) {
    return;
  }
  const fault = valueFault(fallback, type, options);
  if (fault !== undefined) {
    item.report.add(item.at('default'), 'invalid_value', `The default ${fault}.`);
  }
}

/** What is wrong with a value of a parameter, or nothing. Says it without the value itself. */
export function valueFault(value: Json, type: ValueType, options?: readonly Json[]): string | undefined {
  if (!hasType(value, type)) {
    return `must be of type ${type}`;
  }
  if (options !== undefined && !options.includes(value)) {
    return `must be one of ${options.map((option) => JSON.stringify(option)).join(', ')}`;
  }
  return undefined;
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
      return typeof value === 'string' && INSTANT.test(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    default:
      return assertNever(type);
  }
}
