import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { catalogDirectory } from '../../infra/catalog/catalog-directory';
import { startApi, type TestApi } from './api-fixture';

const IDS = readdirSync(join(catalogDirectory(), 'connectors')).map((file) => file.replace(/\.yaml$/, ''));

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

describe('every template of the catalogue', () => {
  it('is in the list, under the name of its file', async () => {
    const { body } = await api.call('GET', '/connectors/templates');
    expect(body.items?.map((item) => item['template']).sort()).toEqual([...IDS].sort());
  });

  it.each(IDS)('%s has no problem, begins a connector, and names its endpoints', async (template) => {
    const listed = (await api.call('GET', '/connectors/templates')).body.items?.find(
      (item) => item['template'] === template,
    );
    const report = await api.call('POST', '/connectors/validate', { source: listed?.['source'] });
    expect(report.body).toEqual({ valid: true, problems: [] });
    const made = await api.call('POST', '/connectors/from-template', { template, id: `my-${template}` });
    expect([made.status, made.body['slug'], made.body['created']]).toEqual([201, `my-${template}`, true]);
    const schema = await api.call('GET', `/connectors/my-${template}/schema`);
    const endpoints = schema.body['endpoints'] as { name: string }[];
    expect(endpoints.map(({ name }) => name)).toEqual(listed?.['endpoints']);
  });
});
