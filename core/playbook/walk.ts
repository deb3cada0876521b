import type { Plan, StepPlan } from './types';

/** The lists of steps inside a step, in declaration order; [] for plain steps. */
export function innerLists(step: StepPlan): StepPlan[][] {
  switch (step.kind) {
    case 'parallel':
    case 'for_each':
    case 'loop':
      return [step.steps];
    case 'route':
      return step.routes.map((route) => route.steps);
    default:
      return [];
  }
}

/** Every step of a plan in the order of the text, a structure before its inner steps. Depth is bounded by the parser. */
export function allSteps(steps: Plan['steps']): StepPlan[] {
  const found: StepPlan[] = [];
  const visit = (list: readonly StepPlan[]): void => {
    for (const step of list) {
      found.push(step);
      for (const inner of innerLists(step)) visit(inner);
    }
  };
  visit(steps);
  return found;
}
