import { catalogDirectory } from '../../infra/catalog/catalog-directory';
import { writeCompiled } from '../../infra/catalog/compiled-catalog';
import { readCatalog } from './load-catalog';

/** Part of the build. A broken catalogue is told when the product starts, and by the tests. */
async function main(): Promise<void> {
  const directory = catalogDirectory(__dirname);
  await writeCompiled(directory, await readCatalog(directory));
}

main().catch((error: unknown) => {
  process.stderr.write(
    `build: the catalogue stays as text: ${error instanceof Error ? error.message : String(error)}\n`,
  );
});
