import type { ConnectorDefinition } from '../../core/connector/types';
import { catalogDirectory } from '../../infra/catalog/catalog-directory';
import { loadCatalog } from '../../infra/catalog/load-catalog';
import type { Database } from '../../infra/db/database';
import { ConnectorsStore, PlaybooksStore } from '../../infra/db/stores/definitions.store';
import { contentHash, formatOf } from '../shared/definition-source';
import { orAbsent } from '../shared/views';

/** Puts what ships with the product into the owner's lists. What he changed under the same slug stays as it is. */
export async function seedCatalog(database: Database, ownerId: string, directory = catalogDirectory()): Promise<void> {
  const { connectors, playbooks } = await loadCatalog(directory);
  const connectorsStore = new ConnectorsStore<ConnectorDefinition>(database);
  for (const { source, body } of connectors) {
    await connectorsStore.saveCatalog(ownerId, {
      ...textOf(source),
      slug: body.id,
      name: body.name,
      kind: body.type,
      body,
      ...orAbsent({ description: body.description ?? null, declared_version: body.version ?? null }),
    });
  }
  const playbooksStore = new PlaybooksStore(database);
  for (const { source, body } of playbooks) {
    const { id, name, description, version } = body.playbook;
    await playbooksStore.saveCatalog(ownerId, {
      ...textOf(source),
      slug: id,
      name,
      body,
      ...orAbsent({ description: description ?? null, declared_version: version ?? null }),
    });
  }
}

function textOf(source: string): { source: string; content_hash: string; source_format: 'yaml' | 'json' } {
  return { source, content_hash: contentHash(source), source_format: formatOf(source) };
}
