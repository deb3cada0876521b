import { ROW_EXPRESSION_KEY } from '../actions/transform';
import { isJsonObject, type Json } from '../base/json';
import { stepsBehind } from './behind';
import type { Draft } from './draft';
import { effectOf, type EffectLookup } from './effects';
import { escapeBraces } from './escape-braces';
import { decideFailures } from './failure-defaults';
import { StepIndex } from './step-index';
import type { StepPlan } from './types';
import { allSteps } from './walk';

/** Decides what the author left open and needs the whole plan for. Changes the plan of the draft. */
export function compile(draft: Draft, lookup: EffectLookup): void {
  const steps = allSteps(draft.plan.steps);
  decideTimeouts(draft, steps, lookup);
  for (const step of steps) {
    const operations = step.kind === 'tool' && step.action === 'transform_data' ? step.params['operations'] : undefined;
    if (step.kind === 'tool' && operations !== undefined) {
      step.params = { ...step.params, operations: keepExpressions(operations) };
    }
  }
  decideFailures(draft, steps, lookup);
}

/** A gate without `on_timeout` stops where an effect lies behind it: nothing is approved by silence. */
function decideTimeouts(draft: Draft, steps: StepPlan[], lookup: EffectLookup): void {
  const effects = new Set(steps.filter((step) => effectOf(step, lookup) !== 'none'));
  const index = new StepIndex(draft.plan);
  for (const step of steps) {
    if (step.kind !== 'approval' || draft.nodes.get(step)?.entries.has('on_timeout') === true) continue;
    step.on_timeout = effects.size > 0 && reaches(index, step, effects) ? 'stop' : 'skip';
  }
}

function reaches(index: StepIndex, gate: StepPlan, effects: ReadonlySet<StepPlan>): boolean {
  for (const { step } of stepsBehind(index, gate)) if (effects.has(step)) return true;
  return false;
}

/** Row expressions name fields of rows, not results of the run: their braces must survive the rendering of params. */
function keepExpressions(value: Json): Json {
  if (Array.isArray(value)) return value.map(keepExpressions);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === ROW_EXPRESSION_KEY && typeof inner === 'string' ? escapeBraces(inner) : keepExpressions(inner),
    ]),
  );
}
