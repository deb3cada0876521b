import type { Json, JsonObject } from './json';

interface Frame {
  list?: Json[];
  object?: JsonObject;
  /** Keys of the object that have a value, in writing order. */
  keys: string[];
  next: number;
}

/**
 * JSON text of any value, however deep: it keeps its own stack where `JSON.stringify` would overflow.
 * With `sortKeys`, keys are ordered by code unit at every level.
 */
export function writeJson(value: Json, sortKeys: boolean): string {
  const out: string[] = [];
  const stack: Frame[] = [];
  open(value, { out, stack, sortKeys });
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const { list, object, keys } = frame;
    const length = list?.length ?? keys.length;
    if (frame.next >= length) {
      out.push(list ? ']' : '}');
      stack.pop();
      continue;
    }
    if (frame.next > 0) out.push(',');
    const index = frame.next++;
    const key = keys[index];
    if (object && key !== undefined) out.push(JSON.stringify(key), ':');
    const child = list ? list[index] : object?.[key ?? ''];
    open(child ?? null, { out, stack, sortKeys });
  }
  return out.join('');
}

interface Writer {
  out: string[];
  stack: Frame[];
  sortKeys: boolean;
}

function open(value: Json, writer: Writer): void {
  if (typeof value !== 'object' || value === null) {
    writer.out.push(JSON.stringify(value));
  } else if (Array.isArray(value)) {
    writer.out.push('[');
    writer.stack.push({ list: value, keys: [], next: 0 });
  } else {
    const keys = Object.keys(value).filter((key) => value[key] !== undefined);
    writer.out.push('{');
    writer.stack.push({ object: value, keys: writer.sortKeys ? keys.sort() : keys, next: 0 });
  }
}
