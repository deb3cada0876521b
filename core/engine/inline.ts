import { isJsonObject, type Json, type JsonObject } from '../base/json';
import { knownSize } from '../base/known-size';
import { AppError, type StepError } from '../errors/app-error';
import { collectReferences, renderValue } from '../expr/template';
import type { ToolStep } from '../playbook/types';
import { pureActions } from '../transform/pure-actions';
import type { PureResult } from '../transform/pure-result';
import { frameOf, exactNumbersOf, type Machine } from './machine';
import { inlineLookup, refTable } from './scope';
import type { StepNode } from './state';
import { inputOverrideOf, traitsOf } from './units';

/** Replay-sensitive. Pure steps run in the workflow itself: no event, no round trip. */

export type InlineResult = { ok: true; output: Json } | { ok: false; error: StepError };

/** Inputs above this many bytes of JSON leave the workflow: one activation must stay short. */
const INLINE_INPUT_LIMIT = 1_048_576;

/** Carries a pure step out here and now; undefined when it has to go to an activity. */
export function runInline(m: Machine, node: StepNode, step: ToolStep): InlineResult | undefined {
  const action = pureActions[step.action];
  if (!action || !traitsOf(m, step.action).pure) return undefined;
  const scope = frameOf(m, node.frame).scope;
  const refs = refTable(m, scope, collectReferences([step.inputs, step.params]));
  let bytes = 200;
  for (const value of Object.values(refs)) {
    if (value.kind === 'stored') return undefined;
    if (value.kind === 'value') bytes += knownSize(value.value);
  }
  if (bytes > INLINE_INPUT_LIMIT) return undefined;
  m.inlineBudget -= bytes;
  const result = catchAppError(() => {
    const lookup = inlineLookup(m, scope, undefined);
    const inputs = asObject(renderValue(step.inputs, lookup));
    const edits = { ...inputOverrideOf(m, node), ...node.approved?.edits };
    const params = asObject(renderValue(step.params, lookup));
    return action({ ...inputs, ...edits }, params, exactNumbersOf(m), () => m.newer('known-warnings'));
  });
  if (result.ok) return { ok: true, output: told(m, result.output) };
  const error: StepError = { code: result.code, message: result.message, category: 'validation', retryable: false };
  return { ok: false, error };
}

/** A run that began before transforms reported left out records goes on without these reports. */
function told(m: Machine, output: Json): Json {
  if (!isJsonObject(output) || output['warnings'] === undefined || m.newer('transform-warnings')) return output;
  const { warnings: _newer, ...rest } = output;
  return rest;
}

/** Rendering may refuse a text that grows beyond its limit: that is the step's failure, never the workflow task's. */
function catchAppError(work: () => PureResult): PureResult {
  try {
    return work();
  } catch (error) {
    if (error instanceof AppError) return { ok: false, code: error.code, message: error.message };
    throw error;
  }
}

function asObject(value: Json): JsonObject {
  return isJsonObject(value) ? value : {};
}
