/** Entries after which a cache starts anew. */
const MAX_ENTRIES = 1_000;
/** Code units of all cached texts together. */
const MAX_TOTAL = 262_144;
/** Longer texts are parsed each time: only plain data is longer, and that costs nothing to parse. */
const MAX_TEXT = 65_536;

/**
 * Remembers results by text: workflow code parses the same strings on every activation.
 * When full it is emptied as a whole, so what it holds depends on the calls alone, and a result never depends on it.
 * Results are shared between callers: treat them as immutable.
 */
export function memoized<T>(parse: (text: string) => T): (text: string) => T {
  const cache = new Map<string, T>();
  let total = 0;
  return (text) => {
    if (text.length > MAX_TEXT) return parse(text);
    const known = cache.get(text);
    if (known !== undefined) return known;
    const result = parse(text);
    if (cache.size >= MAX_ENTRIES || total + text.length > MAX_TOTAL) {
      cache.clear();
      total = 0;
    }
    cache.set(text, result);
    total += text.length;
    return result;
  };
}
