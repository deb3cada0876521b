import { describe, expect, it } from '@jest/globals';
import { cpSync } from 'node:fs';
import path from 'node:path';
import { filesOfDirectory } from '../../../../../connectors/kinds/files/sources/directory-source';
import { newFolder } from '../../../../support/run-folder';
import { importRootsOf } from '../../../../../connectors/kinds/files/sources/import-roots';

const EXAMPLE = path.resolve(__dirname, '../../../../../catalog/examples/filings');
const connection = { sources: [], accepted_formats: [], max_file_size_mb: 1, max_files: 9 } as never;

describe('where file connectors may read', () => {
  it("the example's folder as a person finds it in the project, also where the build brings a copy", async () => {
    const catalog = newFolder('built-catalog');
    cpSync(EXAMPLE, path.join(catalog, 'examples/filings'), { recursive: true });
    const { importRoots, defaultDirectory } = importRootsOf([], catalog);
    for (const directory of [EXAMPLE, defaultDirectory, '.']) {
      const files = await filesOfDirectory({ directory, roots: importRoots, connection });
      expect(files.length).toBeGreaterThan(0);
    }
    const above = filesOfDirectory({ directory: path.dirname(EXAMPLE), roots: importRoots, connection });
    await expect(above).rejects.toMatchObject({ code: 'directory_not_allowed' });
  });

  it('only what the operator granted, once they granted something', () => {
    expect(importRootsOf(['/data', '/more'], '/catalog')).toEqual({
      importRoots: ['/data', '/more'],
      defaultDirectory: '/data',
    });
  });
});
