import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { catalogDirectory, exampleFilings } from '../../../infra/catalog/catalog-directory';
import { loadCatalog } from '../../../infra/catalog/load-catalog';

describe('the catalogue', () => {
  it('is found beside the sources and loads without a problem', async () => {
    expect(catalogDirectory()).toBe(resolve(__dirname, '../../../catalog'));
    const catalog = await loadCatalog(catalogDirectory());
    expect(catalog.connectors.map((entry) => entry.body.id)).toContain('irs-990-xml');
    expect(catalog.playbooks.map((entry) => entry.body.playbook.id)).toEqual(
      expect.arrayContaining(['nonprofit-filing-review', 'nonprofit-filing-review-deterministic']),
    );
    const deterministic = catalog.playbooks.find(
      (entry) => entry.body.playbook.id === 'nonprofit-filing-review-deterministic',
    );
    expect(deterministic?.body.execution_mode).toBe('deterministic');
    expect(exampleFilings()).toContain('catalog/examples/filings');
  });

  it('refuses to load with a broken entry, and names file and line', async () => {
    const copy = await mkdtemp(join(tmpdir(), 'af-catalog-'));
    try {
      await cp(catalogDirectory(), copy, { recursive: true });
      const file = join(copy, 'playbooks', 'nonprofit-filing-review.yaml');
      await writeFile(
        file,
        (await readFile(file, 'utf8')).replace('endpoint: parse_filings', 'endpoint: parse_filngs'),
      );
      await expect(loadCatalog(copy)).rejects.toMatchObject({
        code: 'invalid_catalog',
        message: expect.stringMatching(/nonprofit-filing-review\.yaml:\d+: .*parse_filngs/),
      });
    } finally {
      await rm(copy, { recursive: true });
    }
  });
});
