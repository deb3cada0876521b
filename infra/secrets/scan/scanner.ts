import {
  beginningsOf,
  COARSE,
  fits,
  folded,
  MOST_LAYERS,
  PREFIX_LENGTH,
  SKIPPED,
  type Kind,
  type Pattern,
} from './patterns';
import { newUnits, Unescaper, type Units } from './unescape';

/** A place in a text, its end excluded. */
export interface Range {
  from: number;
  to: number;
}

interface Known extends Pattern {
  /** Table of Knuth, Morris and Pratt: made when the pattern is first met. */
  fallbacks?: Int32Array;
}

/** Texts are looked through in pieces of this size or more, which overlap. */
const PIECE = 32_768;
/** Characters that escapes make of one, at most, where a find lies across two pieces. */
const WIDENING = 16;

/** The last four characters as a place in a table of 65,536. */
const slotOf = (four: number): number => Math.imul(four, 0x9e3779b1) >>> 16;

/**
 * Finds patterns in a text and in what is left of it when its escapes are taken away, layer by layer. Its time is linear in
 * the text: one pass for each layer, which looks at patterns only where their first four characters stand, and goes
 * through each run of them once.
 */
export class Scanner {
  /** 1 where a pattern begins with such characters. */
  private readonly filter = new Uint8Array(65_536);
  private readonly starts = new Map<number, Known[]>();
  private readonly known = new Set<string>();
  private readonly unescaper = new Unescaper();
  private longest = 0;
  private buffers: [Units, Units, Units] | undefined;

  get isEmpty(): boolean {
    return this.longest === 0;
  }

  add(pattern: Pattern): void {
    const key = keyOf(pattern);
    if (this.known.has(key)) return;
    this.known.add(key);
    for (const slot of new Set(beginningsOf(pattern).map(slotOfBeginning))) {
      const others = this.starts.get(slot);
      if (others === undefined) this.starts.set(slot, [pattern]);
      else others.push(pattern);
      this.filter[slot] = 1;
    }
    this.longest = Math.max(this.longest, pattern.codes.length);
  }

  /** Ranges of the patterns, in order; they do not overlap. */
  find(text: string): Range[] {
    const found: Range[] = [];
    if (text.length >= PREFIX_LENGTH && !this.isEmpty) {
      const overlap = this.longest * WIDENING + 64;
      const size = Math.max(PIECE, overlap * 4);
      for (let from = 0; from < text.length; from += size - overlap) {
        this.findIn(text.slice(from, from + size), from, found);
        if (from + size >= text.length) break;
      }
    }
    return merged(found);
  }

  private findIn(piece: string, offset: number, found: Range[]): void {
    const [whole, ...spare] = this.space(piece.length);
    write(piece, whole);
    let units = whole;
    for (let layer = 0; ; layer += 1) {
      new Pass(units, this.starts, { offset, found }).run(this.filter);
      if (layer === MOST_LAYERS || (layer === 0 ? !/[%&\\]/.test(piece) : !this.unescaper.mayGoOn)) return;
      const [to] = spare.splice(layer % spare.length, 1);
      if (to === undefined || !this.unescaper.decode(units, to)) return;
      if (units !== whole) spare.push(units);
      units = to;
    }
  }

  /** The first is never written by a layer: its places stay `0, 1, 2, …`. */
  private space(size: number): [Units, Units, Units] {
    if (this.buffers === undefined || this.buffers[0].codes.length < size) {
      const capacity = Math.max(256, 2 ** Math.ceil(Math.log2(size)));
      this.buffers = [newUnits(capacity), newUnits(capacity), newUnits(capacity)];
      for (let i = 0; i <= capacity; i += 1) this.buffers[0].at[i] = i;
    }
    return this.buffers;
  }
}

/** Native where it pays. */
function write(text: string, units: Units): void {
  const { codes } = units;
  units.length = text.length;
  if (text.length > 64) {
    Buffer.from(codes.buffer).write(text, 'utf16le');
    return;
  }
  for (let i = 0; i < text.length; i += 1) codes[i] = text.charCodeAt(i);
}

/** One layer of one piece. */
class Pass {
  /** Up to where each pattern has been looked for. */
  private readonly done = new Map<Known, number>();

  constructor(
    private readonly units: Units,
    private readonly starts: ReadonlyMap<number, Known[]>,
    private readonly into: { offset: number; found: Range[] },
  ) {}

