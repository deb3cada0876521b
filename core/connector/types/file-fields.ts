import type { Fields } from '../fields';
import { safeRecord } from '../fields';
import { COLUMN } from '../limits';
import { checkName } from '../mapping';
import { checkDotPath, type PathCheck } from '../mapping-path';
import type { FileField, FileFormat, FileList } from '../types';
import { VALUE_TYPES } from '../types';

export interface FieldContext {
  parser: FileFormat;
  checkXpath?: PathCheck;
}

/** Alternatives under which the records of a list lie. */
export function readListElement(fields: Fields, context: FieldContext): string[] | undefined {
  const list = fields.texts('list_element');
  checkPaths(fields, 'list_element', list, context);
  return list;
}

export function readFileFields(fields: Fields, context: FieldContext): FileField[] {
  const result = fields.children('fields').map((item) => readField(item, context));
  const seen = new Set<string>();
  result.forEach((field, index) => {
    if (field.field !== '' && seen.has(field.field)) {
      fields.report.add(
        [...fields.at('fields'), index, 'field'],
        'duplicate_name',
        `The field \`${field.field}\` is declared twice.`,
      );
    }
    seen.add(field.field);
  });
  return result;
}

function readField(item: Fields, context: FieldContext): FileField {
  const spelled = item.texts('xpath');
  const paths = item.texts('paths');
  const column = item.texts('column');
  const given = [...(spelled ?? []), ...(paths ?? []), ...(column ?? [])];
  const field = item.text('field', { required: true }) ?? '';
  if (field !== '') {
    checkName(item, item.at('field'), field);
  }
  const type = item.choice('type', VALUE_TYPES) ?? 'string';
  const join = readJoin(item);
  const description = item.text('description');
  const place = readColumnPlace(item, context.parser);
  item.done();
  checkPaths(item, spelled === undefined ? 'paths' : 'xpath', given, context);
  if (given.length === 0 && context.parser === 'xml') {
    item.report.add(item.path, 'missing_field', 'A field needs `xpath`, or `paths` with alternatives.');
  }
  return {
    field,
    paths: given.length === 0 ? [field] : given,
    type,
    ...place,
    ...(join === undefined ? {} : { join }),
    ...(description === undefined ? {} : { description }),
  };
}

/** Reads the place of a column in a fixed-width line. */
function readColumnPlace(item: Fields, parser: FileFormat): { start?: number; length?: number } {
  const start = item.integer('start', COLUMN);
  const length = item.integer('length', COLUMN);
  if (parser === 'fixed_width') {
    for (const key of ['start', 'length'].filter((name) => !item.has(name))) {
      item.report.add(item.path, 'missing_field', `A column of a fixed-width file needs \`${key}\`.`);
    }
  } else if (item.has('start') || item.has('length')) {
    const message = `\`start\` and \`length\` have no meaning for ${parser} files, only for fixed_width.`;
    item.report.add(item.at(item.has('start') ? 'start' : 'length'), 'invalid_value', message, { at: 'key' });
  }
  return { ...(start === undefined ? {} : { start }), ...(length === undefined ? {} : { length }) };
}

/** `join: true` puts a space between the nodes, a text puts itself. */
function readJoin(item: Fields): string | undefined {
  const raw = item.raw('join');
  if (raw === undefined || raw === false) {
    return undefined;
  }
  if (raw === true || (typeof raw === 'string' && raw.length <= 10)) {
    return raw === true ? ' ' : raw;
  }
  item.report.add(item.at('join'), 'invalid_type', '`join` must be `true` or a short text to put between the nodes.');
  return undefined;
}

export function readGroups(fields: Fields, context: FieldContext, own: FileField[]): Record<string, FileList> {
  const child = fields.child('groups');
  const names = new Set(own.map((field) => field.field));
  const pairs: [string, FileList][] = [];
  for (const name of Object.keys(child?.value ?? {})) {
    const group = child?.child(name);
    if (group === undefined) {
      continue;
    }
    checkName(fields, [...fields.at('groups'), name], name);
    const list = readListElement(group, context);
    if (list === undefined) {
      group.report.add(group.path, 'missing_field', 'A group needs `list_element`.');
    }
    const items = readFileFields(group, context);
    const carry = group.texts('carry') ?? [];
    const unknown = carry.find((wanted) => !names.has(wanted));
    if (unknown !== undefined) {
      group.report.add(
        group.at('carry'),
        'unknown_reference',
        `\`${unknown}\` is no field of this endpoint's own \`fields\`.`,
      );
    }
    group.done();
    pairs.push([name, { ...(list === undefined ? {} : { list_element: list }), fields: items, carry }]);
  }
  return safeRecord(pairs);
}

function checkPaths(fields: Fields, key: string, paths: string[] | undefined, context: FieldContext): void {
  for (const path of paths ?? []) {
    const fault = faultOf(path, context);
    if (fault !== undefined) {
      fields.report.add(fields.at(key), 'invalid_path', fault);
    }
  }
}

function faultOf(path: string, context: FieldContext): string | undefined {
  switch (context.parser) {
    case 'xml':
      return context.checkXpath?.(path);
    case 'json':
      return checkDotPath(path);
    default:
      return undefined;
  }
}
