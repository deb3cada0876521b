import { shorten } from '../../base/shorten';
import type { Rule } from '../rule';

/** Warns where `required_connectors` names neither a connector of the owner nor the type of one. */
export const requiredConnectors: Rule = {
  name: 'required-connectors',
  check(context) {
    const { catalogue } = context;
    context.requiredConnectors().forEach((name, index) => {
      if (name === '' || catalogue.connector(name) !== undefined || catalogue.connectorSlugs().includes(name)) return;
      if (catalogue.connectorSlugs().some((slug) => catalogue.connector(slug)?.type === name)) return;
      const near = context.suggest(name, catalogue.connectorSlugs());
      context.report(undefined, ['required_connectors', index], {
        severity: 'warning',
        code: 'unknown_connector',
        message: `There is no connector \`${shorten(name)}\`, and none of that type.`,
        suggestion: near === undefined ? 'Save that connector first.' : `Did you mean \`${near}\`?`,
      });
    });
  },
};
