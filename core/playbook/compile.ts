import { ROW_EXPRESSION_KEY } from '../actions/transform';
import { isJsonObject, type Json } from '../base/json';
import { stepsBehind } from './behind';
import type { Draft } from './draft';
import { hasEffect, type EffectLookup } from './effects';
import { escapeBraces } from './escape-braces';
import { allSteps } from './walk';

/** Decides what the author left open and needs the whole plan for. Changes the plan of the draft. */
export function compile(draft: Draft, lookup: EffectLookup): void {
  for (const step of allSteps(draft.plan.steps)) {
    if (step.kind === 'approval' && draft.nodes.get(step)?.entries.has('on_timeout') !== true) {
      const risky = stepsBehind(draft.plan.steps, step).some((behind) => hasEffect(behind.step, lookup));
      step.on_timeout = risky ? 'stop' : 'skip';
    }
    const operations = step.kind === 'tool' && step.action === 'transform_data' ? step.params['operations'] : undefined;
    if (step.kind === 'tool' && operations !== undefined) {
      step.params = { ...step.params, operations: keepExpressions(operations) };
    }
  }
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
