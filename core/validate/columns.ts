import type { FieldSpec } from '../actions/types';
import { isJsonObject, ownField, type Json, type JsonObject } from '../base/json';
import { jsonText } from '../base/json-text';
import type { Path } from '../playbook/source-node';
import { elementType, isList, isRecord, shapeOf } from './shape';

/** Known columns of rows, operation by operation. Undefined = not known, so any name may be right. */
export type Columns = readonly FieldSpec[] | undefined;

/** A field that an operation names, and where. */
export interface FieldRead {
  name: string;
  path: Path;
  /** Input of the step to which the columns belong. */
  of?: string;
}

/** Fields that the params of an operation name; texts with references are known in the run alone. */
export function fieldsRead(operation: JsonObject): FieldRead[] {
  switch (operation['type']) {
    case 'filter':
      return named(operation, 'field');
    case 'sort':
    case 'deduplicate':
    case 'select':
      return [...named(operation, 'by'), ...named(operation, 'field'), ...named(operation, 'fields')];
    case 'previous':
      return ['group_by', 'order_by', 'field', 'fields'].flatMap((param) => named(operation, param));
    case 'flatten':
      return [...named(operation, 'field'), ...named(operation, 'keep')];
    case 'rename':
      return renames(operation).map(([name, , param]) => ({ name, path: [param, name] }));
    case 'aggregate':
      return [...named(operation, 'group_by'), ...named(operation, 'field'), ...metricFields(operation)];
    case 'join':
      return joinKeys(operation);
    case 'pivot':
      return ['group_by', 'column', 'value'].flatMap((param) => named(operation, param));
    case 'unpivot':
      return ['fields', 'field', 'keep'].flatMap((param) => named(operation, param));
    case 'window':
      return ['group_by', 'order_by', 'field', 'fields'].flatMap((param) => named(operation, param));
    default:
      return [];
  }
}

/** The columns behind an operation. `others`: those of the step's other inputs. */
export function columnsAfter(operation: Json, columns: Columns, others: (name: string) => Columns): Columns {
  if (!isJsonObject(operation)) return undefined;
  switch (operation['type']) {
    case 'filter':
    case 'sort':
    case 'limit':
    case 'deduplicate':
    case 'sample':
      return columns;
    case 'select':
      return picked(ownField(operation, 'fields') ?? ownField(operation, 'field'), columns);
    case 'rename':
      return renamed(renames(operation), columns);
    case 'compute':
      return columns && withNames(columns, computedNames(operation));
    case 'aggregate':
      return aggregated(operation, columns);
    case 'flatten':
      return flattened(operation, columns);
    case 'join':
      return joined(operation, columns, others);
    case 'previous':
      return columns && withNames(columns, previousNames(operation));
    case 'zip':
      return joined(operation, columns, others);
    case 'pivot':
      return pivoted(operation, columns);
    case 'unpivot':
      return unpivoted(operation, columns);
    case 'window':
      return columns && withNames(columns, windowNames(operation));
    case 'chunk':
      return chunked(operation);
    case 'concat':
      return concatenated(operation, columns, others);
    default:
      return undefined;
  }
}

/** The column that a name or dotted path leads to; undefined: there is none. A path into what is not known is any. */
export function columnAt(name: string, columns: readonly FieldSpec[]): FieldSpec | undefined {
  const direct = columns.find((column) => column.name === name);
  if (direct) return direct;
  const [first = '', ...rest] = name.split('.');
  const root = columns.find((column) => column.name === first);
  return root && rest.length > 0 ? inside(root, rest) : undefined;
}

function inside(spec: FieldSpec, parts: readonly string[]): FieldSpec | undefined {
  const [part, ...rest] = parts;
  const { type, fields } = shapeOf(spec);
  if (part === undefined || type === 'any') return spec;
  if (isList(type)) {
    return /^\d+$/.test(part) ? inside({ ...spec, type: elementType(type) }, rest) : undefined;
  }
  if (!isRecord(type)) return undefined;
  if (fields === undefined) return { name: part, type: 'any' };
  const found = fields.find((field) => field.name === part);
  return found && inside(found, rest);
}

function isWritten(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== '' && !value.includes('{');
}

/** Names in a param: one, a list of them, or records with `field`. */
function named(operation: JsonObject, param: string): FieldRead[] {
  return namesIn(ownField(operation, param), [param]);
}

export function namesIn(value: Json | undefined, path: Path): FieldRead[] {
  if (!Array.isArray(value)) return oneName(value, path);
  return value.flatMap((element, index) => oneName(element, [...path, index]));
}

