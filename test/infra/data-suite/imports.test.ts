import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createImportHost } from '../../../connectors/openapi/import-host';
import { OpenapiImporter } from '../../../connectors/openapi/openapi-importer';
import { describeWithData } from '../../support/data';
import { imported } from './imports';
import { ownText, rows } from './results';
import { World } from './world';

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

describeWithData('openapi', 'an imported operation', () => {
  it('returns the recorded rows', async () => {
    const made = await imported(world, 'openapi/openfec_subset_dev.json', { base_url: world.url });
    const recorded = 'fec/openfec_candidates_party_DEM.json';
    world.place(
      recorded,
      ({ pathname, searchParams }) => pathname === '/v1/candidates/' && searchParams.get('party') === 'DEM',
    );
    const endpoint = made.endpoints.find(({ path }) => path === '/v1/candidates/')?.name ?? '';
    const result = await world.call(recorded, 'from-openapi', {
      text: made.source,
      endpoint,
      inputs: { party: ['DEM'] },
    });
    const expected = rows(await world.api(recorded, { results_path: 'results' }));
    expect(expected).toHaveLength(20);
    expect(rows(result)).toHaveLength(20);
    expect(rows(result).map(({ candidate_id: id, name }) => ({ id, name }))).toEqual(
      expected.map(({ candidate_id: id, name }) => ({ id, name })),
    );
  });
});

describe('the description of this API', () => {
  it('imports whole', async () => {
    const text = ownText('openapi.json');
    const { paths } = JSON.parse(text) as { paths: Record<string, object> };
    const operations = Object.values(paths).reduce((total, path) => total + Object.keys(path).length, 0);
    const importer = new OpenapiImporter({ egress: world.deps.egress, host: createImportHost() });
    const made = await importer.import({ text }, { base_url: 'http://127.0.0.1:3000' });
    await importer.close();
    expect(made.operations).toBe(operations);
    expect(made.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});
