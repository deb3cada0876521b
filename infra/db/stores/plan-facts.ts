import type { Plan } from '../../../core/playbook/types';
import type { NewRun } from './run-types';

/** Facts of a run's row about its plan. A playbook without a model is a pipeline. */
export function planFacts(plan: Plan): Required<Pick<NewRun, 'strategy' | 'output_destinations'>> {
  const types = (plan.output?.destinations ?? []).map(({ type }) => type);
  return {
    strategy: plan.execution_mode === 'deterministic' ? 'pipeline' : 'playbook',
    output_destinations: [...new Set<string>(types)],
  };
}
