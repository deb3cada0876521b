import type { RuleContext } from '../context';
import type { ParsedSite } from '../../playbook/parse-expression-site';
import type { Rule } from '../rule';

/** Requires that every reference names something that exists when it is read, and that it has the field. */
export const unresolvedReference: Rule = {
  name: 'unresolved-reference',
  check(context) {
    for (const site of context.sites) checkSite(context, site);
  },
};

function checkSite(context: RuleContext, site: ParsedSite): void {
  for (const ref of site.references) {
    const found = context.resolve(site, ref);
    if (found.ok) continue;
    const { code, message, suggestion } = found;
    context.report(site.step, site.path, {
      code,
      message,
      offset: ref.offset,
      ...(suggestion === undefined ? {} : { suggestion }),
    });
  }
}
