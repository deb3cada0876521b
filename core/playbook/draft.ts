import type { MapNode } from './source-node';
import type { SourceDocument } from './source-document';
import type { Plan, StepPlan } from './types';

/** A playbook as far as it could be read: the plan, and where each step stands in the text. */
export interface Draft {
  plan: Plan;
  document: SourceDocument;
  nodes: Map<StepPlan, MapNode>;
  /** Inputs, sections, destinations... → where each stands in its list as it is written. */
  places: WeakMap<object, number>;
  stepCount: number;
}
