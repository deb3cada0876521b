import { ROW_EXPRESSION_KEY } from '../actions/transform';
import { isJsonObject, type Json } from '../base/json';
import type { Draft } from './draft';
import type { EffectLookup } from './effects';
import { escapeBraces } from './escape-braces';
import { decideFailures } from './failure-defaults';
import { decideTimeouts } from './timeout-defaults';
import { allSteps } from './walk';
import type { IsWritten } from './is-written';

/** Decides what the author left open and needs the whole plan for. Changes the plan of the draft. */
export function compile(draft: Draft, lookup: EffectLookup): void {
  const steps = allSteps(draft.plan.steps);
  const isWritten: IsWritten = (step, field) => draft.nodes.get(step)?.entries.has(field) === true;
  decideTimeouts(draft.plan, isWritten, { lookup });
  for (const step of steps) {
    const operations = step.kind === 'tool' && step.action === 'transform_data' ? step.params['operations'] : undefined;
    if (step.kind === 'tool' && operations !== undefined) {
      step.params = { ...step.params, operations: keepExpressions(operations) };
    }
  }
  decideFailures(draft.plan, isWritten, lookup);
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
