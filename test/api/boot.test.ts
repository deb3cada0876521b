import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, TWO_STEPS, type TestApi } from './api-fixture';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

describe('boot', () => {
  it('answers', async () => {
    const live = await fetch(`${api.url}/health/live`);
    expect(live.status).toBe(200);
    console.log(await (await fetch(`${api.url}/health/ready`)).json());
    console.log(JSON.stringify((await api.call('POST', '/playbooks/validate', { source: TWO_STEPS })).body, null, 1));
    console.log(
      JSON.stringify((await api.call('POST', '/playbooks', { source: TWO_STEPS })).body, null, 1).slice(0, 500),
    );
    const run = await api.call('POST', '/runs', { playbook: 'two-steps', inputs: { rows: [] } });
    console.log(run);
    console.log(JSON.stringify((await api.call('GET', `/runs/${String(run.body['runId'])}`)).body, null, 1));
    console.log((await api.call('GET', `/actions/transform_dat`)).body);
  });
});
