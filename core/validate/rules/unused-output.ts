import { effectOf } from '../../playbook/effects';
import type { StepPlan } from '../../playbook/types';
import type { RuleContext } from '../context';
import type { Rule } from '../rule';

/** Warns about results that nothing reads, of steps that do nothing else. */
export const unusedOutput: Rule = {
  name: 'unused-output',
  check(context) {
    const used = usedKeys(context);
    for (const step of context.steps) {
      if (used.has(step.key) || !isWorkForItsResult(context, step)) continue;
      context.report(step, context.has(step, ['output_key']) ? ['output_key'] : ['name'], {
        severity: 'warning',
        code: 'unused_output',
        message: `Nothing uses the result of \`${step.name}\`.`,
        suggestion: `Refer to it as {${step.key}}, show it in a section of the output, or remove the step.`,
      });
    }
  },
};

function usedKeys(context: RuleContext): Set<string> {
  return new Set(context.sites.flatMap((site) => site.references.map((ref) => ref.root)));
}

/** The last step of a list is its result: of the run, of an item, of an iteration. */
function isWorkForItsResult(context: RuleContext, step: StepPlan): boolean {
  if (step.kind !== 'tool' && step.kind !== 'llm_task') return false;
  if (effectOf(step, context.effects) !== 'none') return false;
  const position = context.index.positions.get(step);
  const last = position !== undefined && position.index === position.list.length - 1;
  const shown = context.plan.output?.sections.length ?? 0;
  return !last || (position.owner === undefined && shown > 0);
}
