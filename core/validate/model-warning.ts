import type { LlmStep, Plan, StepPlan } from '../playbook/types';
import { modelStep, plannedSteps, type ModelFacts, type PlaybookEntry } from './catalogue';

type Called = (slug: string) => PlaybookEntry | undefined;

interface Without {
  /** Step of this plan that calls the model, or runs a playbook that does. */
  step: StepPlan | LlmStep;
  /** Name of the step for people. */
  name: string;
}

/**
 * Steps that call a model where none can be called, those of the playbooks that a plan runs included. Unknown facts say
 * nothing.
 */
export function stepsWithoutModel(plan: Plan, models: ModelFacts | undefined, called: Called): Without[] {
  if (models?.fault === undefined) return [];
  const fails = ({ provider }: { provider?: string }): boolean =>
    provider === undefined || !models.providers.includes(provider);
  const seen = new Set([plan.playbook.id]);
  return plannedSteps(plan).flatMap((step): Without[] => {
    if (step.kind === 'llm_task') return fails(modelStep(step)) ? [{ step, name: `\`${step.name}\`` }] : [];
    if (step.kind !== 'run_playbook') return [];
    return below(step.playbook, called, seen).flatMap(({ slug, entry }) =>
      (entry.model_steps ?? []).filter(fails).map(({ name }) => ({ step, name: `\`${name}\` of \`${slug}\`` })),
    );
  });
}

/** A playbook and all that it runs, each once. */
function below(slug: string, called: Called, seen: Set<string>): { slug: string; entry: PlaybookEntry }[] {
  const entry = seen.has(slug) ? undefined : called(slug);
  seen.add(slug);
  return entry === undefined ? [] : [{ slug, entry }, ...entry.calls.flatMap((deeper) => below(deeper, called, seen))];
}

/** One sentence for all of them; undefined: nothing is to be said. */
export function modelWarning(plan: Plan, models: ModelFacts | undefined, called: Called): string | undefined {
  const [first, ...others] = stepsWithoutModel(plan, models, called);
  if (first === undefined) return undefined;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `${first.name}${more} will fail: ${models?.fault ?? ''}`;
}
