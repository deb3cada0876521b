import { AppError } from '../../core/errors/app-error';
import type { Plan } from '../../core/playbook/types';
import { collectConnectorSlugs } from '../../core/validate/catalogue';

/** Versions of the connectors that a plan names, as they are now: slug → version id. Throws `connector_not_found` (422). */
export async function pinConnectors(
  plan: Plan,
  latest: (slugs: string[]) => Promise<Map<string, string>>,
): Promise<Record<string, string>> {
  const slugs = collectConnectorSlugs(plan);
  const versions = await latest(slugs);
  const missing = slugs.filter((slug) => !versions.has(slug));
  if (missing.length > 0) {
    throw new AppError(
      'connector_not_found',
      `The playbook needs connectors that are not there: ${missing.join(', ')}. Create them first.`,
      {
        category: 'validation',
      },
    );
  }
  return Object.fromEntries(versions);
}
