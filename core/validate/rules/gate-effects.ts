import { collectConditionReferences, parseCondition } from '../../expr/condition';
import { stepsBehind, type BehindStep } from '../../playbook/behind';
import { effectOf } from '../../playbook/effects';
import type { ApprovalStep, StepPlan } from '../../playbook/types';
import { innerLists } from '../../playbook/walk';
import type { RuleContext } from '../context';
import type { Rule } from '../rule';

/** Warns where an effect follows a gate that can be passed without a yes and does not ask for the decision. */
export const gateEffects: Rule = {
  name: 'gate-effects',
  check(context) {
    const warned = new Set<StepPlan>();
    for (const gate of context.steps) {
      if (gate.kind !== 'approval' || waysAround(gate).length === 0) continue;
      for (const behind of stepsBehind(context.plan.steps, gate)) {
        if (!warned.has(behind.step) && isUnguarded(context, behind, gate)) {
          warned.add(behind.step);
          warn(context, behind.step, gate);
        }
      }
    }
  },
};

function waysAround(gate: ApprovalStep): string[] {
  const ways = gate.on_reject === 'skip' ? ['rejected'] : [];
  return gate.on_timeout === 'skip' && gate.timeout_minutes !== undefined ? [...ways, 'not answered'] : ways;
}

function isUnguarded(context: RuleContext, { step, around }: BehindStep, gate: ApprovalStep): boolean {
  if (innerLists(step).length > 0 || effectOf(step, context.effects) === 'none') return false;
  return ![step, ...around].some((part) => asksFor(part, gate.key));
}

function asksFor(step: StepPlan, key: string): boolean {
  const text = step.kind === 'route' && typeof step.on === 'string' ? step.on : undefined;
  if (text?.includes(`{${key}.decision}`) === true) return true;
  const parsed = step.condition === undefined ? undefined : parseCondition(step.condition);
  if (parsed?.ok !== true) return false;
  return collectConditionReferences(parsed.value).some(({ root, path }) => {
    const [first, second] = path;
    const field = first?.kind === 'field' && first.name === 'result' ? second : first;
    return root === key && field?.kind === 'field' && field.name === 'decision';
  });
}

function warn(context: RuleContext, step: StepPlan, gate: ApprovalStep): void {
  context.report(step, ['condition'], {
    severity: 'warning',
    code: 'effect_after_skippable_gate',
    message: `\`${step.name}\` has an effect and runs even when the gate \`${gate.name}\` was ${waysAround(gate).join(' or ')}.`,
    suggestion: `Write condition: "{${gate.key}.decision} == 'approved'".`,
  });
}
