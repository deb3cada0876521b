import { collectConditionReferences, parseCondition } from '../../expr/condition';
import { downstreamSteps, type DownstreamStep } from '../../playbook/downstream-steps';
import { effectOf } from '../../playbook/effects';
import { writesResults } from '../../playbook/result-destinations';
import type { ApprovalStep, StepPlan } from '../../playbook/types';
import type { RuleContext } from '../context';
import type { Rule } from '../rule';

/** Warns if an effect follows a gate that can be passed without an approval, and does not check the decision. */
export const effectAfterSkippableGate: Rule = {
  name: 'effect-after-skippable-gate',
  check(context) {
    const open = new Set(context.steps.filter((step) => effectOf(step, context.effects) !== 'none'));
    for (const gate of context.steps) {
      if (gate.kind !== 'approval' || waysAround(gate).length === 0) continue;
      for (const { step, around } of downstreamSteps(context.index, gate, { closes: isStrict })) {
        if (open.size === 0) return;
        if (!open.has(step) || [step, ...around].some((part) => asksFor(part, gate.key))) continue;
        // One warning a step, from the first such gate.
        open.delete(step);
        warn(context, { step, around }, gate);
      }
    }
  },
};

/** Warns where results leave although nobody answered a gate: destinations count as an effect behind each gate. */
export const gateDestinations: Rule = {
  name: 'gate-destinations',
  check(context) {
    const { output } = context.plan;
    const gate = context.steps.find(
      (step): step is ApprovalStep => step.kind === 'approval' && isSilent(context, step),
    );
    if (gate === undefined || output === undefined || !writesResults(context.plan)) return;
    for (const destination of output.destinations) {
      if (destination.type === 'chat' || asksInText(destination.condition, gate.key)) continue;
      context.report(undefined, ['output', 'destinations', context.indexOf(destination)], {
        severity: 'warning',
        code: 'effect_after_skippable_gate',
        message: `The results go to \`${destination.type}\` even when the gate \`${gate.name}\` was not answered.`,
        suggestion: `Write condition: "{${gate.key}.decision} == 'approved'" at the destination, or on_timeout: stop at the gate.`,
      });
    }
  },
};

/** True if a time-out passes the gate and no later gate needs an approval. */
function isSilent(context: RuleContext, gate: ApprovalStep): boolean {
  if (gate.on_timeout !== 'skip' || gate.timeout_minutes === undefined) return false;
  for (const { step, around } of downstreamSteps(context.index, gate)) {
    if (around.length === 0 && isStrict(step)) return false;
  }
  return true;
}

/** True if a later gate needs an approval: it guards the steps after it. */
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
  return asksInText(step.condition, key);
}

function asksInText(condition: string | undefined, key: string): boolean {
  const parsed = condition === undefined ? undefined : parseCondition(condition);
  if (parsed?.ok !== true) return false;
  return collectConditionReferences(parsed.value).some(({ root, path }) => {
    const [first, second] = path;
    const field = first?.kind === 'field' && first.name === 'result' ? second : first;
    return root === key && field?.kind === 'field' && field.name === 'decision';
  });
}

function warn(context: RuleContext, { step, around }: DownstreamStep, gate: ApprovalStep): void {
  const list = around.find((part) => part.kind === 'for_each' && context.index.chain(gate).some(isAt(part)));
  const without = waysAround(gate).join(' or ');
  context.report(step, list === undefined ? ['condition'] : [], {
    severity: 'warning',
    code: 'effect_after_skippable_gate',
    message:
      list === undefined
        ? `\`${step.name}\` has an effect and runs even when the gate \`${gate.name}\` was ${without}.`
        : `\`${step.name}\` has an effect, and further elements of \`${list.name}\` begin with it even when the gate \`${gate.name}\` was ${without}.`,
    suggestion:
      list === undefined
        ? `Write condition: "{${gate.key}.decision} == 'approved'".`
        : `Write on_reject: stop and on_timeout: stop at \`${gate.name}\`, or put a gate before \`${list.name}\`.`,
  });
}

function isAt(step: StepPlan): (position: { step: StepPlan }) => boolean {
  return (position) => position.step === step;
}
