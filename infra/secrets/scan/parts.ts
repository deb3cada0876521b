import { layersOf, SHORTEST } from './patterns';

/** Least length of a line of a longer secret: shorter ones say too little of it, and occur in too many other texts. */
const SHORTEST_LINE = 8;
/** Fewer digits are a port, a year, an amount. */
const SHORTEST_NUMBER = 6;
/** JSON in a text in JSON. */
const DEEPEST = 4;
/** A header's value as people store it: the secret part follows the name of the scheme. */
const SCHEME = /^(?:bearer|basic|token|api-?key|negotiate)\s+(\S.*)$/is;
/** Fields with public values: `type`, `auth_uri`, `universe_domain`, `region`. */
const PUBLIC_FIELD = /(?:^|[_-])(?:type|ur[il]|domain|host|region)$/i;

/**
 * A secret and its parts that are secret themselves: the values inside JSON (without addresses and the like, which are public), the
 * lines of a text of several, the password of `user:password` or of an address.
 */
export function partsOf(secret: string): string[] {
  const parts = new Set<string>([secret]);
  collect(secret, parts, 0);
  return [...parts].filter((part) => part.length >= SHORTEST);
}

function collect(text: string, parts: Set<string>, depth: number): void {
  const json = depth < DEEPEST ? jsonOf(text) : undefined;
  if (json !== undefined) {
    for (const value of valuesOf(json, '')) {
      parts.add(value);
      collect(value, parts, depth + 1);
    }
    return;
  }
  for (const layer of layersOf(text)) {
    for (const line of linesOf(layer)) parts.add(line);
  }
  for (const password of passwordsOf(text)) parts.add(password);
  // Blanks at the ends may be lost on the way.
  const trimmed = text.trim();
  for (const bare of [trimmed, SCHEME.exec(trimmed)?.[1]]) {
    if (bare !== undefined && bare !== text) parts.add(bare);
  }
}

/** A number with the text that was written for it: a double may say another one. */
class WrittenNumber {
  constructor(
    readonly written: string,
    readonly value: number,
  ) {}
}

function jsonOf(text: string): unknown {
  if (!/^\s*[[{"]/.test(text)) return undefined;
  try {
    return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' ? new WrittenNumber(context?.source ?? String(value), value) : value,
    ) as unknown;
  } catch {
    return undefined;
  }
}

function valuesOf(json: unknown, field: string): string[] {
  if (typeof json === 'string') return isPublic(field, json) ? [] : [json];
  if (typeof json !== 'object' || json === null) return [];
  if (Array.isArray(json)) return json.flatMap((item) => valuesOf(item, field));
  if (json instanceof WrittenNumber) {
    return [json.written, String(json.value)].filter(({ length }) => length >= SHORTEST_NUMBER);
  }
  return Object.entries(json).flatMap(([name, value]) => valuesOf(value, name));
}

/** An address that carries a user or a query may carry a password. */
function isPublic(field: string, value: string): boolean {
  return PUBLIC_FIELD.test(field) && !/[@?\n]/.test(value);
}

function linesOf(text: string): string[] {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return lines.length < 2 ? [] : lines.filter((line) => line.length >= SHORTEST_LINE && !line.startsWith('-----'));
}

function passwordsOf(text: string): string[] {
  const inAddress = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]*?:([^\s/?#]+)@/i.exec(text)?.[1];
  if (inAddress !== undefined) return layersOf(inAddress);
  const inPair = /^[^\s:]+:([^\s/]\S+)$/.exec(text)?.[1] ?? '';
  return inPair.length < SHORTEST_LINE ? [] : [inPair];
}
