import { dataDependencies } from './data-dependencies';
import type { StepIndex } from './step-index';
import { itemOf, partsOf, rootOf, type Part } from './step-path';

type Counts = (source: readonly Part[]) => boolean;
const ALL: Counts = () => true;

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
  hasSource(name: string, counts: Counts = ALL): boolean {
    return [...(this.sources.get(name)?.values() ?? [])].flat().some(counts);
  }

  /** Does a result of the sources, or of those that count, reach this path? */
  reaches(path: string, counts: Counts = ALL): boolean {
    const parts = partsOf(path);
    return this.namesFor(parts.at(-1)?.name ?? path).some((name) =>
      this.candidates(name, path).some((source) => this.flows(source, parts) && counts(source)),
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
