import type { Problem } from '../errors/problem';
import type { StepPlan } from '../playbook/types';

/** Wire shape of the answer for one step. */
export interface StepResult {
  step_name: string;
  is_valid: boolean;
  errors: { field: string; error_type: string; message: string; suggested_fix?: string }[];
  warnings: { field: string; warning_type: string; message: string; suggested_fix?: string }[];
  /** Step for which `on_error` is `stop` by default, as it depends on the result. */
  stops_for?: string;
}

/** Groups problems by step, in the order of the steps; every step has an entry. */
export function stepResults(steps: readonly StepPlan[], problems: readonly Problem[]): StepResult[] {
  const results = new Map<string, StepResult>();
  const entry = (name: string): StepResult => {
    const known = results.get(name) ?? { step_name: name, is_valid: true, errors: [], warnings: [] };
    results.set(name, known);
    return known;
  };
  for (const step of steps) {
    const result = entry(step.name);
    if (step.stops_for !== undefined) result.stops_for = step.stops_for;
  }
  for (const problem of problems) if (problem.step !== undefined) add(entry(problem.step), problem);
  return [...results.values()];
}

function add(result: StepResult, { severity, code, message, field = '', suggestion }: Problem): void {
  const fix = suggestion === undefined ? {} : { suggested_fix: suggestion };
  if (severity === 'error') {
    result.is_valid = false;
    result.errors.push({ field, error_type: code, message, ...fix });
  } else {
    result.warnings.push({ field, warning_type: code, message, ...fix });
  }
}
