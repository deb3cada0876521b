import type { LlmStep, Plan } from '../playbook/types';
import { plannedSteps, type ModelFacts } from './catalogue';

/** Steps of a plan that call a model, where none can be called. Unknown facts say nothing. */
export function stepsWithoutModel(plan: Plan, models: ModelFacts | undefined): LlmStep[] {
  if (models?.fault === undefined) return [];
  const named = ({ params }: LlmStep): boolean =>
    typeof params['model'] === 'string' && models.providers.includes(params['model'].split('/', 1)[0] ?? '');
  return plannedSteps(plan).filter((step): step is LlmStep => step.kind === 'llm_task' && !named(step));
}

/** One sentence for all of them; undefined: nothing is to be said. */
export function modelWarning(plan: Plan, models: ModelFacts | undefined): string | undefined {
  const [first, ...others] = stepsWithoutModel(plan, models);
  if (first === undefined) return undefined;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `\`${first.name}\`${more} will fail: ${models?.fault ?? ''}`;
}
