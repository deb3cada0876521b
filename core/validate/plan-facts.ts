import type { FieldSpec } from '../actions/types';
import { didYouMean } from '../base/did-you-mean';
import { parseReference } from '../expr/reference';
import type { Reference } from '../expr/types';
import type { EffectLookup } from '../playbook/effects';
import type { ForEachStep, Plan, StepPlan, ToolStep } from '../playbook/types';
import { allSteps } from '../playbook/walk';
import type { Catalogue } from './catalogue';
import type { Columns } from './columns';
import { compatibilityOf } from './compatibility';
import { endpointEffects } from './endpoint-effects';
import { resolveReference, type Resolved } from './resolve';
import { columnsOfInput, columnsOfShape, resultShape } from './result-shape';
import { ANY, type Shape } from './shape';
import { StepIndex } from '../playbook/step-index';
import type { ReferenceScope } from '../playbook/expression-sites';
import { visibilityFault } from './visibility';

/** Earlier steps that are looked at for a suggestion. */
const MAX_SOURCES = 50;
/** Results that follow one another's shape; behind that any field is accepted. */
const MAX_SHAPE_DEPTH = 100;

/** Facts of a plan before a run: positions of steps, targets of references, shapes of results. */
export class PlanFacts {
  readonly index: StepIndex;
  /** All steps in the order of the text. */
  readonly steps: StepPlan[];
  /** Effects of connector endpoints, from the catalogue. */
  readonly effects: EffectLookup;
  private depth = 0;
  private readonly shapes = new Map<StepPlan, Shape>();
  private readonly routers = new Map<StepPlan, StepPlan>();

  constructor(
    readonly plan: Plan,
    readonly catalogue: Catalogue,
  ) {
    this.index = new StepIndex(plan);
    this.steps = allSteps(plan.steps);
    this.effects = endpointEffects(catalogue);
    for (const step of this.steps)
      if (step.kind === 'route' && typeof step.on !== 'string') this.routers.set(step.on, step);
  }

  /** Scope of the references in a step's texts; the model that decides a route has the scope of the route. */
  referenceScopeOf(step: StepPlan): ReferenceScope {
    return { step: this.routers.get(step) ?? step };
  }

  resolveFrom(ref: Reference, from: ReferenceScope): Resolved {
    const { index, plan } = this;
    return resolveReference(ref, from, {
      index,
      inputs: plan.inputs,
      resultOf: (step) => this.resultOf(step),
      shapeOfItems: (step) => this.shapeOfItems(step),
      suggest: (word, candidates) => this.suggest(word, candidates),
    });
  }

  suggest(word: string, candidates: Iterable<string>): string | undefined {
    return didYouMean(word, candidates);
  }

  /** The shape of a step's whole result. */
  resultOf(step: StepPlan): Shape {
    const known = this.shapes.get(step);
    if (known) return known;
    if (this.depth >= MAX_SHAPE_DEPTH) return ANY;
    // A result that follows its own input around a loop has no known shape.
    this.shapes.set(step, ANY);
    this.depth += 1;
    const shape = resultShape(step, {
      catalogue: this.catalogue,
      shapeOfReference: (text, at) => this.shapeOfText(text, { step: at }),
      resultOf: (other) => this.resultOf(other),
    });
    this.depth -= 1;
    this.shapes.set(step, shape);
    return shape;
  }

  /** Columns of the records that an input of a step is wired to; undefined: not known. */
  columnsOf(step: ToolStep, input: string): Columns {
    return columnsOfInput(step, input, { shapeOfReference: (text, at) => this.shapeOfText(text, { step: at }) });
  }

  /** Columns of what a section shows. */
  columnsOfReference(text: string): Columns {
    return columnsOfShape(this.shapeOfText(text, {}));
  }

  /** An earlier result that fits a slot, nearest first: `key.field`. */
  sourceFor(step: StepPlan, spec: FieldSpec): string | undefined {
    const from = this.referenceScopeOf(step);
    const before = this.steps.slice(0, this.steps.indexOf(step)).reverse().slice(0, MAX_SOURCES);
    for (const source of before.filter((other) => visibilityFault(this.index, other, from) === undefined)) {
      const field = this.resultOf(source).fields?.find(
        ({ type }) => type !== 'any' && ['exact', 'coerced'].includes(compatibilityOf(type, spec.type)),
      );
      if (field) return `${source.key}.${field.name}`;
    }
    return undefined;
  }

  private shapeOfText(text: string, from: ReferenceScope): Shape | undefined {
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
