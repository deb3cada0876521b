import type { Json } from '../base/json';
import { isJsonObject, ownField } from '../base/json';

/** A step of a dot path: a field, an index, or `[*]` for each element. */
export type DotSegment = { kind: 'field'; name: string } | { kind: 'index'; index: number } | { kind: 'each' };

const TOKEN = /\.?([^.[\]"]+)|\[(\d{1,9})\]|\[(\*)\]|\["([^"]+)"\]/y;

/** Parses `a.b[0].c`, `items[*].name`, `["odd.key"].x`; nothing when the path is malformed. Linear. */
export function parseDotPath(text: string): DotSegment[] | undefined {
  const segments: DotSegment[] = [];
  TOKEN.lastIndex = 0;
  let at = 0;
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null || (at === 0 && text.startsWith('.'))) {
      return undefined;
    }
    at = TOKEN.lastIndex;
    segments.push(segmentOf(match));
  }
  return segments.length === 0 ? undefined : segments;
}

function segmentOf(match: RegExpExecArray): DotSegment {
  const [, field, index, each, quoted] = match;
  if (each !== undefined) {
    return { kind: 'each' };
  }
  if (index !== undefined) {
    return { kind: 'index', index: Number(index) };
  }
  return { kind: 'field', name: quoted ?? field ?? '' };
}

/** The value at the path; `undefined` when something on the way is missing. A number after a dot indexes a list. */
export function readDotPath(value: Json | undefined, segments: readonly DotSegment[]): Json | undefined {
  let current = value;
  for (const [position, segment] of segments.entries()) {
    if (segment.kind === 'each') {
      const rest = segments.slice(position + 1);
      return Array.isArray(current) ? current.map((item) => readDotPath(item, rest) ?? null) : undefined;
    }
    current = step(current, segment);
    if (current === undefined) {
      return undefined;
    }
  }
  return current;
}

export type PathReader = (value: Json) => Json | undefined;

/** Reads one path of many values. Most paths are names alone, and most steps of them lead through records. */
export function pathReader(segments: readonly DotSegment[]): PathReader {
  const names = namesOf(segments);
  const slowly: PathReader = (value) => readDotPath(value, segments);
  if (names === undefined) return slowly;
  const [first, second] = names;
  if (first !== undefined && names.length <= 2)
    return second === undefined ? ofOne(first, slowly) : ofTwo(first, second, slowly);
  return (value) => {
    let current: Json | undefined = value;
    for (const name of names) {
      if (typeof current !== 'object' || current === null) return undefined;
      if (Array.isArray(current)) return slowly(value);
      // The field is the record's own: objects do not inherit this name.
      current = current[name];
    }
    return current;
  };
}

function ofOne(name: string, slowly: PathReader): PathReader {
  return (value) => {
    if (typeof value !== 'object' || value === null) return undefined;
    return Array.isArray(value) ? slowly(value) : value[name];
  };
}

function ofTwo(first: string, second: string, slowly: PathReader): PathReader {
  return (value) => {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value)) return slowly(value);
    const inner = value[first];
    if (typeof inner !== 'object' || inner === null) return undefined;
    return Array.isArray(inner) ? slowly(value) : inner[second];
  };
}

const NO_FIELDS = {};

/** Names of a path of fields alone, none of which objects inherit; undefined for other paths. */
function namesOf(segments: readonly DotSegment[]): string[] | undefined {
  const names = segments.flatMap((step) => (step.kind === 'field' && !(step.name in NO_FIELDS) ? [step.name] : []));
  return names.length === segments.length ? names : undefined;
}

function step(value: Json | undefined, segment: Exclude<DotSegment, { kind: 'each' }>): Json | undefined {
  if (segment.kind === 'index') {
    return Array.isArray(value) ? value[segment.index] : undefined;
  }
  if (Array.isArray(value)) {
    return /^\d+$/.test(segment.name) ? value[Number(segment.name)] : undefined;
  }
  return isJsonObject(value) ? ownField(value, segment.name) : undefined;
}
