import { isJsonObject, ownField, type Json } from '../base/json';
import type { Row } from './rows';

/** A field by name or dotted path (`org.address.city`, `officers.0.name`). */
export interface FieldPath {
  name: string;
  parts: string[];
}

export function fieldPath(name: string): FieldPath {
  return { name, parts: name.split('.') };
}

/** A field whose whole name is the text wins over the path; a missing field is null. */
export function readField(row: Row, path: FieldPath): Json {
  const direct = ownField(row, path.name);
  if (direct !== undefined || path.parts.length === 1) {
    return direct ?? null;
  }
  let current: Json | undefined = row;
  for (const part of path.parts) {
    current = stepInto(current, part);
    if (current === undefined || current === null) {
      return null;
    }
  }
  return current ?? null;
}

/**
 * True if the field exists, if only as null. A field below a null, or after the end of a list, may exist: this record
 * does not show it.
 */
export function hasField(row: Row, path: FieldPath): boolean {
  if (ownField(row, path.name) !== undefined) return true;
  let current: Json = row;
  for (const part of path.parts) {
    const next = stepInto(current, part);
    if (next === undefined) return Array.isArray(current) && /^\d+$/.test(part);
    if (next === null) return true;
    current = next;
  }
  return true;
}

function stepInto(value: Json | undefined, part: string): Json | undefined {
  if (Array.isArray(value)) {
    return /^\d+$/.test(part) ? value[Number(part)] : undefined;
  }
  return isJsonObject(value) ? ownField(value, part) : undefined;
}
