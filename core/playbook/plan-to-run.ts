import { ownField, type JsonObject } from '../base/json';
import { noteGateEffects } from './note-gate-effects';
import { decideFailures } from './failure-defaults';
import { readPlaybook } from './parse-playbook';
import { decideTimeouts, effectsBehind, type PlanContext } from './timeout-defaults';
import type { Plan, StepPlan, SubPlaybookStep } from './types';
import { allSteps } from './walk';
import type { IsWritten } from './is-written';

/**
 * The plan with which a run begins. Facts from the time of saving may have changed: choices that the author left open are
 * made by the versions that the run has pinned, and sub-playbooks learn which effects follow them.
 */
export function planToRun(plan: Plan, source: string, context: PlanContext): Plan {
  const decided = structuredClone(plan);
  const isWritten = writtenFieldsOf(source);
  decideTimeouts(decided, isWritten, context);
  noteGateEffects(decided, context);
  for (const step of allSteps(decided.steps)) {
    if (step.stops_for === undefined) continue;
    step.on_error = 'skip';
    delete step.stops_for;
  }
  decideFailures(decided, isWritten, context.lookup);
  const reaches = effectsBehind(decided, context);
  for (const step of allSteps(decided.steps)) {
    if (step.kind !== 'run_playbook') continue;
    step.effect_behind = reaches(step);
    step.ends_with_gate = step.effect_behind && !isWritten(step, 'on_error');
    step.goes_on_after_gate = goesOnAfterGate(step, context);
  }
  return decided;
}

/** True if an effect follows when a gate has ended the sub-playbook: in this run, or in one of its callers. */
function goesOnAfterGate(
  step: SubPlaybookStep,
  { effectBehind = false, effectAfterStop = false }: PlanContext,
): boolean {
  if (step.ends_with_gate === true) return effectAfterStop;
  return step.on_error === 'stop' ? effectBehind : step.effect_behind === true;
}

/** Reads the text of a saved version. For a step that cannot be read any more, strict values of the plan count as written. */
function writtenFieldsOf(source: string): IsWritten {
  const { draft } = readPlaybook(source);
  const fields = new Map([...(draft?.nodes ?? [])].map(([step, node]) => [step.name, node.entries]));
  return (step, field) => fields.get(step.name)?.has(field) ?? isStrict(step, field);
}

function isStrict(step: StepPlan, field: string): boolean {
  return ownField({ ...step } as unknown as JsonObject, field) !== 'skip';
}
