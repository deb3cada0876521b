import type { ConnectorDefinition } from '../../core/connector/types';
import type { Plan } from '../../core/playbook/types';
import type { CatalogEntry } from '../../infra/catalog/load-catalog';
import type { NewDefinition } from '../../infra/db/stores/definition-types';
import { contentHash, formatOf } from './definition-source';
import { orAbsent } from './views';

/** A connector that ships with the product, as the store takes it. */
export function catalogConnector({
  source,
  body,
}: CatalogEntry<ConnectorDefinition>): NewDefinition<ConnectorDefinition> {
  return {
    ...textOf(source),
    slug: body.id,
    name: body.name,
    kind: body.type,
    body,
    ...orAbsent({ description: body.description ?? null, declared_version: body.version ?? null }),
  };
}

/** A playbook that ships with the product, as the store takes it. */
export function catalogPlaybook({ source, body }: CatalogEntry<Plan>): NewDefinition<Plan> {
  const { id, name, description, version } = body.playbook;
  return {
    ...textOf(source),
    slug: id,
    name,
    body,
    ...orAbsent({ description: description ?? null, declared_version: version ?? null }),
  };
}

function textOf(source: string): { source: string; content_hash: string; source_format: 'yaml' | 'json' } {
  return { source, content_hash: contentHash(source), source_format: formatOf(source) };
}
