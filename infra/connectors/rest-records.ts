import type { Json } from '../../core/base/json';
import { pathOf } from '../../core/connector/field-rule';
import { parseDotPath, readDotPath } from '../../core/connector/path';
import type { ResponseMapping } from '../../core/connector/types';
import { readPath } from './rest-mapping';

/** One field alone that is missing says too little: an answer may lack it and be the right one. */
export const FEWEST_FIELDS = 2;

/**
 * Why a JSON answer is another one than the mapping knows, or nothing. Sources report errors in a 200, and such a body must
 * not become a record of nothing.
 */
export function otherAnswer(data: Json, value: Json, mapping: ResponseMapping | undefined): string | undefined {
  const { has, results_are: kind, results_path: path } = mapping ?? {};
  const place = path === undefined ? 'the answer' : `\`${path}\``;
  if (has !== undefined && readPath(data, has) === undefined) return `the answer has no \`${has}\``;
  if (kind === 'list' && !Array.isArray(value)) return `${place} is no list of records`;
  if (kind === 'one' && (Array.isArray(value) || typeof value !== 'object')) return `${place} is not one record`;
  const records = Array.isArray(value) ? value : [value];
  const wanted = wantedPaths(mapping);
  if (records.length === 0 || wanted.length < FEWEST_FIELDS) return undefined;
  if (records.some((record) => hasSome(record, wanted))) return undefined;
  return `none of the fields ${wanted.slice(0, 5).join(', ')} is in ${place}`;
}

/** Paths of fields that somebody counts on: one with a default may be missing. */
export function wantedPaths(mapping: ResponseMapping | undefined): string[] {
  return Object.values(mapping?.fields ?? {})
    .filter((rule) => typeof rule === 'string' || rule.default === undefined)
    .map(pathOf)
    .filter((path) => path !== '');
}

/** A record may lack what lies deeper: the first step of one path is enough. */
function hasSome(record: Json, paths: readonly string[]): boolean {
  return paths.some((path) => {
    const [first] = parseDotPath(path) ?? [];
    return first !== undefined && readDotPath(record, [first]) !== undefined;
  });
}
