import { shorten } from '../../base/shorten';
import type { Rule } from '../rule';
import { namedApprovers } from '../named-approvers';

/** Warns where a gate names a team that its author is not in: no member of it could decide in a run. */
export const unknownTeam: Rule = {
  name: 'unknown-team',
  check(context) {
    const { teams } = context.catalogue;
    if (teams === undefined) return;
    const names = teams.map(({ name }) => name);
    const known = names.length === 0 ? 'You are in no team.' : `Your teams: ${names.slice(0, 20).join(', ')}.`;
    namedApprovers(context, 'teams', (given) => {
      if (teams.some(({ id, name }) => name === given || id === given.toLowerCase())) return undefined;
      const near = context.suggest(given, names);
      return {
        code: 'unknown_team',
        message: `You are in no team \`${shorten(given)}\`: none of its members could decide here.`,
        suggestion: near === undefined ? known : `Did you mean \`${near}\`?`,
      };
    });
  },
};
