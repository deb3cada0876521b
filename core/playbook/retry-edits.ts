import { canonicalJson } from '../base/canonical-json';
import { isJsonObject, ownField, type JsonObject } from '../base/json';
import { leftWith } from './retry-marks';
import type { StepIndex } from './step-index';
import type { Plan, StepPlan } from './types';
import { innerLists } from './walk';

/** Inputs by the paths of steps. */
export interface Inputs {
  [path: string]: JsonObject;
}

/** Paths of steps with other inputs than those that the closed run was given for them. */
export function editedPaths(given: Inputs, before: Inputs): Set<string> {
  const differs = (path: string): boolean =>
    canonicalJson(ownField(given, path) ?? {}) !== canonicalJson(ownField(before, path) ?? {});
  return new Set([...Object.keys(given), ...Object.keys(before)].filter(differs));
}

/** A sub-playbook that goes on keeps the inputs of before, edited ones too. */
export function inheritedInputs(index: StepIndex, before: Inputs, goesOn: (path: string) => boolean): Inputs {
  const kept = Object.entries(before).filter(([path]) => index.withName(path)?.kind === 'run_playbook' && goesOn(path));
  return Object.fromEntries(kept);
}

interface Answered {
  plan: Plan;
  gates: readonly { step_path: string; status: string; edits: JsonObject | null }[];
  /** Answers and marks that the closed run was given as a retry. */
  carried?: JsonObject;
}

/**
 * By the gate before it, the edits with which a step left under its effect key, as far as another answer could let it go with
 * others. Never with a yes that holds again as it was.
 */
export function editsThatLeft({ plan, gates, carried = {} }: Answered, holding: Inputs): Inputs {
  const last = new Map<string, JsonObject>(gatePaths(plan.steps).map((path) => [path, {}]));
  for (const { step_path: path, status, edits } of gates) last.set(path, (status === 'approved' ? edits : null) ?? {});
  const found: Inputs = {};
  for (const [path, edits] of last) {
    const left = leftWith(carried, path) ?? edits;
    const answer = ownField(holding, path);
    const held = isJsonObject(answer) ? (answer['edits'] ?? {}) : undefined;
    if (held === undefined || canonicalJson(held) !== canonicalJson(left)) found[path] = left;
  }
  return found;
}

/** Outside lists and loops. */
function gatePaths(steps: readonly StepPlan[], prefix = ''): string[] {
  return steps.flatMap((step) => {
    if (step.kind === 'approval') return [prefix + step.name];
    if (step.kind === 'loop' || step.kind === 'for_each') return [];
    return innerLists(step).flatMap((list) => gatePaths(list, `${prefix}${step.name}/`));
  });
}
