import { createImportHost } from '../../../connectors/openapi/import-host';
import { OpenapiImporter, type OpenapiResult } from '../../../connectors/openapi/openapi-importer';
import type { ImportOptions } from '../../../core/connector/openapi/import-openapi';
import type { World } from './world';

/** A connector of the description that the source serves at this path. */
export async function imported(world: World, path: string, options: ImportOptions = {}): Promise<OpenapiResult> {
  world.noteReader(path, 'from-openapi');
  const importer = new OpenapiImporter({ egress: world.deps.egress, host: createImportHost() });
  try {
    return await importer.import({ url: `${world.url}/${path}` }, options);
  } finally {
    await importer.close();
  }
}
