import { plannedSteps } from '../catalogue';
import type { RuleContext } from '../context';
import type { Rule } from '../rule';
import type { Path } from '../../playbook/source-node';
import type { StepPlan } from '../../playbook/types';

/** Warns about parts of the language that are checked and kept but do nothing yet. */
export const notYetActive: Rule = {
  name: 'not-yet-active',
  check(context) {
    for (const field of ['triggers', 'monitor_config'])
      if (context.has(undefined, [field])) warn(context, undefined, [field]);
    for (const input of context.plan.inputs)
      if (input.extract_from !== undefined)
        warn(context, undefined, ['inputs', context.indexOf(input), 'extract_from']);
    for (const step of plannedSteps(context.plan)) if (step.undo !== undefined) warn(context, step, ['undo']);
    checkOutput(context);
  },
};

function checkOutput(context: RuleContext): void {
  const { output } = context.plan;
  if (output === undefined) return;
  if (output.auto_enrich_graph) warn(context, undefined, ['output', 'auto_enrich_graph']);
  if (output.summary_prompt !== undefined) warn(context, undefined, ['output', 'summary_prompt']);
  if (output.template !== undefined) warn(context, undefined, ['output', 'template']);
}

function warn(context: RuleContext, step: StepPlan | undefined, path: Path): void {
  const name = String(path[path.length - 1]);
  context.report(step, path, {
    severity: 'warning',
    code: 'not_yet_active',
    message: `\`${name}\` is checked and kept but does nothing yet.`,
    atKey: true,
  });
}
