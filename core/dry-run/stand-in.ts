import { coerceInputs, coerceParams } from '../actions/coerce';
import { renderInputs } from '../actions/render-inputs';
import { isJsonObject, type Json, type JsonObject } from '../base/json';
import { exceedsJsonSize } from '../base/json-size';
import type { UnitCall } from '../engine/commands';
import { renderValue } from '../expr/template';
import type { Lookup } from '../expr/types';
import type { LlmStep, StepPlan, ToolStep } from '../playbook/types';
import { pureActions } from '../transform/pure-actions';
import type { PlanFacts } from '../validate/plan-facts';
import type { MemoryStore } from './memory-store';
import { sampleOf } from './sample-value';
import type { DryRunRequest, DrySource } from './types';

/** Bytes that a pure step may read in a dry run: it is carried out in the process that answers. */
const COMPUTE_LIMIT = 1_048_576;

export interface Rendered {
  renderedInput: JsonObject;
  params: JsonObject;
}
export type StandIn =
  { ok: true; output: Json; source: DrySource } | { ok: false; error: { code: string; message: string } };

/** Input and params as the step would get them. */
export function renderCall(unit: UnitCall, memory: MemoryStore): Rendered {
  const { action, inputs: inputTemplate } = unit;
  const lookup: Lookup = (ref) => memory.resolve(Object.hasOwn(unit.refs, ref.text) ? unit.refs[ref.text] : undefined);
  const { $settings: settings, ...inputOverride } = unit.edits ?? {};
  return {
    renderedInput: { ...coerceInputs(action, objectOf(renderInputs(action, inputTemplate, lookup))), ...inputOverride },
    params: {
      ...coerceParams(action, objectOf(renderValue(unit.params, lookup))),
      ...(isJsonObject(settings) ? settings : {}),
    },
  };
}

/** The result of a step that is not carried out: given, computed where that touches nothing, or made up from its shape. */
export function standIn(
  unit: UnitCall,
  step: StepPlan,
  call: Rendered,
  { request, facts }: { request: DryRunRequest; facts: PlanFacts },
): StandIn {
  const sample = sampleFor(request, unit);
  const sub = subCall(unit, step, sample, facts);
  if (sub !== undefined) return { ok: true, output: sub, source: sample === undefined ? 'shape' : 'sample' };
  if (sample !== undefined) return { ok: true, output: sample, source: 'sample' };
  return compute(unit, call) ?? { ok: true, output: sampleOf(facts.resultOf(step)), source: 'shape' };
}

export function sampleFor({ samples }: DryRunRequest, unit: { path: string; name: string }): Json | undefined {
  for (const name of [unit.path, unit.name]) if (Object.hasOwn(samples, name)) return samples[name];
  return undefined;
}

/** A model that chooses a route, and the first call of a research, which ends it at once. */
function subCall(unit: UnitCall, step: StepPlan, sample: Json | undefined, facts: PlanFacts): Json | undefined {
  if (step.kind === 'route') return { label: labelOf(sample) ?? step.routes[0]?.label ?? '' };
  if (unit.action !== 'research_model_call') return undefined;
  return { done: true, result: sample ?? sampleOf(facts.resultOf(step)) };
}

function labelOf(sample: Json | undefined): Json | undefined {
  return isJsonObject(sample) ? sample['label'] : sample;
}

function compute(unit: UnitCall, { renderedInput, params }: Rendered): StandIn | undefined {
  const action = pureActions[unit.action];
  if (action === undefined || exceedsJsonSize(renderedInput, COMPUTE_LIMIT)) return undefined;
  const result = action(renderedInput, params);
  if (!result.ok) return { ok: false, error: { code: result.code, message: result.message } };
  return { ok: true, output: result.output, source: 'computed' };
}

/** The step that a call belongs to: a router is a model step of its own. */
export function calledStep(step: StepPlan): ToolStep | LlmStep | undefined {
  if (step.kind === 'tool' || step.kind === 'llm_task') return step;
  return step.kind === 'route' && typeof step.on !== 'string' ? step.on : undefined;
}

function objectOf(value: Json): JsonObject {
  return isJsonObject(value) ? value : {};
}
