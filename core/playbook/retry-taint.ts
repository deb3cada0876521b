import { dataDependencies } from './data-dependencies';
import type { StepIndex } from './step-index';

/** One part of a path: `each[3]`. */
export interface Part {
  name: string;
  at?: number;
}

/** Name of the step that a path belongs to, calls of its own (`w/~model1`) included. */
export function ownerOf(path: string): string {
  const call = path.indexOf('/~');
  return call < 0 ? path : path.slice(0, call);
}

/** Name of the top-level step that a path belongs to: `each[3]/parse` → `each`. */
export function rootOf(path: string): string {
  return /^[^[/]*/.exec(path)?.[0] ?? path;
}

/** The item, or turn, of the top-level step that a path lies in: `each[3]/parse` → `each[3]`; else the path. */
export function itemOf(path: string): string {
  return /^[^[/]*\[\d+\]/.exec(path)?.[0] ?? path;
}

export function nameOf(path: string): string {
  return partsOf(path).at(-1)?.name ?? path;
}

export function partsOf(path: string): Part[] {
  return path.split('/').map((text) => {
    const found = /^(.*)\[(\d+)\]$/.exec(text);
    return found ? { name: found[1] ?? '', at: Number(found[2]) } : { name: text };
  });
}

/** Which steps of a run rest on the results of some of them, item by item and turn by turn. */
export class Taint {
  /** Name of a source → the items or turns of the top-level step in which it stands → its paths. */
  private readonly sources = new Map<string, Map<string, Part[][]>>();
  private readonly reaching = new Map<string, string[]>();

  constructor(
    private readonly index: StepIndex,
    sources: ReadonlySet<string>,
  ) {
    for (const path of sources) {
      const parts = partsOf(path);
      const name = parts.at(-1)?.name ?? path;
      const items = this.sources.get(name) ?? new Map<string, Part[][]>();
      this.sources.set(name, items);
      items.set(itemOf(path), [...(items.get(itemOf(path)) ?? []), parts]);
    }
  }

  /** Is the step one of them, in whatever element or turn? */
  hasSource(name: string): boolean {
    return this.sources.has(name);
  }

  /** Does a result of the sources reach this path? */
  reaches(path: string): boolean {
    const parts = partsOf(path);
    return this.namesFor(parts.at(-1)?.name ?? path).some((name) =>
      this.candidates(name, path).some((source) => this.flows(source, parts)),
    );
  }

  private candidates(name: string, path: string): Part[][] {
    const items = this.sources.get(name) ?? new Map<string, Part[][]>();
    const each = this.index.withName(rootOf(path))?.kind === 'for_each';
    const [first] = items.keys();
    if (each && first !== undefined && rootOf(first) === rootOf(path)) return items.get(itemOf(path)) ?? [];
    return [...items.values()].flat();
  }

  private namesFor(name: string): string[] {
    const known = this.reaching.get(name);
    if (known !== undefined) return known;
    const step = this.index.withName(name);
    const before =
      step === undefined ? [] : [...dataDependencies(this.index, step, new Set())].map((source) => source.name);
    const names = before.filter((source) => this.sources.has(source));
    this.reaching.set(name, names);
    return names;
  }

  /** Items of a list know nothing of each other; a turn of a loop sees those before it. */
  private flows(source: readonly Part[], path: readonly Part[]): boolean {
    for (const [depth, part] of source.entries()) {
      const other = path[depth];
      if (other === undefined) return false;
      if (other.name !== part.name) return true;
      if (part.at === other.at) continue;
      return this.index.withName(part.name)?.kind === 'loop' && (part.at ?? 0) < (other.at ?? 0);
    }
    return false;
  }
}
