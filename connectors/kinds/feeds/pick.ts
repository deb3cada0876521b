/**
 * Careful access to what a feed library gives: which parts are there depends on the feed, and no part of it is to be
 * trusted to have its usual form.
 */
export function pick(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>(
    (current, key) =>
      typeof current === 'object' && current !== null && Object.hasOwn(current, key)
        ? (current as Record<string | number, unknown>)[key]
        : undefined,
    value,
  );
}

export function listAt(value: unknown, ...path: (string | number)[]): unknown[] {
  const found = pick(value, ...path);
  return Array.isArray(found) ? found : found === undefined || found === null ? [] : [found];
}

/** A text, or the text of what wraps one. */
export function textAt(value: unknown, ...path: (string | number)[]): string | undefined {
  const found = pick(value, ...path);
  const text = typeof found === 'object' ? (pick(found, 'value') ?? pick(found, 'text') ?? pick(found, 'name')) : found;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}

/** The first text that any of the paths leads to. */
export function firstText(value: unknown, ...paths: (string | number)[][]): string | undefined {
  for (const path of paths) {
    const text = textAt(value, ...path);
    if (text !== undefined) {
      return text;
    }
  }
  return undefined;
}
