import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { catalogDirectory, exampleFilings } from '../../../infra/catalog/catalog-directory';
import { compiledCatalog, writeCompiled } from '../../../infra/catalog/compiled-catalog';
import { loadCatalog, readCatalog } from '../../../src/catalog/load-catalog';
import { newFolder } from '../../support/run-folder';

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
    expect(catalog.profiles.map((entry) => entry.body.id)).toEqual([
      'corporate-intelligence-analyst',
      'nonprofit-investigator',
      'political-finance-tracker',
    ]);
    expect(exampleFilings()).toContain('catalog/examples/filings');
  });

  it('is taken from what the build read as long as its texts are the same', async () => {
    const copy = newFolder('catalog');
    try {
      await cp(catalogDirectory(), copy, { recursive: true });
      const read = await readCatalog(copy);
      expect(await compiledCatalog(copy)).toBeUndefined();
      await writeCompiled(copy, read);
      expect(JSON.stringify(await compiledCatalog(copy))).toBe(JSON.stringify(read));
      const file = join(copy, 'connectors/irs-990-xml.yaml');
      await writeFile(file, (await readFile(file, 'utf8')).replace(/^name: .*$/m, 'name: Another name'));
      expect(await compiledCatalog(copy)).toBeUndefined();
      const changed = (await loadCatalog(copy)).connectors.find(({ body }) => body.id === 'irs-990-xml');
      expect(changed?.body.name).toBe('Another name');
      await writeFile(join(copy, 'compiled.json'), '{"texts":');
      expect(await compiledCatalog(copy)).toBeUndefined();
    } finally {
      await rm(copy, { recursive: true, force: true });
    }
  });

  it.each([
    ['playbooks/nonprofit-filing-review.yaml', 'endpoint: parse_filings', 'endpoint: parse_filngs'],
    ['profiles/nonprofit-investigator.yaml', 'connector: irs-990-xml', 'connector: irs-990-xm'],
  ])('refuses to load with a broken entry, and names file and line: %s', async (name, from, to) => {
    const copy = newFolder('catalog');
    try {
      await cp(catalogDirectory(), copy, { recursive: true });
      const file = join(copy, name);
      await writeFile(file, (await readFile(file, 'utf8')).replace(from, to));
      const wrong = to.slice(to.indexOf(' ') + 1);
      await expect(loadCatalog(copy)).rejects.toMatchObject({
        code: 'invalid_catalog',
        message: expect.stringMatching(new RegExp(`${basename(name)}:\\d+: .*${wrong}`)),
      });
    } finally {
      await rm(copy, { recursive: true });
    }
  });
});
