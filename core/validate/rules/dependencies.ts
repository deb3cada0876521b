import { shorten } from '../../base/shorten';
import { findCycle } from '../../graph/cycle';
import { dependencyEdges, isDag } from '../../graph/dependencies';
import type { StepPlan } from '../../playbook/types';
import { innerLists } from '../../playbook/walk';
import type { RuleContext } from '../context';
import type { Rule } from '../rule';

/** `depends_on` names steps of the same list, and no step waits for itself through others. */
export const dependencies: Rule = {
  name: 'dependencies',
  check(context) {
    const lists = [context.plan.steps, ...context.steps.flatMap(innerLists)];
    for (const list of lists) checkList(context, list);
  },
};

function checkList(context: RuleContext, list: readonly StepPlan[]): void {
  const names = new Set(list.map((step) => step.name));
  for (const step of list) {
    for (const need of step.depends_on ?? []) if (!names.has(need)) reportUnknown(context, step, { need, names });
  }
  checkParallel(context, list);
  if (!isDag(list)) return;
  const cycle = findCycle([...names], dependencyEdges(list));
  const first = list.find((step) => step.name === cycle?.[0]);
  if (cycle === undefined || first === undefined) return;
  context.report(first, ['depends_on'], {
    code: 'dependency_cycle',
    message: `These steps wait for each other: ${shown([...cycle].reverse())}.`,
    suggestion: 'Remove one of these dependencies.',
  });
}

/** `a waits for b` reads from left to right; a long circle is cut in the middle. */
function shown(cycle: string[]): string {
  const short = cycle.length > 12 ? [...cycle.slice(0, 6), '…', ...cycle.slice(-5)] : cycle;
  return short.join(' → ');
}

function reportUnknown(context: RuleContext, step: StepPlan, found: { need: string; names: Set<string> }): void {
  const { need, names } = found;
  // The source may hold other values, and a name twice.
  const written = context.writtenJson(step, ['depends_on']);
  const index = Array.isArray(written) ? written.indexOf(need) : 0;
  const elsewhere = context.index.withName(need);
  const near = context.suggest(need, names);
  const other = near === undefined ? 'Name a step of the same list.' : `Did you mean \`${near}\`?`;
  const known = context.index.withKey(need)?.name;
  context.report(step, ['depends_on', index], {
    code: 'nonexistent_step',
    message: elsewhere
      ? `\`${need}\` is not in the same list as \`${step.name}\`: depends_on orders the steps of one list.`
      : `depends_on names \`${shorten(need)}\`, but there is no such step in this list.`,
    suggestion: known !== undefined && names.has(known) ? `Write the step's name: ${known}.` : other,
  });
}

/** Steps of a parallel run at once whatever they depend on. */
function checkParallel(context: RuleContext, list: readonly StepPlan[]): void {
  for (const step of list) {
    if (step.depends_on === undefined || context.index.positions.get(step)?.owner?.kind !== 'parallel') continue;
    context.report(step, ['depends_on'], {
      code: 'field_not_allowed',
      message: 'Steps of a parallel run at the same time, so none can depend on another.',
      suggestion: 'Put the steps into the list itself: with depends_on independent ones run together.',
    });
  }
}
