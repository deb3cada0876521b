import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sendJson, startHttpSource, type HttpSource } from '../support/http-source';
import { rowCounts, startApi, type TestApi } from './api-fixture';

/** A source that may be read, and one that a playbook would write to. */
let source: HttpSource;
let api: TestApi;
beforeAll(async () => {
  source = await startHttpSource((_request, response) => sendJson(response, { items: [{ name: 'Ann' }] }));
  api = await startApi({ env: { AF_EGRESS_ALLOW: `127.0.0.1:${source.port}` } });
  const connector = {
    id: 'people',
    name: 'People',
    type: 'rest_api',
    connection: { base_url: source.url },
    endpoints: {
      find: { path: '/people', response_mapping: { results_path: 'items' } },
      tell: { method: 'POST', path: '/tell' },
    },
  };
  const made = await api.call('POST', '/connectors', { source: connector });
  expect({ status: made.status, body: made.body }).toMatchObject({ status: 201 });
  const step = (name: string) => ({
    name,
    step_type: 'tool',
    action: 'call_connector',
    connector: 'people',
    endpoint: name,
  });
  const playbook = { id: 'asks', name: 'Asks', steps: [step('find'), step('tell')] };
  const saved = await api.call('POST', '/playbooks', { source: playbook });
  expect({ status: saved.status, body: saved.body }).toMatchObject({ status: 201 });
});
afterAll(async () => {
  await api.close();
  await source.close();
});

const test = async (body: object) => (await api.call('POST', '/playbooks/asks/test', body)).body;

it('reaches nobody unless reads are allowed, and then only what reads (X05)', async () => {
  const before = await rowCounts(api);
  expect(await test({})).toMatchObject({ status: 'complete', steps: [{ source: 'shape' }, { effect: 'unsafe' }] });
  expect(source.connections()).toBe(0);
  expect(await test({ live_reads: true })).toMatchObject({
    status: 'complete',
    steps: [
      { step: 'find', effect: 'none', source: 'live', output: { results: [{ name: 'Ann' }] } },
      { step: 'tell', effect: 'unsafe', source: 'shape' },
    ],
  });
  expect(source.seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /people']);
  expect(await test({ live_reads: true, samples: { find: { results: [], count: 0 } } })).toMatchObject({
    steps: [{ source: 'sample' }, {}],
  });
  expect(source.seen).toHaveLength(1);
  expect(await rowCounts(api)).toEqual(before);
});
