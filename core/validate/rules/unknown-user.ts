import { shorten } from '../../base/shorten';
import type { Rule } from '../rule';
import { namedApprovers } from '../named-approvers';

/** Warns where a gate names a person who does not exist: nobody could decide in their place. */
export const unknownUser: Rule = {
  name: 'unknown-user',
  check(context) {
    const { unknownUsers: unknown = [], colleagues = [] } = context.catalogue;
    namedApprovers(context, 'users', (given) => {
      if (!unknown.includes(given)) return undefined;
      const near = context.suggest(given, colleagues);
      return {
        code: 'unknown_user',
        message: `Nobody has the handle \`${shorten(given)}\`, or the account is deactivated: nobody could decide here in their place.`,
        suggestion:
          near === undefined ? 'Name people by the handle that they sign in with.' : `Did you mean \`${near}\`?`,
      };
    });
  },
};
