import type { Lines } from './lines';
import { toJson, type Path, type SourceNode } from './source-node';
import { scalarOffset } from './scalar-offset';
import type { Json } from '../base/json';

/** A text that was read, with the place of everything in it. */
export class SourceDocument {
  constructor(
    readonly text: string,
    readonly root: SourceNode,
    private readonly lines: Lines,
  ) {}

  position(offset: number): { line: number; column: number } {
    return this.lines.position(offset);
  }

  toJson(): Json {
    return toJson(this.root);
  }

  /** The node at a path; undefined when the path leaves the document. */
  find(path: Path, from: SourceNode = this.root): SourceNode | undefined {
    let node: SourceNode | undefined = from;
    for (const segment of path) node = child(node, segment);
    return node;
  }

  /** Offset of the value at a path; of the nearest thing on the way that exists when there is none. */
  offsetOf(path: Path, from: SourceNode = this.root): number {
    let node = from;
    let at = from.at;
    for (const segment of path) {
      const next = child(node, segment);
      if (next === undefined) return at;
      at = next.at;
      node = next;
    }
    return at;
  }

  /** Offset of the key that a path ends with; of the value where there is no key. */
  keyOffsetOf(path: Path, from: SourceNode = this.root): number {
    const last = path[path.length - 1];
    const parent = this.find(path.slice(0, -1), from);
    const entry = parent?.kind === 'map' && typeof last === 'string' ? parent.entries.get(last) : undefined;
    return entry?.keyAt ?? this.offsetOf(path, from);
  }

  /** Offset in the text of a character of a scalar's value, whatever its quotes and line breaks. */
  offsetInside(node: SourceNode, index: number): number {
    if (node.kind !== 'scalar' || typeof node.value !== 'string') return node.at;
    return node.at + scalarOffset(this.text.slice(node.at, node.end), node.value, index);
  }
}

function child(node: SourceNode | undefined, segment: string | number): SourceNode | undefined {
  if (node?.kind === 'map') return node.entries.get(String(segment))?.value;
  return node?.kind === 'list' && typeof segment === 'number' ? node.items[segment] : undefined;
}
