import { join } from 'node:path';
import { connectorEntry } from '../../core/connector/entry';
import type { ConnectorDefinition } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import type { Problem } from '../../core/errors/problem';
import { parseProfile } from '../../core/profile/parse-profile';
import { parsePlaybook } from '../../core/playbook/parse-playbook';
import type { Catalogue, ConnectorEntry, PlaybookEntry } from '../../core/validate/catalogue';
import { playbookEntry } from '../../core/validate/catalogue';
import { validatePlaybook } from '../../core/validate/validate-playbook';
import { readConnector } from '../../connectors/definition/read-connector';
import { textsOf } from '../../infra/catalog/catalog-texts';
import { compiledCatalog, type Catalog, type CatalogEntry } from '../../infra/catalog/compiled-catalog';

/**
 * Loads the definitions of the product from the build, or from their texts where these differ. Throws like
 * `readCatalog`.
 */
export async function loadCatalog(directory: string): Promise<Catalog> {
  return (await compiledCatalog(directory)) ?? readCatalog(directory);
}

/**
 * Reads and checks everything that ships with the product: `connectors/*.yaml`, then `playbooks/*.yaml` and
 * `profiles/*.yaml` against them.
 * Throws `invalid_catalog` with every problem and its file: a broken catalogue stops the start, not a run.
 */
export async function readCatalog(directory: string): Promise<Catalog> {
  const problems: Problem[] = [];
  const connectors = (await textsOf(join(directory, 'connectors'))).flatMap(({ file, source }) => {
    const parsed = readConnector(source);
    problems.push(...located(file, parsed.problems));
    return parsed.definition === undefined ? [] : [{ file, source, body: parsed.definition }];
  });
  const texts = await textsOf(join(directory, 'playbooks'));
  const known = catalogueOf(connectors, texts);
  const playbooks = texts.flatMap(({ file, source }) => {
    const result = validatePlaybook(source, known);
    problems.push(...located(file, result.problems));
    return result.plan === undefined ? [] : [{ file, source, body: result.plan }];
  });
  const names = { connectors: known.connectorSlugs(), playbooks: known.playbookSlugs() };
  const profiles = (await textsOf(join(directory, 'profiles'))).flatMap(({ file, source }) => {
    const parsed = parseProfile(source, names);
    problems.push(...located(file, parsed.problems));
    return parsed.template === undefined ? [] : [{ file, source, body: parsed.template }];
  });
  const errors = problems.filter((problem) => problem.severity === 'error');
  if (errors.length > 0) {
    const first = errors[0];
    throw new AppError('invalid_catalog', `The catalogue has ${errors.length} problems. ${first?.message ?? ''}`, {
      category: 'internal',
      problems: errors,
    });
  }
  return { connectors, playbooks, profiles };
}

function located(file: string, problems: readonly Problem[]): Problem[] {
  return problems.map((problem) => ({ ...problem, message: `${file}:${problem.line ?? 1}: ${problem.message}` }));
}

/** The shipped definitions see each other and nothing else. */
function catalogueOf(
  connectors: readonly CatalogEntry<ConnectorDefinition>[],
  texts: readonly { source: string }[],
): Catalogue {
  const entries = new Map<string, ConnectorEntry>(connectors.map(({ body }) => [body.id, connectorEntry(body)]));
  const plans = texts.flatMap(({ source }) => parsePlaybook(source).plan ?? []);
  const playbooks = new Map<string, PlaybookEntry>(plans.map((plan) => [plan.playbook.id, playbookEntry(plan)]));
  return {
    connector: (slug) => entries.get(slug),
    connectorSlugs: () => [...entries.keys()],
    playbook: (slug) => playbooks.get(slug),
    playbookSlugs: () => [...playbooks.keys()],
  };
}
