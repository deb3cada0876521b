import type { Json } from '../base/json';
import { isJsonObject, ownField } from '../base/json';
import { dateFormatFault } from './date-format';
import { Fields, safeRecord } from './fields';
import { MAX_MAP_VALUES, MAX_TRANSFORMS } from './limits';
import type { PathCheck } from './mapping-path';
import type { FieldRule, Transform } from './mapping-types';

export const OPS = ['trim', 'number', 'date', 'split', 'replace', 'map'] as const;
type Op = (typeof OPS)[number];

/** A field of a mapping that is more than a path. */
export function readRule(rule: Fields | undefined, checkPath: PathCheck): FieldRule | undefined {
  if (rule === undefined) {
    return undefined;
  }
  const path = rule.text('path');
  const fault = path === undefined ? undefined : checkPath(path);
  if (fault !== undefined) {
    rule.report.add(rule.at('path'), 'invalid_path', fault);
  }
  const constant = rule.raw('constant');
  const fallback = rule.raw('default');
  const transforms = readTransforms(rule);
  rule.done();
  checkSource(rule);
  return {
    ...(path === undefined ? {} : { path }),
    ...(constant === undefined ? {} : { constant }),
    transforms,
    ...(fallback === undefined ? {} : { default: fallback }),
  };
}

function checkSource(rule: Fields): void {
  const hasPath = rule.has('path');
  const hasConstant = rule.has('constant');
  if (hasPath === hasConstant) {
    const message = hasPath
      ? 'A field comes from `path` or is a `constant`, not both.'
      : 'A field needs `path`, or `constant`.';
    rule.report.add(rule.path, hasPath ? 'invalid_value' : 'missing_field', message);
  }
  if (hasConstant && rule.has('default')) {
    rule.report.add(rule.at('default'), 'invalid_value', 'A constant is always there; `default` has no meaning.', {
      at: 'key',
    });
  }
}

/** A text such as `trim`, a transform, or a list of either. */
function readTransforms(rule: Fields): Transform[] {
  const raw = rule.raw('transforms');
  if (raw === undefined) {
    return [];
  }
  const base = rule.at('transforms');
  const items = Array.isArray(raw) ? raw : [raw];
  if (items.length > MAX_TRANSFORMS) {
    rule.report.add(base, 'invalid_value', `At most ${MAX_TRANSFORMS} transforms are allowed for one field.`);
  }
  return items.slice(0, MAX_TRANSFORMS).flatMap((item, index) => {
    const path = Array.isArray(raw) ? [...base, index] : base;
    const value: Json = typeof item === 'string' ? { op: item } : item;
    const fields = isJsonObject(value) ? new Fields(rule.report, path, value) : Fields.of(rule.report, path, value);
    return fields === undefined ? [] : (readTransform(fields) ?? []);
  });
}

function readTransform(fields: Fields): Transform | undefined {
  const op = fields.choice('op', OPS, { required: true });
  if (op === undefined) {
    return undefined;
  }
  const transform = READERS[op](fields);
  fields.done();
  return transform;
}

const READERS: Record<Op, (fields: Fields) => Transform | undefined> = {
  trim: () => ({ op: 'trim' }),
  number: (fields) => ({ op: 'number', decimal: fields.choice('decimal', ['.', ','] as const) ?? '.' }),
  date: readDate,
  split: (fields) => {
    const separator = literal(fields, 'separator', { empty: false });
    return separator === undefined ? undefined : { op: 'split', separator };
  },
  replace: (fields) => {
    const find = literal(fields, 'find', { empty: false });
    const put = literal(fields, 'with', { empty: true });
    return find === undefined || put === undefined ? undefined : { op: 'replace', find, with: put };
  },
  map: readValueMap,
};

function readDate(fields: Fields): Transform | undefined {
  const format = fields.text('format', { required: true, max: 100 });
  const fault = format === undefined ? undefined : dateFormatFault(format);
  if (fault !== undefined) {
    fields.report.add(fields.at('format'), 'invalid_value', fault);
    return undefined;
  }
  return format === undefined ? undefined : { op: 'date', format };
}

/** Literal text: blanks count, and nothing in it is a pattern. */
function literal(fields: Fields, name: string, allow: { empty: boolean }): string | undefined {
  const value = fields.raw(name);
  if (value === undefined) {
    return fields.text(name, { required: true });
  }
  if (typeof value !== 'string' || value.length > 200 || (value === '' && !allow.empty)) {
    const least = allow.empty ? 0 : 1;
    fields.report.add(fields.at(name), 'invalid_value', `\`${name}\` must be a text of ${least} to 200 characters.`);
    return undefined;
  }
  return value;
}

function readValueMap(fields: Fields): Transform | undefined {
  const values = fields.child('values');
  const otherwise = ownField(fields.value, 'otherwise');
  fields.raw('otherwise');
  const names = Object.keys(values?.value ?? {});
  if (values === undefined || names.length === 0) {
    if (!fields.has('values') || values !== undefined) {
      fields.report.add(fields.path, 'missing_field', '`map` needs `values` with at least one entry.');
    }
    return undefined;
  }
  if (names.length > MAX_MAP_VALUES) {
    fields.report.add(fields.at('values'), 'invalid_value', `At most ${MAX_MAP_VALUES} values are allowed.`);
  }
  const pairs = names.slice(0, MAX_MAP_VALUES).map((name) => [name, values.value[name] ?? null] as const);
  return { op: 'map', values: safeRecord<Json>(pairs), ...(otherwise === undefined ? {} : { otherwise }) };
}