function oneName(value: Json | undefined, path: Path): FieldRead[] {
  if (isWritten(value)) return [{ name: value, path }];
  const field = isJsonObject(value) ? ownField(value, 'field') : undefined;
  return isWritten(field) ? [{ name: field, path: [...path, 'field'] }] : [];
}

function metricFields(operation: JsonObject): FieldRead[] {
  return metricsOf(operation).flatMap((metric, index) =>
    isJsonObject(metric) && isWritten(metric['field'])
      ? [{ name: metric['field'], path: ['metrics', index, 'field'] }]
      : [],
  );
}

function metricsOf(operation: JsonObject): readonly Json[] {
  const metrics = ownField(operation, 'metrics');
  return Array.isArray(metrics) ? metrics : [];
}

function joinKeys(operation: JsonObject): FieldRead[] {
  const on = ownField(operation, 'on');
  const other = ownField(operation, 'with');
  const list = Array.isArray(on) ? on : [on];
  return list.flatMap((key, index) => {
    const path: Path = Array.isArray(on) ? ['on', index] : ['on'];
    const sides = isJsonObject(key) ? [key['left'], key['right']] : [key, key];
    const inner = (side: string): Path => (isJsonObject(key) ? [...path, side] : path);
    const left: FieldRead[] = isWritten(sides[0]) ? [{ name: sides[0], path: inner('left') }] : [];
    const right: FieldRead[] =
      isWritten(sides[1]) && isWritten(other) ? [{ name: sides[1], path: inner('right'), of: other }] : [];
    return [...left, ...right];
  });
}

type Renaming = [old: string, name: string, param: string];

function renames(operation: JsonObject): Renaming[] {
  const param = ownField(operation, 'fields') === undefined ? 'mapping' : 'fields';
  const given = ownField(operation, param);
  if (!isJsonObject(given)) return [];
  return Object.entries(given).flatMap(([old, name]): Renaming[] => (isWritten(name) ? [[old, name, param]] : []));
}

function renamed(names: readonly Renaming[], columns: Columns): Columns {
  return columns?.map((column) => {
    const name = names.find(([old]) => old === column.name)?.[1];
    return name === undefined ? column : { ...column, name };
  });
}

/** Exactly the columns that are named; what was not known of them before is any. */
function picked(value: Json | undefined, columns: Columns): Columns {
  const found: FieldSpec[] = [];
  for (const element of Array.isArray(value) ? value : [value]) {
    const field = isJsonObject(element) ? ownField(element, 'field') : element;
    const as = isJsonObject(element) ? (ownField(element, 'as') ?? field) : field;
    if (!isWritten(field) || !isWritten(as)) return undefined;
    found.push({ type: 'any', ...(columns && columnAt(field, columns)), name: as });
  }
  return found;
}

function withNames(columns: readonly FieldSpec[], names: readonly string[] | undefined): Columns {
  if (names === undefined) return undefined;
  const others = columns.filter((column) => !names.includes(column.name));
  return [...others, ...names.map((name) => ({ name, type: 'any' }))];
}

function computedNames(operation: JsonObject): string[] | undefined {
  const fields = ownField(operation, 'fields');
  const list = Array.isArray(fields) ? fields : [operation];
  const names = list.map((element) => (isJsonObject(element) ? element['as'] : undefined));
  return names.every(isWritten) ? names : undefined;
}

function previousNames(operation: JsonObject): string[] | undefined {
  const prefix = ownField(operation, 'prefix') ?? 'previous_';
  const fields = picked(ownField(operation, 'fields') ?? ownField(operation, 'field'), undefined);
  return typeof prefix === 'string' && !prefix.includes('{')
    ? fields?.map(({ name }) => `${prefix}${name}`)
    : undefined;
}

function aggregated(operation: JsonObject, columns: Columns): Columns {
  const by = ownField(operation, 'group_by');
  const group = by === undefined || by === null ? [] : picked(by, columns);
  const written = metricsOf(operation);
  const metrics = (written.length === 0 ? [operation] : written).map(metricName);
  if (group === undefined || !metrics.every(isWritten)) return undefined;
  return [...group, ...metrics.map((name) => ({ name, type: 'any' }))];
}

function metricName(metric: Json): string | undefined {
  if (!isJsonObject(metric)) return undefined;
  const { as, field } = metric;
  if (as !== undefined && as !== null) return isWritten(as) ? as : undefined;
  const op = metric['op'] ?? metric['operator'] ?? metric['function'];
  if (!isWritten(op)) return undefined;
  if (op === 'count' && field === undefined) return 'count';
  return isWritten(field) ? `${op}_${field}` : undefined;
}

