import type { ConnectorDefinition } from '../../core/connector/types';
import { catalogDirectory } from '../../infra/catalog/catalog-directory';
import { loadCatalog } from '../catalog/load-catalog';
import type { Database } from '../../infra/db/database';
import { ConnectorsStore, PlaybooksStore } from '../../infra/db/stores/definitions.store';
import { newConnector, newPlaybook } from '../shared/new-definition';

/** Puts what ships with the product into the owner's lists. What they changed under the same slug stays as it is. */
export async function seedCatalog(database: Database, ownerId: string, directory = catalogDirectory()): Promise<void> {
  const { connectors, playbooks } = await loadCatalog(directory);
  const connectorsStore = new ConnectorsStore<ConnectorDefinition>(database);
  for (const { source, body } of connectors) {
    await connectorsStore.saveCatalog(ownerId, newConnector(source, body));
  }
  const playbooksStore = new PlaybooksStore(database);
  for (const { source, body } of playbooks) {
    await playbooksStore.saveCatalog(ownerId, newPlaybook(source, body));
  }
}
