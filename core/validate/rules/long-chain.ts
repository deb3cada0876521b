import type { StepPlan } from '../../playbook/types';
import type { RuleContext } from '../context';
import type { Rule } from '../rule';

/** Steps that feed one another in a row; more are hard to follow and to repair. */
const MAX_CHAIN = 15;

/** Warns where the last of a long row of steps depends, one by one, on all before it. */
export const longChain: Rule = {
  name: 'long-chain',
  check(context) {
    const feeders = feedersOf(context);
    const lengths = new Map<StepPlan, number>();
    let longest: StepPlan | undefined;
    for (const step of context.steps) {
      const before = [...(feeders.get(step) ?? [])].map((other) => lengths.get(other) ?? 0);
      lengths.set(step, 1 + Math.max(0, ...before));
      if (longest === undefined || (lengths.get(step) ?? 0) > (lengths.get(longest) ?? 0)) longest = step;
    }
    const length = longest === undefined ? 0 : (lengths.get(longest) ?? 0);
    if (longest === undefined || length <= MAX_CHAIN) return;
    context.report(longest, ['name'], {
      severity: 'warning',
      code: 'long_chain',
      message: `\`${longest.name}\` is the end of a chain of ${length} steps that each need the one before.`,
      suggestion: 'Split the chain into playbooks and call them with run_playbook.',
    });
  },
};

/** Earlier steps that each step reads; later ones, which a step of a loop may read, do not count. */
function feedersOf(context: RuleContext): Map<StepPlan, Set<StepPlan>> {
  const order = new Map(context.steps.map((step, index) => [step, index]));
  const feeders = new Map<StepPlan, Set<StepPlan>>();
  for (const site of context.sites) {
    const to = site.from.step;
    if (to === undefined) continue;
    for (const ref of site.references) {
      const from = context.index.withKey(ref.root);
      if (from === undefined || (order.get(from) ?? 0) >= (order.get(to) ?? 0)) continue;
      feeders.set(to, (feeders.get(to) ?? new Set()).add(from));
    }
  }
  return feeders;
}
