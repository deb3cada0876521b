import { plannedSteps } from '../catalogue';
import type { RuleContext } from '../context';
import type { Rule } from '../rule';
import type { StepPlan } from '../../playbook/types';

/** Refuses calls of a model in a deterministic playbook, also in a playbook that it runs. */
export const modelNotAllowed: Rule = {
  name: 'model-not-allowed',
  check(context) {
    if (context.plan.execution_mode !== 'deterministic') return;
    for (const step of plannedSteps(context.plan)) {
      if (step.kind === 'llm_task') report(context, step, ['action'], `calls a model`);
      if (step.kind !== 'run_playbook') continue;
      const mode = context.catalogue.playbook(step.playbook)?.execution_mode;
      if (mode !== undefined && mode !== 'deterministic')
        report(context, step, ['playbook'], `runs \`${step.playbook}\`, which is ${mode}`);
    }
  },
};

function report(context: RuleContext, step: StepPlan, path: string[], what: string): void {
  context.report(step, path, {
    code: 'model_not_allowed',
    message: `The playbook is deterministic, but \`${step.name}\` ${what}.`,
    suggestion: 'Write execution_mode: hybrid, or remove the step.',
  });
}
