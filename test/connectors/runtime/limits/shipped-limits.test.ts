import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { catalogDirectory } from '../../../../infra/catalog/catalog-directory';
import { limitsByOrigin, shippedLimits } from '../../../../connectors/runtime/limits/shipped-limits';
import { readConnector } from '../../../../connectors/definition/read-connector';
import { newFolder } from '../../../support/run-folder';

const connector = (limit: string, auth = '') =>
  readConnector(
    `{id: c, type: rest_api, connection: {base_url: "https://a.example/v1", rate_limit: ${limit}${auth}}, endpoints: {e: {path: /e}, f: {base_url: "https://b.example", path: /f}}}`,
  ).definition!;

describe('what the catalogue says of origins without a credential', () => {
  it('is what its connectors say', async () => {
    const limits = shippedLimits(catalogDirectory());
    expect(await limits('https://www.federalregister.gov')).toEqual({ requests_per_second: 5 });
    expect(await limits('https://projects.propublica.org')).toEqual({ requests_per_second: 2 });
    expect(await limits('https://api.open.fec.gov')).toBeUndefined();
    expect(await limits('https://example.org')).toBeUndefined();
  });

  it('is read again where it could not be read', async () => {
    const directory = newFolder('catalogue');
    try {
      const limits = shippedLimits(directory);
      await expect(limits('https://a.example')).rejects.toMatchObject({ code: 'ENOENT' });
      await mkdir(join(directory, 'connectors'));
      await writeFile(
        join(directory, 'connectors', 'c.yaml'),
        '{id: c, type: rest_api, connection: {base_url: "https://a.example", rate_limit: {concurrency: 3}}, endpoints: {e: {path: /e}}}',
      );
      expect(await limits('https://a.example')).toEqual({ concurrency: 3 });
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('is the strictest of several, at every address, and nothing of those that send a secret', () => {
    const found = limitsByOrigin([
      connector('{requests_per_second: 5, concurrency: 2}'),
      connector('{requests_per_second: 9, requests_per_day: 100}'),
      connector('{requests_per_second: 1}', ', auth: {type: bearer_token, secret: {secret: key}}'),
    ]);
    const strictest = { requests_per_second: 5, requests_per_day: 100, concurrency: 2 };
    expect([...found]).toEqual([
      ['https://a.example', strictest],
      ['https://b.example', strictest],
    ]);
  });
});
