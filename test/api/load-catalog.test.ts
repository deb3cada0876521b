import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { catalogDirectory, exampleFilings } from '../../infra/catalog/catalog-directory';
import { loadCatalog } from '../../src/catalog/load-catalog';
import { newFolder } from '../support/run-folder';

describe('the catalogue', () => {
  it('is found beside the sources and loads without a problem', async () => {
    expect(catalogDirectory()).toBe(resolve(__dirname, '../../catalog'));
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
