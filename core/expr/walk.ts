import { isJsonObject, type Json, ownField } from '../base/json';
import { isForbiddenName } from './forbidden';
import type { PathSegment } from './types';

/**
 * The value at the end of a path, by own fields and list elements only; undefined when anything on the way is missing.
 * `[*]` needs a list and gives a list of the same length: an element without the rest of the path gives null.
 */
export function walk(value: Json | undefined, path: readonly PathSegment[], from = 0): Json | undefined {
  let current = value;
  for (let at = from; at < path.length; at++) {
    const segment = path[at];
    if (segment === undefined || current === undefined) return undefined;
    if (segment.kind === 'each') {
      if (!Array.isArray(current)) return undefined;
      return current.map((item) => walk(item, path, at + 1) ?? null);
    }
    current = segment.kind === 'field' ? fieldOf(current, segment.name) : elementOf(current, segment.index);
  }
  return current;
}

/** Does a path go through the elements of a list of which none has the rest of it? Such a list of nulls is a name that nothing has. */
export function projectsUnknownField(value: Json | undefined, path: readonly PathSegment[]): boolean {
  const at = path.findIndex(({ kind }) => kind === 'each');
  const list = at < 0 ? undefined : walk(value, path.slice(0, at));
  if (!Array.isArray(list) || list.length === 0) return false;
  const rest = path.slice(at + 1);
  return list.every((item) => walk(item, rest) === undefined || projectsUnknownField(item, rest));
}

/**
 * True for the results that a projection may have for an element without the field: null, or a list of nulls where it
 * goes through two lists.
 */
export function isNullOrList(item: Json): boolean {
  return item === null || Array.isArray(item);
}

function fieldOf(value: Json, name: string): Json | undefined {
  return isJsonObject(value) && !isForbiddenName(name) ? ownField(value, name) : undefined;
}

function elementOf(value: Json, index: number): Json | undefined {
  return Array.isArray(value) && Number.isInteger(index) ? value.at(index) : undefined;
}
