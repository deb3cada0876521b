import { dataDependencies, elementsRead, inmostDependencies, type OneElement } from './data-dependencies';
import { mayRead } from './retry-order';
import type { StepIndex } from './step-index';
import { itemOf, nameOf, partsOf, rootOf, type Part } from './step-path';
import type { StepPlan } from './types';

type Counts = (source: readonly Part[]) => boolean;
const ALL: Counts = () => true;

/** Name of a step → the items or turns of the top-level step in which it stands → its paths. */
type Places = ReadonlyMap<string, ReadonlyMap<string, Part[][]>>;

function placesOf(paths: Iterable<string>): Places {
  const places = new Map<string, Map<string, Part[][]>>();
  for (const path of paths) {
    const parts = partsOf(path);
    const name = parts.at(-1)?.name ?? path;
    const items = places.get(name) ?? new Map<string, Part[][]>();
    places.set(name, items);
    const known = items.get(itemOf(path));
    if (known) known.push(parts);
    else items.set(itemOf(path), [parts]);
  }
  return places;
}

/** Which steps of a run rest on the results of some of them, item by item and turn by turn. */
export class Taint {
  private readonly sources: Places;
  private readonly made: Places;
  private readonly reaching = new Map<string, string[]>();
  private readonly elements = new Map<string, OneElement[] | undefined>();
  private readonly within = new Map<string, ReadonlySet<string>>();

  /** `made`: paths of results that are well: those of a later turn stand in for a source. */
  constructor(
    private readonly index: StepIndex,
    sources: ReadonlySet<string>,
    made: ReadonlySet<string> = new Set(),
  ) {
    this.sources = placesOf(sources);
    this.made = placesOf([...made].filter((path) => path.includes('[') && !path.includes('/~')));
  }

  /** Is the step one of them, in whatever element or turn? */
  hasSource(name: string, counts: Counts = ALL): boolean {
    return [...(this.sources.get(name)?.values() ?? [])].flat().some(counts);
  }

  /** Does a result of the sources, or of those that count, reach this path? */
  reaches(path: string, counts: Counts = ALL): boolean {
    const parts = partsOf(path);
    return this.namesFor(parts.at(-1)?.name ?? path).some((name) =>
      this.candidates(this.sources, name, path).some(
        (source) => this.flows(source, parts) && counts(source) && !this.isReplaced(source, name, path),
      ),
    );
  }

  /** Did a later turn give what the step reads, and hand on nothing of the source? */
  private isReplaced(source: readonly Part[], name: string, path: string): boolean {
    const isInLoop = source.some((part) => part.at !== undefined && this.index.withName(part.name)?.kind === 'loop');
    if (!isInLoop || !this.readsItAlone(nameOf(path), name)) return false;
    const parts = partsOf(path);
    return this.candidates(this.made, name, path).some(
      (later) => this.isOfLaterTurn(later, source) && this.flows(later, parts),
    );
  }

  private isOfLaterTurn(later: readonly Part[], source: readonly Part[]): boolean {
    const depth = source.findIndex((part, no) => part.name !== later[no]?.name || part.at !== later[no]?.at);
    const [part, other] = [source[depth], later[depth]];
    if (part === undefined || part.name !== other?.name) return false;
    return this.index.withName(part.name)?.kind === 'loop' && (part.at ?? 0) < (other.at ?? 0);
  }

  /** Does a result reach a step on no other way than that the step reads it itself? */
  private readsItAlone(reader: string, name: string): boolean {
    const [step, source] = [this.index.withName(reader), this.index.withName(name)];
    if (step === undefined || source === undefined) return false;
    const others = inmostDependencies(this.index, step).filter((each) => each !== source);
    const handedOn = [...others, source].some((each) =>
      [...dataDependencies(this.index, each, new Set(), inmostDependencies)].includes(source),
    );
    return !handedOn;
  }

  private candidates(places: Places, name: string, path: string): Part[][] {
    const items = places.get(name) ?? new Map<string, Part[][]>();
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
      step === undefined
        ? []
        : [...dataDependencies(this.index, step, new Set(), inmostDependencies)].map((source) => source.name);
    const names = before.filter((source) => this.sources.has(source));
    this.reaching.set(name, names);
    return names;
  }

  /** Names of the steps whose results reach a step in the same turns of these loops. */
  private namesWithin(name: string, turns: ReadonlySet<StepPlan>): ReadonlySet<string> {
    const id = [name, ...[...turns].map((loop) => loop.name)].join('/');
    const known = this.within.get(id);
    if (known !== undefined) return known;
    const step = this.index.withName(name);
    const found = new Set<string>();
    const open = step === undefined ? [] : [step];
    for (let reader = open.pop(); reader !== undefined; reader = open.pop()) {
      for (const source of inmostDependencies(this.index, reader)) {
        if (found.has(source.name) || !mayRead(this.index, reader, source, turns)) continue;
        found.add(source.name);
        open.push(source);
      }
    }
    this.within.set(id, found);
    return found;
  }

  /** Items of a list know nothing of each other; a turn of a loop sees those before it, and of its own what comes before. */
  private flows(source: readonly Part[], path: readonly Part[]): boolean {
    for (const [depth, part] of source.entries()) {
      const other = path[depth];
      if (other === undefined) return false;
      if (other.name !== part.name) {
        const around = source.slice(0, depth).flatMap(({ name }) => this.index.withName(name) ?? []);
        const turns = new Set(around.filter(({ kind }) => kind === 'loop'));
        const reader = path.at(-1)?.name ?? '';
        return this.namesWithin(reader, turns).has(source.at(-1)?.name ?? '') && this.takes(reader, path, part);
      }
      if (part.at === other.at) continue;
      return this.index.withName(part.name)?.kind === 'loop' && (part.at ?? 0) < (other.at ?? 0);
    }
    return false;
  }

  /** Does a step read this element of a list, where it reads its results? */
  private takes(reader: string, path: readonly Part[], { name, at }: Part): boolean {
    const [step, list] = [this.index.withName(reader), this.index.withName(name)];
    if (step === undefined || list?.kind !== 'for_each' || at === undefined) return true;
    const id = `${reader} ${name}`;
    const known = this.elements.has(id) ? this.elements.get(id) : elementsRead(this.index, step, list);
    this.elements.set(id, known);
    if (known === undefined) return true;
    return known.some((each) => ('at' in each ? each.at : path.find((part) => part.name === each.of.name)?.at) === at);
  }
}
