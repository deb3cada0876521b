import { catalogDirectory } from '../../infra/catalog/catalog-directory';
import { loadCatalog } from '../catalog/load-catalog';
import { newConnector, newPlaybook } from '../shared/new-definition';
import type { ApiStores } from './stores';

/** Puts what ships with the product into the owner's lists. What they changed under the same slug stays as it is. */
export async function seedCatalog(
  stores: Pick<ApiStores, 'connectors' | 'playbooks'>,
  ownerId: string,
  directory = catalogDirectory(),
): Promise<void> {
  const { connectors, playbooks } = await loadCatalog(directory);
  for (const { source, body } of connectors) {
    await stores.connectors.saveCatalog(ownerId, newConnector(source, body));
  }
  for (const { source, body } of playbooks) {
    await stores.playbooks.saveCatalog(ownerId, newPlaybook(source, body));
  }
}
