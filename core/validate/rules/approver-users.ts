import type { ApprovalStep } from '../../playbook/types';
import type { RuleContext } from '../context';
import type { Rule } from '../rule';

/** Warns where a gate names somebody whom there is not: in a run nobody would stand in for them. */
export const approverUsers: Rule = {
  name: 'approver-users',
  check(context) {
    for (const step of context.steps) {
      if (step.kind !== 'approval') continue;
      checkUsers(context, step, 'approvers');
      checkUsers(context, step, 'escalate_to');
    }
  },
};

function checkUsers(context: RuleContext, step: ApprovalStep, field: 'approvers' | 'escalate_to'): void {
  const { unknownUsers: unknown = [], colleagues = [] } = context.catalogue;
  const written = context.writtenJson(step, [field, 'users']);
  for (const given of step.rules?.[field]?.users ?? []) {
    if (!unknown.includes(given)) continue;
    const near = context.suggest(given, [...colleagues]);
    const index = Array.isArray(written) ? Math.max(0, written.indexOf(given)) : 0;
    context.report(step, [field, 'users', index], {
      severity: 'warning',
      code: 'unknown_user',
      message: `Nobody has the handle \`${given.slice(0, 60)}\`, or the account is deactivated: nobody could decide here in their place.`,
      suggestion:
        near === undefined ? 'Name people by the handle that they sign in with.' : `Did you mean \`${near}\`?`,
    });
  }
}
