import { downstreamSteps } from '../../playbook/downstream-steps';
import { effectOf } from '../../playbook/effects';
import { writesResults } from '../../playbook/result-destinations';
import type { SubPlaybookStep } from '../../playbook/types';
import type { RuleContext } from '../context';
import type { Rule } from '../rule';

/** Warns where a step with an effect, or a destination of the results, follows a sub-playbook whose gate can be passed without an approval. */
export const gateInSubPlaybook: Rule = {
  name: 'gate-in-sub-playbook',
  check(context) {
    for (const step of context.steps) {
      if (step.kind !== 'run_playbook') continue;
      const gate = gateOf(context, step.playbook);
      const effect = gate === undefined ? undefined : effectBehind(context, step);
      if (gate !== undefined && effect !== undefined) warn(context, step, { gate, effect });
    }
  },
};

function warn(context: RuleContext, step: SubPlaybookStep, { gate, effect }: { gate: string; effect: string }): void {
  context.report(step, ['playbook'], {
    severity: 'warning',
    code: 'gate_in_sub_playbook',
    message: `The gate \`${gate}\` can be passed without an approval, and ${effect}. If the gate has no on_timeout of its own, this run ends when the time of the gate is over.`,
    suggestion: 'Write on_timeout: stop at that gate, or put a gate before the effect here.',
  });
}

/** The first gate of the playbook, or of those that it runs, that can be passed without an approval. */
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

/** Effect behind the call, by the run's rule (`effectsBehind`), in words. */
function effectBehind(context: RuleContext, call: SubPlaybookStep): string | undefined {
  for (const { step } of downstreamSteps(context.index, call)) {
    if (effectOf(step, context.effects) === 'none') continue;
    return step === call
      ? `\`${call.name}\`, which comes again, may have an effect`
      : `\`${step.name}\`, which comes after \`${call.name}\`, has an effect`;
  }
  return writesResults(context.plan) ? 'the results go to the destinations of `output` afterwards' : undefined;
}
