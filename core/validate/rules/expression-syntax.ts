import type { Rule } from '../rule';

/** Every template, condition and reference can be read. */
export const expressionSyntax: Rule = {
  name: 'expression-syntax',
  check(context) {
    for (const site of context.sites) {
      if (site.problem === undefined) continue;
      const { code, message, offset, suggestion } = site.problem;
      context.report(site.step, site.path, {
        code,
        message,
        offset,
        ...(suggestion === undefined ? {} : { suggestion }),
      });
    }
  },
};
