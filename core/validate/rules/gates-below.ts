import { stepsBehind } from '../../playbook/behind';
import { effectOf } from '../../playbook/effects';
import type { StepPlan, SubPlaybookStep } from '../../playbook/types';
import type { RuleContext } from '../context';
import type { Rule } from '../rule';

/** Warns where an effect lies behind a sub-playbook whose gate does not wait for a yes: it stands before that effect, too. */
export const gatesBelow: Rule = {
  name: 'gates-below',
  check(context) {
    for (const step of context.steps) {
      if (step.kind !== 'run_playbook') continue;
      const gate = gateOf(context, step.playbook);
      const effect = gate === undefined ? undefined : effectBehind(context, step);
      if (gate !== undefined && effect !== undefined) warn(context, step, { gate, effect });
    }
  },
};

function warn(context: RuleContext, step: SubPlaybookStep, { gate, effect }: { gate: string; effect: StepPlan }): void {
  context.report(step, ['playbook'], {
    severity: 'warning',
    code: 'gate_in_sub_playbook',
    message: `\`${gate}\` does not wait for a yes, and \`${effect.name}\`, which comes after \`${step.name}\`, has an effect: where the gate says nothing of its own, this run ends when nobody answers it.`,
    suggestion: 'Write on_timeout: stop at that gate, or put a gate before the effect here.',
  });
}

/** The first gate of the playbook, or of those that it runs, that is passed without a yes. */
function gateOf(context: RuleContext, slug: string): string | undefined {
  const seen = new Set([slug]);
  for (const called of seen) {
    const entry = context.catalogue.playbook(called);
    const [gate] = entry?.open_gates ?? [];
    if (gate !== undefined) return `${called}.${gate}`;
    for (const next of entry?.calls ?? []) seen.add(next);
  }
  return undefined;
}

function effectBehind(context: RuleContext, call: SubPlaybookStep): StepPlan | undefined {
  for (const { step } of stepsBehind(context.index, call)) if (effectOf(step, context.effects) !== 'none') return step;
  return undefined;
}
