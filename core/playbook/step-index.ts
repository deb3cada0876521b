import { ancestorsOf, dependenciesOf, isDag } from '../graph/dependencies';
import { innerLists } from './walk';
import type { Plan, StepPlan } from './types';

/** Position of a step: its list, the structure around it, and how deep. */
export interface StepPosition {
  step: StepPlan;
  list: readonly StepPlan[];
  index: number;
  owner?: StepPlan;
  depth: number;
}

/** Look-ups over the tree of steps. */
export class StepIndex {
  readonly positions = new Map<StepPlan, StepPosition>();
  private readonly byKey = new Map<string, StepPlan>();
  private readonly byName = new Map<string, StepPlan>();
  private readonly needs = new Map<readonly StepPlan[], Map<string, string[]>>();
  private readonly ancestors = new Map<StepPlan, Set<string>>();

  constructor(plan: Plan) {
    this.add(plan.steps, undefined, 0);
  }

  /** The first step with a key; a second one is reported as a duplicate. */
  withKey(key: string): StepPlan | undefined {
    return this.byKey.get(key);
  }

  withName(name: string): StepPlan | undefined {
    return this.byName.get(name);
  }

  keys(): string[] {
    return [...this.byKey.keys()];
  }

  /** Lists structures from the outermost one to the step itself. */
  chain(step: StepPlan): StepPosition[] {
    const chain: StepPosition[] = [];
    for (
      let position = this.positions.get(step);
      position;
      position = position.owner && this.positions.get(position.owner)
    )
      chain.unshift(position);
    return chain;
  }

  /** True when `other` is over before `step` of the same list begins. */
  isBefore(other: StepPosition, step: StepPosition): boolean {
    if (!isDag(step.list)) return other.index < step.index;
    let known = this.ancestors.get(step.step);
    if (known === undefined) {
      known = ancestorsOf(step.step.name, this.needsOf(step.list));
      this.ancestors.set(step.step, known);
    }
    return other.step !== step.step && known.has(other.step.name);
  }

  /** True when the step, or a structure that it lies in, is over before `step`, or one that this lies in, begins. */
  runsBefore(source: StepPlan, step: StepPlan): boolean {
    const before = this.chain(source);
    return this.chain(step).some((position) => {
      const same = before.find((other) => other.list === position.list && other.step !== position.step);
      return same !== undefined && position.owner?.kind !== 'parallel' && this.isBefore(same, position);
    });
  }

  private needsOf(list: readonly StepPlan[]): Map<string, string[]> {
    const known = this.needs.get(list) ?? dependenciesOf(list);
    this.needs.set(list, known);
    return known;
  }

  private add(list: readonly StepPlan[], owner: StepPlan | undefined, depth: number): void {
    for (const [index, step] of list.entries()) {
      this.positions.set(step, { step, list, index, depth, ...(owner === undefined ? {} : { owner }) });
      if (!this.byKey.has(step.key)) this.byKey.set(step.key, step);
      if (!this.byName.has(step.name)) this.byName.set(step.name, step);
      for (const inner of innerLists(step)) this.add(inner, step, depth + 1);
    }
  }
}

const known = new WeakMap<Plan, StepIndex>();

/** Made once: a plan never changes. */
export function indexOf(plan: Plan): StepIndex {
  const index = known.get(plan) ?? new StepIndex(plan);
  known.set(plan, index);
  return index;
}
