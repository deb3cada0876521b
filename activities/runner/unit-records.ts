import type { RunEvent, UnitCall } from '../../core/engine/commands';
import { gapsOf } from '../../core/engine/gaps';
import { incompleteFact, outputFacts } from '../../core/engine/output-facts';
import type { StoredValue } from '../../core/engine/values';
import { AppError, toStepError } from '../../core/errors/app-error';
import { isContentLost } from '../../core/errors/content-lost';
import { isDatabaseOutage } from '../../infra/db/outage';
import type { StepRecord } from '../../infra/db/stores/step-types';
import type { CallResult } from './call';
import type { Rendered } from './render';

export type Failed = Extract<CallResult, { kind: 'failed' }>;
type Attention = Extract<CallResult, { kind: 'attention' }>;

/**
 * Data that cannot be brought in or kept (grown too large) is the step's failure and names the step. Stored content that is
 * lost is nobody's failure: a person brings it back and has the step repeated.
 */
export async function ofTheStep<T>(unit: UnitCall, work: () => Promise<T>): Promise<T | Failed | Attention> {
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
export interface Base {
  unit: UnitCall;
  startedAt: Date;
  rendered: Rendered;
}

export function recordBase({ unit, startedAt, rendered }: Base): Omit<StepRecord, 'status'> {
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

export function finishedEvent({ unit, startedAt }: Base, output: StoredValue): RunEvent {
  const payload = {
    at: new Date().toISOString(),
    step: unit.name,
    status: 'ok',
    try_no: unit.tryNo,
    started_at: startedAt.toISOString(),
    duration_ms: Date.now() - startedAt.getTime(),
    ...outputFacts(output),
    ...incompleteFact(gapsOf(unit.action, output, { ...unit.inputs, ...unit.edits })),
  };
  return { id: `${unit.path}:f`, type: 'step.finished', step_path: unit.path, payload };
}
