import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { Document, Node, Pair } from 'yaml';
import type { Json } from '../base/json';
import type { Problem } from '../errors/problem';

export type Path = readonly (string | number)[];

/** A YAML or JSON text with the place of everything in it. */
export interface Source {
  value: Json;
  /** 1-based place of the value at `path`, or of its key; of the nearest parent when there is none. */
  place(path: Path, at?: 'key' | 'value'): { line: number; column: number };
  /** The text of a scalar as written: `1.0` stays `1.0`. */
  text(path: Path): string | undefined;
}

export const MAX_TEXT = 1_000_000;
const MAX_ALIASES = 100;
const MAX_OPEN = 200;
const MAX_FAULTS = 10;

/** Reads YAML (JSON is YAML). Never throws: a text that cannot be read gives problems and no source. */
export function readSource(text: string): { source?: Source; problems: Problem[] } {
  if (text.length > MAX_TEXT) {
    return {
      problems: [problem('text_too_large', `The text has ${text.length} characters; at most ${MAX_TEXT} are allowed.`)],
    };
  }
  if (nestedTooDeep(text)) {
    return {
      problems: [problem('too_deep', `More than ${MAX_OPEN} brackets are open at once; a connector needs a handful.`)],
    };
  }
  try {
    return compose(text);
  } catch (error) {
    const message = error instanceof RangeError ? 'The text is nested too deeply.' : firstLine(error);
    return { problems: [problem('invalid_yaml', message)] };
  }
}

function compose(text: string): { source?: Source; problems: Problem[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true });
  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0) {
    return { problems: faultsByLine(faults, lines) };
  }
  const value = document.toJS({ maxAliasCount: MAX_ALIASES }) as Json;
  return { source: new YamlSource(value, document, lines), problems: [] };
}

/** The first fault of a line; what follows it there is its echo. */
function faultsByLine(faults: readonly { pos: [number, number]; message: string }[], lines: LineCounter): Problem[] {
  const found = new Map<number, Problem>();
  for (const fault of faults) {
    const at = lines.linePos(fault.pos[0]);
    if (!found.has(at.line)) {
      found.set(at.line, { ...problem('invalid_yaml', firstLine(fault)), line: at.line, column: at.col });
    }
  }
  return [...found.values()].slice(0, MAX_FAULTS);
}

class YamlSource implements Source {
  constructor(
    readonly value: Json,
    private readonly document: Document,
    private readonly lines: LineCounter,
  ) {}

  place(path: Path, at: 'key' | 'value' = 'value'): { line: number; column: number } {
    const found = this.walk(path);
    const node = at === 'key' ? (found.key ?? found.node) : (found.node ?? found.key);
    const position = this.lines.linePos(node?.range?.[0] ?? 0);
    return { line: Math.max(position.line, 1), column: Math.max(position.col, 1) };
  }

  text(path: Path): string | undefined {
    const { node, complete } = this.walk(path);
    return complete && isScalar(node) ? (node.source ?? String(node.value)) : undefined;
  }

  /** As far down as the path leads. */
  private walk(path: Path): { node?: Node; key?: Node; complete: boolean } {
    let node = this.document.contents ?? undefined;
    let key: Node | undefined;
    for (const segment of path) {
      const parent = isAlias(node) ? node.resolve(this.document) : node;
      const pair: Pair | undefined = isMap(parent)
        ? parent.items.find((item) => isScalar(item.key) && String(item.key.value) === String(segment))
        : undefined;
      const item =
        isSeq(parent) && typeof segment === 'number' ? (parent.items[segment] as Node | undefined) : undefined;
      if (pair === undefined && item === undefined) {
        return { node, key, complete: false };
      }
      key = pair === undefined ? undefined : (pair.key as Node);
      node = pair === undefined ? item : ((pair.value ?? undefined) as Node | undefined);
    }
    return { node, key, complete: true };
  }
}

/** Cheap guard before the recursive parser: brackets that are open at once. */
function nestedTooDeep(text: string): boolean {
  let open = 0;
  for (const char of text) {
    if (char === '[' || char === '{') {
      open += 1;
      if (open > MAX_OPEN) {
        return true;
      }
    } else if ((char === ']' || char === '}') && open > 0) {
      open -= 1;
    }
  }
  return false;
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : (error as { message?: string }).message;
  return (message ?? String(error)).split('\n')[0] ?? 'The text cannot be read.';
}

function problem(code: string, message: string): Problem {
  return { severity: 'error', code, message, line: 1, column: 1 };
}
