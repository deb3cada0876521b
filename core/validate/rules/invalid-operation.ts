import { shorten } from '../../base/shorten';
import { capitalize } from '../../base/capitalize';
import { ROW_EXPRESSION_KEY, TRANSFORM_OPERATIONS, type OperationSpec } from '../../actions/transform';
import type { FieldSpec } from '../../actions/types';
import { isJsonObject, type Json, type JsonObject } from '../../base/json';
import { parseCondition } from '../../expr/condition';
import type { Path } from '../../playbook/source-node';
import type { ToolStep } from '../../playbook/types';
import { checkEnum } from '../choices';
import { compatibilityOf } from '../compatibility';
import type { RuleContext } from '../context';
import type { Rule } from '../rule';
import { typeWithArticle } from '../shape';

/** The operations of transform_data are known, have what they need, and their row expressions can be read. */
export const invalidOperation: Rule = {
  name: 'invalid-operation',
  check(context) {
    for (const step of context.steps) {
      if (step.kind !== 'tool' || step.action !== 'transform_data') continue;
      const operations = context.writtenJson(step, ['params', 'operations']);
      if (!Array.isArray(operations)) continue;
      operations.forEach((operation, index) =>
        checkOperation({ context, step, path: ['params', 'operations', index] }, operation),
      );
    }
  },
};

interface Place {
  context: RuleContext;
  step: ToolStep;
  path: Path;
}

function checkOperation(place: Place, operation: Json): void {
  const { context, step, path } = place;
  if (!isJsonObject(operation)) return;
  const written = operation['type'];
  const type = typeof written === 'string' ? written : '';
  const spec = Object.hasOwn(TRANSFORM_OPERATIONS, type) ? TRANSFORM_OPERATIONS[type] : undefined;
  if (spec === undefined) {
    const names = Object.keys(TRANSFORM_OPERATIONS);
    const near = context.suggest(type, names);
    const message = type === '' ? 'An operation needs a `type`.' : `There is no operation \`${shorten(type)}\`.`;
    const suggestion = near === undefined ? `Known operations: ${names.join(', ')}.` : `Did you mean \`${near}\`?`;
    context.report(step, [...path, 'type'], { code: 'invalid_operation', message, suggestion });
    return;
  }
  checkFields(place, operation, { what: `the operation \`${type}\``, fields: spec.fields, skip: 'type' });
  checkGroups(place, operation, spec, type);
}

/** Requires one field of each group. */
function checkGroups({ context, step, path }: Place, operation: JsonObject, spec: OperationSpec, type: string): void {
  for (const group of spec.one_of ?? []) {
    if (group.some((name) => operation[name] !== undefined && operation[name] !== null)) continue;
    const [first] = group;
    const others = group.length === 1 ? '' : ` (or ${group.slice(1).join(', ')})`;
    context.report(step, path, {
      code: 'invalid_operation',
      message: `The operation \`${type}\` needs \`${first}\`${others}.`,
    });
  }
  const operator = typeof operation['operator'] === 'string' ? operation['operator'] : 'eq';
  const needsValue =
    type === 'filter' && operation['field'] !== undefined && operator !== 'is_null' && operator !== 'not_null';
  if (needsValue && operation['value'] === undefined && operation[ROW_EXPRESSION_KEY] === undefined) {
    context.report(step, path, { code: 'invalid_operation', message: `The filter \`${operator}\` needs a \`value\`.` });
  }
}

interface Expected {
  what: string;
  fields: FieldSpec[];
  skip?: string;
}

function checkFields(place: Place, object: JsonObject, expected: Expected): void {
  const { context, step, path } = place;
  const names = [...new Set(expected.fields.map((field) => field.name))];
  for (const key of Object.keys(object)) {
    if (key === expected.skip || names.includes(key)) continue;
    const near = context.suggest(key, names);
    const suggestion = near === undefined ? `Known fields: ${names.join(', ')}.` : `Did you mean \`${near}\`?`;
    const message = `${capitalize(expected.what)} has no field \`${shorten(key)}\`.`;
    context.report(step, [...path, key], { code: 'unknown_field', message, suggestion, atKey: true });
  }
  for (const field of expected.fields) {
    const value = Object.hasOwn(object, field.name) ? object[field.name] : undefined;
    if (value !== undefined && value !== null) checkField({ ...place, path: [...path, field.name] }, field, value);
    else if (field.required === true) {
      const message = `\`${field.name}\` is missing in ${expected.what}.`;
      context.report(step, path, { code: 'invalid_operation', message });
    }
  }
}

function checkField(place: Place, field: FieldSpec, value: Json): void {
  const { context, step, path } = place;
  if (field.name === ROW_EXPRESSION_KEY) {
    checkExpression(place, value);
    return;
  }
  checkEnum(context, step, path, { spec: field, value });
  if (typeof value === 'string' && value.includes('{')) return;
  const found = literalType(value);
  // The operations convert nothing: what only may fit does not.
  if (!['exact', 'coerced'].includes(compatibilityOf(found, field.type))) {
    const message = `\`${field.name}\` expects ${typeWithArticle(field.type)}, not ${typeWithArticle(found)}.`;
    context.report(step, path, { code: 'type_mismatch', message });
    return;
  }
  const inner = field.fields;
  if (inner === undefined || !Array.isArray(value)) return;
  value.forEach((item, index) => {
    const at = { ...place, path: [...path, index] };
    if (isJsonObject(item)) checkFields(at, item, { what: `an element of \`${field.name}\``, fields: inner });
    else
      context.report(step, at.path, {
        code: 'type_mismatch',
        message: `An element of \`${field.name}\` must be a mapping.`,
      });
  });
}

function literalType(value: Json): string {
  if (Array.isArray(value)) return 'any[]';
  if (isJsonObject(value)) return 'object';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value === 'boolean' ? 'boolean' : 'string';
}

function checkExpression({ context, step, path }: Place, value: Json): void {
  if (typeof value !== 'string') {
    context.report(step, path, { code: 'type_mismatch', message: '`expression` expects text such as "{pay} > 100".' });
    return;
  }
  const parsed = parseCondition(value);
  if (!parsed.ok) {
    const { code, message, offset, suggestion } = parsed.problem;
    context.report(step, path, { code, message, offset, ...(suggestion === undefined ? {} : { suggestion }) });
    return;
  }
}
