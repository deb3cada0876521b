import { collectConditionReferences, parseCondition } from '../../expr/condition';
import { stepsBehind } from '../../playbook/behind';
import { effectOf } from '../../playbook/effects';
import type { ApprovalStep, StepPlan } from '../../playbook/types';
import type { RuleContext } from '../context';
import type { Rule } from '../rule';

/** Warns where an effect follows a gate that can be passed without a yes and does not ask for the decision. */
export const gateEffects: Rule = {
  name: 'gate-effects',
  check(context) {
    const open = new Set(context.steps.filter((step) => effectOf(step, context.effects) !== 'none'));
    for (const gate of context.steps) {
      if (gate.kind !== 'approval' || waysAround(gate).length === 0) continue;
      for (const { step, around } of stepsBehind(context.index, gate, isStrict)) {
        if (open.size === 0) return;
        if (!open.has(step) || [step, ...around].some((part) => asksFor(part, gate.key))) continue;
        // One warning a step, from the first such gate.
        open.delete(step);
        warn(context, step, gate);
      }
    }
  },
};

/** A later gate that only a yes passes guards what comes after it. */
function isStrict(step: StepPlan): boolean {
  return step.kind === 'approval' && step.condition === undefined && waysAround(step).length === 0;
}

function waysAround(gate: ApprovalStep): string[] {
  const ways = gate.on_reject === 'skip' ? ['rejected'] : [];
  return gate.on_timeout === 'skip' && gate.timeout_minutes !== undefined ? [...ways, 'not answered'] : ways;
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
