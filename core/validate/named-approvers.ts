import type { Problem } from '../errors/problem';
import type { RuleContext } from './context';

type Warning = Pick<Problem, 'code' | 'message' | 'suggestion'>;

/** Asks about each team, or each person, that a gate names; what is wrong with one is a warning where it is written. */
export function namedApprovers(
  context: RuleContext,
  kind: 'teams' | 'users',
  judge: (given: string) => Warning | undefined,
): void {
  for (const step of context.steps) {
    if (step.kind !== 'approval') continue;
    for (const field of ['approvers', 'escalate_to'] as const) {
      const written = context.writtenJson(step, [field, kind]);
      for (const given of step.rules?.[field]?.[kind] ?? []) {
        const warning = judge(given);
        if (warning === undefined) continue;
        const index = Array.isArray(written) ? Math.max(0, written.indexOf(given)) : 0;
        context.report(step, [field, kind, index], { severity: 'warning', ...warning });
      }
    }
  }
}
