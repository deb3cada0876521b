import type { Json, JsonObject } from '../../base/json';
import { valueFault } from '../types/rest-parameters';
import type { SchemaView } from './schema-view';

const MAX_OPTIONS = 200;
const MAX_TEXT = 1000;

/** `default` and `enum` of a parameter, as far as a definition can hold them. */
export function valuesOf(view: SchemaView): JsonObject {
  const options = (view.enum ?? []).filter((item) => isPlain(item) && valueFault(item, view.type) === undefined);
  const allowed = options.length > 0 && options.length <= MAX_OPTIONS ? options : undefined;
  const fallback = view.default;
  const fits = fallback !== undefined && isPlain(fallback) && valueFault(fallback, view.type, allowed) === undefined;
  return {
    ...(fits ? { default: fallback } : {}),
    ...(allowed === undefined ? {} : { enum: allowed }),
  };
}

/** A scalar that YAML gives back as it is. */
function isPlain(value: Json): boolean {
  if (typeof value === 'string') return value.length <= MAX_TEXT;
  return (
    typeof value === 'boolean' ||
    (typeof value === 'number' && (!Number.isInteger(value) || Number.isSafeInteger(value)))
  );
}
