import type { Json } from './json';
import { knownSize } from './known-size';

/**
 * Replay-sensitive. Values that hold the same large parts by reference, as JSON that has each of them once: the outputs
 * of steps that each add a field to one document are little more than that document.
 */
export interface SharedJson {
  /** The value; null where a part was taken out. */
  root: Json;
  /** Each may have holes that earlier parts fill. */
  parts: Json[];
  holes: Hole[];
}

interface Hole {
  /** Index of the part that has the hole; absent: the root has it. */
  of?: number;
  at: (string | number)[];
  /** Index of the part that fills it. */
  part: number;
}

/** A smaller part costs more to find than to repeat. */
const PART_BYTES = 16_384;
/** A longer list is a list of records: it is shared whole or not at all. */
const FEW_ELEMENTS = 16;

/** Undefined where nothing large is held twice. Only for values that never change once made. */
export function packShared(root: Json): SharedJson | undefined {
  const counts = new Map<Large, number>();
  count(root, counts);
  const shared = new Set([...counts].filter(([, times]) => times > 1).map(([value]) => value));
  return shared.size === 0 ? undefined : new Packing(shared).pack(root);
}

/** The value that was packed, and its parts: texts, and objects and lists that it holds by reference. */
export function unpackShared({ root, parts, holes }: SharedJson): { root: Json; parts: Json[] } {
  // A part is whole once those before it are: holes come in the order of the parts that have them, the root's last.
  for (const { of, at, part } of holes) fill(of === undefined ? root : parts[of], at, parts[part] ?? null);
  return { root, parts };
}

/** Indices of the parts that hold no other part. */
export function innermostParts({ parts, holes }: SharedJson): number[] {
  const outer = new Set(holes.map(({ of }) => of));
  return [...parts.keys()].filter((part) => !outer.has(part));
}

/** Large parts of a value that hold no other, or are parts already (`isPart`); the value itself where it has none. */
export function largeParts(value: Json, isPart: (value: Json) => boolean = () => false): Json[] {
  if (!isLarge(value)) return [];
  if (isPart(value)) return [value];
  const inner = childrenOf(value).flatMap((child) => largeParts(child, isPart));
  return inner.length === 0 ? [value] : inner;
}

/** Equal texts are one part; objects and lists only where they are the same. */
type Large = string | Json[] | { [key: string]: Json };

function isLarge(value: Json): value is Large {
  if (typeof value === 'string') return value.length >= PART_BYTES;
  return typeof value === 'object' && value !== null && knownSize(value) >= PART_BYTES;
}

function childrenOf(value: Large): Json[] {
  if (typeof value === 'string') return [];
  if (!Array.isArray(value)) return Object.values(value);
  return value.length > FEW_ELEMENTS ? [] : value;
}

function count(value: Json, counts: Map<Large, number>): void {
  if (!isLarge(value)) return;
  const before = counts.get(value) ?? 0;
  counts.set(value, before + 1);
  if (before === 0) for (const child of childrenOf(value)) count(child, counts);
}

class Packing {
  private readonly parts: Json[] = [];
  private readonly known = new Map<Large, number>();
  private readonly holes: Hole[][] = [];

  constructor(private readonly shared: ReadonlySet<Large>) {}

  pack(root: Json): SharedJson {
    const own: Hole[] = [];
    const packed = isLarge(root) ? this.copy(root, [], own) : root;
    const ofParts = this.holes.flatMap((holes, of) => holes.map((hole) => ({ of, ...hole })));
    return { root: packed, parts: this.parts, holes: [...ofParts, ...own] };
  }

  private place(value: Json, at: (string | number)[], holes: Hole[]): Json {
    if (!isLarge(value)) return value;
    if (!this.shared.has(value)) return this.copy(value, at, holes);
    holes.push({ at, part: this.known.get(value) ?? this.take(value) });
    return null;
  }

  private take(value: Large): number {
    const holes: Hole[] = [];
    const copied = this.copy(value, [], holes);
    const part = this.parts.push(copied) - 1;
    this.holes.push(holes);
    this.known.set(value, part);
    return part;
  }

  private copy(value: Large, at: (string | number)[], holes: Hole[]): Json {
    if (typeof value === 'string') return value;
    if (!Array.isArray(value)) {
      const fields = Object.entries(value).map(([key, child]) => [key, this.place(child, [...at, key], holes)]);
      return Object.fromEntries(fields) as Json;
    }
    return value.length > FEW_ELEMENTS ? value : value.map((child, no) => this.place(child, [...at, no], holes));
  }
}

function fill(holder: Json | undefined, at: readonly (string | number)[], value: Json): void {
  let target = holder;
  for (const step of at.slice(0, -1)) target = (target as { [key: string]: Json })[step];
  // Own property whatever the name: `__proto__` in data is a field like any other.
  Object.defineProperty(target as object, at.at(-1) as string | number, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