/** Columns that come from values are known where they are named. */
function pivoted(operation: JsonObject, columns: Columns): Columns {
  const { group_by: by, columns: names, prefix = '' } = operation;
  const group = by === undefined || by === null ? [] : picked(by, columns);
  if (group === undefined || !Array.isArray(names) || typeof prefix !== 'string' || prefix.includes('{'))
    return undefined;
  if (!names.every(isWritten)) return undefined;
  return [...group, ...names.map((name) => ({ name: `${prefix}${name}`, type: 'any' }))];
}

function unpivoted(operation: JsonObject, columns: Columns): Columns {
  const { keep, name_as: nameAs = 'name', value_as: valueAs = 'value' } = operation;
  if (!isWritten(nameAs) || !isWritten(valueAs)) return undefined;
  const turned = namesIn(ownField(operation, 'fields') ?? ownField(operation, 'field'), []).map(({ name }) => name);
  const others = columns?.filter(({ name }) => !turned.includes(name));
  const kept = keep === undefined || keep === null ? others : picked(keep, columns);
  return kept && [...kept, { name: nameAs, type: 'string' }, { name: valueAs, type: 'any' }];
}

const PLACES = ['row_number', 'rank', 'dense_rank'];

function windowNames(operation: JsonObject): string[] | undefined {
  const fields = ownField(operation, 'fields');
  const names = (Array.isArray(fields) ? fields : [operation]).map((element) => {
    if (!isJsonObject(element)) return undefined;
    const { as, op } = element;
    if (as !== undefined && as !== null) return isWritten(as) ? as : undefined;
    if (isWritten(op) && PLACES.includes(op)) return op;
    const metric = metricName(element);
    return metric === undefined ? undefined : `running_${metric}`;
  });
  return names.every(isWritten) ? names : undefined;
}

function chunked(operation: JsonObject): Columns {
  const { as = 'rows' } = operation;
  if (!isWritten(as)) return undefined;
  return [
    { name: 'number', type: 'integer' },
    { name: 'count', type: 'integer' },
    { name: as, type: 'record[]' },
  ];
}

function flattened(operation: JsonObject, columns: Columns): Columns {
  const { field, keep, as } = operation;
  if (!isWritten(field)) return undefined;
  const parent =
    keep === undefined || keep === null ? columns?.filter(({ name }) => name !== field) : picked(keep, columns);
  if (parent === undefined) return undefined;
  if (isWritten(as)) return [...parent, { name: as, type: 'any' }];
  const list = columns && columnAt(field, columns);
  const element = list && shapeOf(list);
  if (as !== undefined || element?.fields === undefined || !isList(element.type)) return undefined;
  return [...parent, ...element.fields];
}

function joined(operation: JsonObject, columns: Columns, others: (name: string) => Columns): Columns {
  const { with: other, prefix = '' } = operation;
  const right = isWritten(other) ? others(other) : undefined;
  const isKnown = columns !== undefined && right !== undefined && typeof prefix === 'string' && !prefix.includes('{');
  if (!isKnown) return undefined;
  const shared = sharedKeys(ownField(operation, 'on'));
  const own = new Set(columns.map(({ name }) => name));
  const taken = right
    .filter(({ name }) => prefix !== '' || !shared.includes(name))
    .map((spec) => ({
      ...spec,
      name: prefix === '' && own.has(spec.name) ? `${jsonText(other)}_${spec.name}` : `${prefix}${spec.name}`,
    }));
  return [...columns, ...taken];
}

/** Keys of one name on both sides are kept once. */
function sharedKeys(on: Json | undefined): Json[] {
  return (Array.isArray(on) ? on : [on ?? null]).flatMap((key) => {
    if (!isJsonObject(key)) return [key];
    return key['left'] === key['right'] && key['left'] !== undefined ? [key['left']] : [];
  });
}

function concatenated(operation: JsonObject, columns: Columns, others: (name: string) => Columns): Columns {
  const all = [columns];
  const other = ownField(operation, 'with');
  for (const name of Array.isArray(other) ? other : [other]) all.push(isWritten(name) ? others(name) : undefined);
  const found: FieldSpec[] = [];
  for (const each of all) {
    if (each === undefined) return undefined;
    for (const spec of each) {
      const at = found.findIndex(({ name }) => name === spec.name);
      if (at < 0) found.push(spec);
      // Two kinds of records: what lies in such a column is not known any more.
      else if (found[at] !== spec) found[at] = { name: spec.name, type: 'any' };
    }
  }
  return found;
}
