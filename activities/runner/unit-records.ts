import type { ReportFacts, RunEvent, UnitCall } from '../../core/engine/commands';
import { gapsOf, type Gap } from '../../core/engine/gaps';
import type { UnitOutcome } from '../../core/engine/inbox';
import { incompleteFact, outputFacts } from '../../core/engine/output-facts';
import type { StoredValue } from '../../core/engine/values';
import { AppError, toStepError } from '../../core/errors/app-error';
import { isContentLost } from '../../core/errors/content-lost';
import { shortfallText } from '../../core/report/shortfall-text';
import { isDatabaseOutage } from '../../infra/db/outage';
import type { StepRecord } from '../../infra/db/stores/step-types';
import type { CallResult } from './call';
import type { Rendered } from './render';

export type Failed = Extract<CallResult, { kind: 'failed' }>;
type Attention = Extract<CallResult, { kind: 'attention' }>;

/**
 * Data that cannot be loaded or kept (grown too large) is the step's failure and names the step. Lost content of the blob
 * store is not the step's failure: a person restores it and has the step repeated.
 */
export async function asStepFailure<T>(unit: UnitCall, work: () => Promise<T>): Promise<T | Failed | Attention> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.category === 'unavailable' || isDatabaseOutage(error)) throw error;
    const failure = toStepError(error);
    const said = { ...failure, message: `Step ${unit.path}: ${failure.message}` };
    return isContentLost(error) ? { kind: 'attention', error: said } : { kind: 'failed', error: said, events: [] };
  }
}

/** A unit that is carried out. */
export interface StartedUnit {
  unit: UnitCall;
  startedAt: Date;
  rendered: Rendered;
}

export function recordBase({ unit, startedAt, rendered }: StartedUnit): Omit<StepRecord, 'status'> {
  return {
    effect_key: unit.effectKey,
    try_no: unit.tryNo,
    step_path: unit.path,
    step_name: unit.name,
    action: unit.action,
    input: rendered.shown,
    started_at: startedAt.toISOString(),
  };
}

function gapsOfUnit({ action, inputs: inputTemplate, edits }: UnitCall, output: StoredValue): Gap[] {
  return gapsOf(action, output, { ...inputTemplate, ...edits });
}

/** Adds the gaps of the units before it in its segment: when the unit was sent, they had not begun. */
export function factsOf(
  { facts }: UnitCall,
  before: readonly UnitCall[],
  outcomes: readonly UnitOutcome[],
): ReportFacts | undefined {
  if (facts === undefined) return undefined;
  const told = outcomes.flatMap(({ path, output = { value: null } }) => {
    const unit = before.find((each) => each.path === path);
    const gaps = unit === undefined ? [] : gapsOfUnit(unit, output);
    return gaps.map((gap) => ({ path, line: shortfallText({ step: path, kind: 'incomplete', ...gap }) }));
  });
  const own = told.filter(({ path }) => facts.rests.includes(path)).map(({ line }) => line);
  return {
    ...facts,
    lacks: [...facts.lacks, ...own],
    missing: [...facts.missing, ...told.map(({ line }) => line)],
  };
}

export function finishedEvent({ unit, startedAt }: StartedUnit, output: StoredValue): RunEvent {
  const payload = {
    at: new Date().toISOString(),
    step: unit.name,
    status: 'ok',
    try_no: unit.tryNo,
    started_at: startedAt.toISOString(),
    duration_ms: Date.now() - startedAt.getTime(),
    ...outputFacts(output),
    ...incompleteFact(gapsOfUnit(unit, output)),
  };
  return { id: `${unit.path}:f`, type: 'step.finished', step_path: unit.path, payload };
}
