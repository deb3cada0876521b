import type { ApprovalStep } from '../../playbook/types';
import type { RuleContext } from '../context';
import type { Rule } from '../rule';

/** Warns where a gate names a team that its author is not in: in a run nobody would stand in for it. */
export const approverTeams: Rule = {
  name: 'approver-teams',
  check(context) {
    for (const step of context.steps) {
      if (step.kind !== 'approval') continue;
      checkTeams(context, step, 'approvers');
      checkTeams(context, step, 'escalate_to');
    }
  },
};

function checkTeams(context: RuleContext, step: ApprovalStep, field: 'approvers' | 'escalate_to'): void {
  const { teams } = context.catalogue;
  if (teams === undefined) return;
  const written = context.writtenJson(step, [field, 'teams']);
  for (const given of step.rules?.[field]?.teams ?? []) {
    if (teams.some(({ id, name }) => name === given || id === given.toLowerCase())) continue;
    const names = teams.map(({ name }) => name);
    const near = context.suggest(given, names);
    const known = names.length === 0 ? 'You are in no team.' : `Your teams: ${names.slice(0, 20).join(', ')}.`;
    const index = Array.isArray(written) ? Math.max(0, written.indexOf(given)) : 0;
    context.report(step, [field, 'teams', index], {
      severity: 'warning',
      code: 'unknown_team',
      message: `You are in no team \`${given.slice(0, 60)}\`: nobody of it could decide here.`,
      suggestion: near === undefined ? known : `Did you mean \`${near}\`?`,
    });
  }
}
