import type { Json, JsonObject } from '../base/json';

/**
 * A copy of a value with every string (not the keys) replaced. Works level by level, so depth costs no stack.
 * What `replace` returns is placed as it is and never looked into; undefined takes the key out of an object, and is null
 * in a list, whose positions stay.
 */
export function mapStrings(value: Json, replace: (text: string) => Json | undefined): Json {
  const root: Json[] = [];
  const pending: Slot[] = [];
  place({ target: root, key: 0, source: value });
  for (let slot = pending.pop(); slot !== undefined; slot = pending.pop()) place(slot);
  return root[0] ?? null;

  function place({ target, key, source }: Slot): void {
    if (typeof source === 'string') {
      const replaced = replace(source);
      if (replaced === undefined && !Array.isArray(target)) delete target[key];
      else put(target, key, replaced ?? null);
    } else if (typeof source !== 'object' || source === null) {
      put(target, key, source);
    } else {
      const copy: Json[] | JsonObject = Array.isArray(source) ? [] : {};
      put(target, key, copy);
      pushChildren(source, copy);
    }
  }

  /** Last child first: the stack then yields document order. */
  function pushChildren(source: Json[] | JsonObject, copy: Json[] | JsonObject): void {
    if (Array.isArray(source)) {
      for (let index = source.length - 1; index >= 0; index--) {
        pending.push({ target: copy, key: index, source: source[index] ?? null });
      }
      return;
    }
    const keys = Object.keys(source);
    // Keys get their place now, so that the copy has the order of the source whatever is filled in first.
    for (const key of keys) put(copy, key, null);
    for (const key of keys.reverse()) {
      pending.push({ target: copy, key, source: source[key] ?? null });
    }
  }
}

interface Slot {
  target: Json[] | JsonObject;
  key: string | number;
  source: Json;
}

/** Defines an own property: a key `__proto__` must not set the prototype of the copy. */
function put(target: Json[] | JsonObject, key: string | number, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    (target as JsonObject)[key] = value;
  }
}
