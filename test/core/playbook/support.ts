import { parsePlaybook } from '../../../core/playbook/parse-playbook';
import type { Problem } from '../../../core/errors/problem';
import type { Plan, StepPlan } from '../../../core/playbook/types';

/** The plan of a text that must be free of errors. */
export function planOf(text: string): Plan {
  const { plan, problems } = parsePlaybook(text);
  if (!plan) throw new Error(`no plan: ${JSON.stringify(problems, null, 2)}`);
  return plan;
}

/** The first step of a playbook with these lines as steps. */
export function firstStep(steps: string): StepPlan {
  const [step] = planOf(withSteps(steps)).steps;
  if (!step) throw new Error('no step');
  return step;
}

export function withSteps(steps: string): string {
  return `id: test\nsteps:\n${steps}`;
}

/** `line:column code` of each problem. */
export function spots(text: string): string[] {
  return parsePlaybook(text).problems.map(spot);
}

function spot(problem: Problem): string {
  return `${problem.line ?? 0}:${problem.column ?? 0} ${problem.code}`;
}

export function problems(text: string): Problem[] {
  return parsePlaybook(text).problems;
}