  run(filter: Uint8Array): void {
    const { codes, length } = this.units;
    let four = 0;
    for (let i = 0; i < length; i += 1) {
      four = (four << 8) | (COARSE[(codes[i] ?? 0) & 0xff] ?? 0);
      const slot = slotOf(four);
      if (filter[slot] === 1) this.meet(slot, i - PREFIX_LENGTH + 1);
    }
  }

  private meet(slot: number, start: number): void {
    if (start < 0) return;
    const first = this.units.codes[start] ?? 0;
    for (const pattern of this.starts.get(slot) ?? []) {
      if (folded(pattern.kind, first) !== pattern.codes[0]) continue;
      if ((this.done.get(pattern) ?? 0) <= start) this.done.set(pattern, this.follow(pattern, start));
    }
  }

  /** Goes on as long as a part of the pattern fits, notes each find, and says where it stopped. */
  private follow(pattern: Known, start: number): number {
    const { codes, length } = this.units;
    const wanted = pattern.codes;
    const fallbacks = (pattern.fallbacks ??= fallbacksOf(wanted));
    const seen: number[] = [];
    let fitting = 0;
    for (let i = start; i < length; i += 1) {
      const code = folded(pattern.kind, codes[i] ?? 0);
      if (code === SKIPPED && pattern.kind === 'base64') continue;
      seen.push(i);
      while (fitting > 0 && code !== wanted[fitting]) fitting = fallbacks[fitting - 1] ?? 0;
      if (code !== wanted[fitting]) return i;
      fitting += 1;
      if (fitting === wanted.length) {
        const first = seen[seen.length - fitting] ?? start;
        fitting = this.note(pattern, first, i) ? 0 : (fallbacks[fitting - 1] ?? 0);
      }
    }
    return length;
  }

  private note(pattern: Known, first: number, last: number): boolean {
    const { at } = this.units;
    const before = this.back(pattern.kind, first, 1);
    const behind = this.ahead(pattern.kind, last);
    const left = fits(pattern, 'before', this.foldedAt(pattern.kind, before));
    const right = fits(pattern, 'behind', this.foldedAt(pattern.kind, behind));
    if (left === 'differs' || right === 'differs') return false;
    const from = at[left === 'fits' ? before : first] ?? 0;
    const to = at[(right === 'fits' ? behind : last) + 1] ?? from;
    this.into.found.push({ from: from + this.into.offset, to: to + this.into.offset });
    return true;
  }

  private isDropped(kind: Kind, i: number): boolean {
    return kind === 'base64' && this.foldedAt(kind, i) === SKIPPED;
  }

  private foldedAt(kind: Kind, i: number): number {
    return i < 0 || i >= this.units.length ? 0 : folded(kind, this.units.codes[i] ?? 0);
  }

  /** The unit that stands `count` before, without those that are dropped; below 0 where there is none. */
  private back(kind: Kind, from: number, count: number): number {
    let i = from;
    for (let left = count; left > 0; left -= 1) {
      do i -= 1;
      while (this.isDropped(kind, i));
    }
    return i;
  }

  private ahead(kind: Kind, from: number): number {
    let i = from + 1;
    while (this.isDropped(kind, i)) i += 1;
    return i;
  }
}

function fallbacksOf(codes: Uint16Array): Int32Array {
  const fallbacks = new Int32Array(codes.length);
  for (let i = 1, length = 0; i < codes.length; i += 1) {
    while (length > 0 && codes[i] !== codes[length]) length = fallbacks[length - 1] ?? 0;
    if (codes[i] === codes[length]) length += 1;
    fallbacks[i] = length;
  }
  return fallbacks;
}

function slotOfBeginning(beginning: readonly number[]): number {
  return slotOf(beginning.reduce((four, code) => (four << 8) | (COARSE[code & 0xff] ?? 0), 0));
}

/** The same for patterns that find the same. */
function keyOf({ kind, codes, before, behind }: Pattern): string {
  const text = Buffer.from(codes.buffer, codes.byteOffset, codes.byteLength).toString('utf16le');
  return `${kind} ${before?.value ?? ''} ${behind?.value ?? ''} ${text}`;
}

function merged(found: Range[]): Range[] {
  const ranges: Range[] = [];
  for (const range of found.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    const last = ranges.at(-1);
    if (last === undefined || range.from >= last.to) ranges.push({ ...range });
    else last.to = Math.max(last.to, range.to);
  }
  return ranges;
}
