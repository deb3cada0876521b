import type { FieldSpec } from '../actions/types';
import type { Json } from '../base/json';
import type { Reference } from '../expr/types';
import type { Draft } from '../playbook/draft';
import { impliedDestinations } from '../playbook/parse-output';
import type { Finding, ProblemList } from '../playbook/problem-list';
import { toJson, type MapNode, type Path, type SourceNode } from '../playbook/source-node';
import type { OutputDestination, StepPlan } from '../playbook/types';
import type { Catalogue } from './catalogue';
import { parseSite, type ParsedSite } from '../playbook/parse-expression-site';
import { PlanFacts } from './plan-facts';
import type { Resolved } from './resolve';
import { outputSites, stepSites } from '../playbook/expression-sites';

export interface RuleFinding extends Omit<Finding, 'at' | 'step' | 'field'> {
  /** Character of the text at `path` that the finding is about. */
  offset?: number;
  /** Point at the key instead of the value. */
  atKey?: boolean;
}

/** Context of all rules: facts about the plan, its texts parsed once, the source, and the way to report. */
export class RuleContext extends PlanFacts {
  private readonly resolved = new Map<ParsedSite, Map<Reference, Resolved>>();
  private parsedSites: ParsedSite[] | undefined;

  constructor(
    private readonly draft: Draft,
    catalogue: Catalogue,
    private readonly problems: ProblemList,
  ) {
    super(draft.plan, catalogue);
  }

  /** All texts with references: of the steps, then of the output. */
  get sites(): ParsedSite[] {
    this.parsedSites ??= [...this.steps.flatMap(stepSites), ...this.sitesOfOutput()].map(parseSite);
    return this.parsedSites;
  }

  resolve(site: ParsedSite, ref: Reference): Resolved {
    const known = this.resolved.get(site) ?? new Map<Reference, Resolved>();
    this.resolved.set(site, known);
    const found = known.get(ref) ?? this.resolveFrom(ref, site.from);
    known.set(ref, found);
    return found;
  }

  /** A near name; nothing once so many problems were found that no more are shown. */
  override suggest(word: string, candidates: Iterable<string>): string | undefined {
    return this.problems.isFull ? undefined : super.suggest(word, candidates);
  }

  override sourceFor(step: StepPlan, spec: FieldSpec): string | undefined {
    return this.problems.isFull ? undefined : super.sourceFor(step, spec);
  }

  /** The source at a path of a step, before the compiler changed anything. */
  writtenAt(step: StepPlan, path: Path): SourceNode | undefined {
    const node = this.draft.nodes.get(step);
    return node === undefined ? undefined : this.draft.document.find(unfolded(node, path), node);
  }

  writtenJson(step: StepPlan, path: Path): Json | undefined {
    const node = this.writtenAt(step, path);
    return node === undefined ? undefined : toJson(node);
  }

  /** Names of `required_connectors`; what is no text counts as an empty name. */
  requiredConnectors(): string[] {
    const node = this.draft.document.find(['required_connectors']);
    const items = node?.kind === 'list' ? node.items : [];
    return items.map((item) => (item.kind === 'scalar' && typeof item.value === 'string' ? item.value : ''));
  }

  has(step: StepPlan | undefined, path: Path): boolean {
    if (step !== undefined) return this.writtenAt(step, path) !== undefined;
    return this.draft.document.find(path) !== undefined;
  }

  /** Reports something about a step, or about the playbook when `step` is undefined. */
  report(step: StepPlan | undefined, path: Path, finding: RuleFinding): void {
    const { offset, atKey, ...rest } = finding;
    const field = fieldName(this.asWritten(step, path));
    this.problems.add({
      ...rest,
      ...(step === undefined ? {} : { step: step.name }),
      ...(field === '' ? {} : { field }),
      at: this.place(step, path, { offset, atKey }),
    });
  }

  /** Inputs of an end stand in `end` or `fail`. */
  private asWritten(step: StepPlan | undefined, path: Path): Path {
    const node = step && this.draft.nodes.get(step);
    return node?.kind === 'map' ? ofEnd(node, path) : path;
  }

  private place(
    step: StepPlan | undefined,
    path: Path,
    how: { offset?: number | undefined; atKey?: boolean | undefined },
  ): number {
    const { document, nodes } = this.draft;
    const root = step === undefined ? document.root : (nodes.get(step) ?? document.root);
    const way = root.kind === 'map' ? unfolded(root, path) : path;
    if (how.atKey === true) return document.keyOffsetOf(way, root);
    const target = how.offset === undefined ? undefined : document.find(way, root);
    return target === undefined ? document.offsetOf(way, root) : document.offsetInside(target, how.offset ?? 0);
  }

  /** Index of an element in its list as it is written: elements before it may have been left out for their faults. */
  indexOf(element: object): number {
    return this.draft.places.get(element) ?? 0;
  }

  /** Destinations as written, without those that `save_to` stands for, and where they stand. */
  writtenDestinations(): { destination: OutputDestination; path: Path }[] {
    const { output } = this.plan;
    if (output === undefined) return [];
    const written = output.destinations.slice(impliedDestinations(output.save_to, output.format).length);
    return written.map((destination) => ({
      destination,
      path: ['output', 'destinations', this.indexOf(destination)],
    }));
  }

  private sitesOfOutput(): ReturnType<typeof outputSites> {
    const { output } = this.plan;
    if (output === undefined) return [];
    const sections = output.sections.map((section) => ({
      section,
      path: ['output', 'sections', this.indexOf(section)],
    }));
    return outputSites(output, sections, this.writtenDestinations());
  }
}

/** Parameters may stand beside `params`: then the path leads there. */
function unfolded(node: MapNode, path: Path): Path {
  const [first, second] = path;
  if (first === 'inputs') return ofEnd(node, path);
  if (first !== 'params' || typeof second !== 'string') return path;
  const params = node.entries.get('params')?.value;
  const inside = params?.kind === 'map' && params.entries.has(second);
  return inside || !node.entries.has(second) ? path : path.slice(1);
}

function ofEnd(node: MapNode, path: Path): Path {
  if (path[0] !== 'inputs') return path;
  if (node.entries.has('end')) return ['end', ...path.slice(1)];
  return node.entries.has('fail') ? ['fail'] : path;
}

/** `['inputs', 'rows', 0, 'name']` → `inputs.rows[0].name`. */
function fieldName(path: Path): string {
  return path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`),
    '',
  );
}
