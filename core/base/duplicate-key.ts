import { endOfText } from './exact-json';

/** Next text, or the beginning or end of an object or list. */
const TOKEN = /["{}[\]]/g;
const COLON = /\s*:/y;

/** A key that stands twice in one object of a valid JSON text: the parser takes the last value, and nobody would know of the other. */
export function duplicateKeyOf(json: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(json); found !== null; found = TOKEN.exec(json)) {
    if (found[0] === '{') open.push(new Set());
    else if (found[0] === '[') open.push(undefined);
    else if (found[0] !== '"') open.pop();
    else {
      const end = endOfText(json, found.index);
      TOKEN.lastIndex = end;
      COLON.lastIndex = end;
      const keys = open.at(-1);
      if (keys === undefined || !COLON.test(json)) continue;
      const key = JSON.parse(json.slice(found.index, end)) as string;
      if (keys.has(key)) return key;
      keys.add(key);
    }
  }
  return undefined;
}
