import type { Json } from '../../core/base/json';
import { pathOf } from '../../core/connector/field-rule';
import { parseDotPath, readDotPath } from '../../core/connector/path';
import type { ResponseMapping } from '../../core/connector/types';
import { isUnexpectedAnswer } from './unexpected-answer';
import { readPath } from './mapped-pages';

/**
 * Describes how a JSON answer differs from what the mapping expects, or nothing. Sources report errors in a 200; such a
 * body must not become an empty record.
 */
export function unexpectedAnswer(data: Json, value: Json, mapping: ResponseMapping | undefined): string | undefined {
  const { has, results_are: kind, results_path: path } = mapping ?? {};
  const place = path === undefined ? 'the answer' : `\`${path}\``;
  if (has !== undefined && readPath(data, has) === undefined) return `the answer has no \`${has}\``;
  if (kind === 'list' && !Array.isArray(value)) return `${place} is no list of records`;
  if (kind === 'one' && (Array.isArray(value) || typeof value !== 'object')) return `${place} is not one record`;
  const records = Array.isArray(value) ? value : [value];
  const wanted = expectedFields(mapping);
  if (
    records.length === 0 ||
    !isUnexpectedAnswer(wanted, ({ path: at }) => records.some((record) => begins(record, at)))
  )
    return undefined;
  return `none of the fields ${pathsText(wanted)} is in ${place}`;
}

export interface ExpectedField {
  field: string;
  path: string;
}

/** Expected fields: one with a default may be missing. */
export function expectedFields(mapping: ResponseMapping | undefined): ExpectedField[] {
  return Object.entries(mapping?.fields ?? {})
    .filter(([, rule]) => typeof rule === 'string' || rule.default === undefined)
    .map(([field, rule]) => ({ field, path: pathOf(rule) }))
    .filter(({ path }) => path !== '');
}

/** Lists fields for a message: some of them, by their paths. */
export function pathsText(fields: readonly ExpectedField[]): string {
  return fields
    .slice(0, 5)
    .map(({ path }) => path)
    .join(', ');
}

/** A record may lack what lies deeper: the first step of the path is enough. */
function begins(record: Json, path: string): boolean {
  const [first] = parseDotPath(path) ?? [];
  return first !== undefined && readDotPath(record, [first]) !== undefined;
}
