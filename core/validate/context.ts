import type { FieldSpec } from '../actions/types';
import { didYouMean } from '../base/did-you-mean';
import { parseReference } from '../expr/reference';
import type { Reference } from '../expr/types';
import type { Draft } from '../playbook/draft';
import type { EffectLookup } from '../playbook/effects';
import { impliedDestinations } from '../playbook/parse-output';
import type { Finding, ProblemList } from '../playbook/problem-list';
import { toJson, type MapNode, type Path, type SourceNode } from '../playbook/source-node';
import type { ForEachStep, Plan, StepPlan } from '../playbook/types';
import { allSteps } from '../playbook/walk';
import type { Catalogue } from './catalogue';
import { fitOf } from './compatible';
import { endpointEffects } from './endpoint-effects';
import { parseSite, type ParsedSite } from './parsed-site';
import { resolveReference, type Resolved } from './resolve';
import { resultShape } from './result-shape';
import { ANY, type Shape } from './shape';
import { outputSites, stepSites } from './sites';
import { StepIndex } from './step-index';
import { hiddenFrom, type Viewpoint } from './visibility';

/** Earlier steps that are looked at for a suggestion. */
const MAX_SOURCES = 50;

export interface RuleFinding extends Omit<Finding, 'at' | 'step' | 'field'> {
  /** Character of the text at `path` that the finding is about. */
  offset?: number;
  /** Point at the key instead of the value. */
  atKey?: boolean;
}

/** What rules share: the plan, look-ups, what was found out once, and the way to report. */
export class RuleContext {
  readonly plan: Plan;
  readonly index: StepIndex;
  /** All steps in the order of the text. */
  readonly steps: StepPlan[];
  private readonly shapes = new Map<StepPlan, Shape>();
  private readonly routers = new Map<StepPlan, StepPlan>();
  private readonly resolved = new Map<ParsedSite, Map<Reference, Resolved>>();
  private parsedSites: ParsedSite[] | undefined;

  constructor(
    private readonly draft: Draft,
    readonly catalogue: Catalogue,
    private readonly problems: ProblemList,
  ) {
    this.plan = draft.plan;
    this.effects = endpointEffects(catalogue);
    this.index = new StepIndex(draft.plan);
    this.steps = allSteps(draft.plan.steps);
    for (const step of this.steps) if (step.kind === 'route' && typeof step.on !== 'string') this.routers.set(step.on, step);
  }

  /** Effects of connector endpoints, from the catalogue. */
  readonly effects: EffectLookup;

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

  /** Where the texts of a step look from; the model that decides a route sees what the route sees. */
  viewpointOf(step: StepPlan): Viewpoint {
    return { step: this.routers.get(step) ?? step };
  }

  /** An earlier result that fits a slot, nearest first: `key.field`. */
  sourceFor(step: StepPlan, spec: FieldSpec): string | undefined {
    if (this.problems.isFull) return undefined;
    const from = this.viewpointOf(step);
    const before = this.steps.slice(0, this.steps.indexOf(step)).reverse().slice(0, MAX_SOURCES);
    for (const source of before.filter((other) => hiddenFrom(this.index, other, from) === undefined)) {
      const field = this.resultOf(source).fields?.find(({ type }) => type !== 'any' && ['exact', 'coerced'].includes(fitOf(type, spec.type)));
      if (field) return `${source.key}.${field.name}`;
    }
    return undefined;
  }

  resolveFrom(ref: Reference, from: Viewpoint): Resolved {
    const { index, plan } = this;
    return resolveReference(ref, from, {
      index,
      inputs: plan.inputs,
      resultOf: (step) => this.resultOf(step),
      shapeOfItems: (step) => this.shapeOfItems(step),
      suggest: (word, candidates) => this.suggest(word, candidates),
    });
  }

  /** A near name; nothing once so many problems were found that no more are shown. */
  suggest(word: string, candidates: Iterable<string>): string | undefined {
    return this.problems.isFull ? undefined : didYouMean(word, candidates);
  }

  /** The shape of a step's whole result. */
  resultOf(step: StepPlan): Shape {
    const known = this.shapes.get(step);
    if (known) return known;
    // A result that follows its own input around a loop has no known shape.
    this.shapes.set(step, ANY);
    const shape = resultShape(step, {
      catalogue: this.catalogue,
      shapeOfReference: (text, at) => this.shapeOfText(text, { step: at }),
      resultOf: (other) => this.resultOf(other),
    });
    this.shapes.set(step, shape);
    return shape;
  }

  /** What was written at a path of a step, before the compiler changed anything. */
  writtenAt(step: StepPlan, path: Path): SourceNode | undefined {
    const node = this.draft.nodes.get(step);
    return node === undefined ? undefined : this.draft.document.find(unfolded(node, path), node);
  }

  writtenJson(step: StepPlan, path: Path): ReturnType<typeof toJson> | undefined {
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
    const field = fieldName(path);
    this.problems.add({
      ...rest,
      ...(step === undefined ? {} : { step: step.name }),
      ...(field === '' ? {} : { field }),
      at: this.place(step, path, { offset, atKey }),
    });
  }

  private place(step: StepPlan | undefined, path: Path, how: { offset?: number | undefined; atKey?: boolean | undefined }): number {
    const { document, nodes } = this.draft;
    const root = step === undefined ? document.root : (nodes.get(step) ?? document.root);
    const way = root.kind === 'map' ? unfolded(root, path) : path;
    if (how.atKey === true) return document.keyOffsetOf(way, root);
    const target = how.offset === undefined ? undefined : document.find(way, root);
    return target === undefined ? document.offsetOf(way, root) : document.offsetInside(target, how.offset ?? 0);
  }

  private sitesOfOutput(): ReturnType<typeof outputSites> {
    const { output } = this.plan;
    if (output === undefined) return [];
    return outputSites(output, impliedDestinations(output.save_to, output.format).length);
  }

  private shapeOfText(text: string, from: Viewpoint): Shape | undefined {
    const parsed = parseReference(text);
    if (!parsed.ok) return undefined;
    const found = this.resolveFrom(parsed.value, from);
    return found.ok ? found.shape : undefined;
  }

  private shapeOfItems(step: ForEachStep): Shape {
    const { items } = step;
    if (typeof items !== 'string') return { type: 'any[]' };
    const text = items.trim();
    if (!text.startsWith('{') || !text.endsWith('}')) return ANY;
    return this.shapeOfText(text.slice(1, -1), { step }) ?? ANY;
  }
}

/** Parameters may stand beside `params`: then the path leads there. */
function unfolded(node: MapNode, path: Path): Path {
  const [first, second] = path;
  if (first !== 'params' || typeof second !== 'string') return path;
  const params = node.entries.get('params')?.value;
  const inside = params?.kind === 'map' && params.entries.has(second);
  return inside || !node.entries.has(second) ? path : path.slice(1);
}

/** `['inputs', 'rows', 0, 'name']` → `inputs.rows[0].name`. */
function fieldName(path: Path): string {
  return path.reduce<string>((text, part) => (typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`), '');
}
