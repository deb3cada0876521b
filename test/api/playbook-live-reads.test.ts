import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sendJson, startHttpSource, type HttpSource } from '../support/http-source';
import { rowCounts, startApi, type TestApi } from './api-fixture';

/** A source that may be read, and one that a playbook would write to. */
let source: HttpSource;
let decoy: HttpSource;
let api: TestApi;
beforeAll(async () => {
  source = await startHttpSource((_request, response) => sendJson(response, { items: [{ name: 'Ann' }] }));
  decoy = await startHttpSource((_request, response) => sendJson(response, { items: [] }));
  api = await startApi({ env: { AF_EGRESS_ALLOW: `127.0.0.1:${source.port},127.0.0.1:${decoy.port}` } });
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
  await Promise.all([source.close(), decoy.close()]);
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
      {
        step: 'tell',
        effect: 'unsafe',
        source: 'shape',
        not_live: expect.stringMatching(/has an effect, or may have one$/),
      },
    ],
  });
  expect(source.seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /people']);
  expect(await test({ live_reads: true, samples: { find: { results: [], count: 0 } } })).toMatchObject({
    steps: [{ source: 'sample', not_live: 'a result was given for it' }, {}],
  });
  expect(source.seen).toHaveLength(1);
  const trail = async (name: string) => (await api.call('GET', `/audit?object=people.${name}`)).body.items;
  expect(await trail('find')).toMatchObject([{ action: 'connector.called', means: expect.not.stringMatching('run') }]);
  expect(await trail('tell')).toEqual([]);
  expect(await rowCounts(api)).toEqual(before);
});

it('sends no secret to a place that its owner has not agreed to', async () => {
  const keyed = (base_url: string) => ({
    id: 'keyed',
    type: 'rest_api',
    connection: { base_url, auth: { type: 'bearer_token', secret: { secret: 'read_key' } } },
    endpoints: { find: { path: '/keyed', response_mapping: { results_path: 'items' } } },
  });
  await api.call('POST', '/secrets', { name: 'read_key', value: 'canary-of-reads', allowed_hosts: ['*'] });
  const made = await api.call('POST', '/connectors', { source: keyed(source.url) });
  expect(made.status).toBe(201);
  const step = { name: 'find', step_type: 'tool', action: 'call_connector', connector: 'keyed', endpoint: 'find' };
  await api.call('POST', '/playbooks', { source: { id: 'asks-keyed', name: 'Asks', steps: [step] } });
  const read = async () => JSON.stringify(await api.call('POST', '/playbooks/asks-keyed/test', { live_reads: true }));
  expect(await read()).toContain('"source":"live"');
  expect(source.seen.at(-1)?.headers.authorization).toBe('Bearer canary-of-reads');

  const etag = { 'if-match': made.headers.get('etag') ?? '' };
  expect((await api.call('PUT', '/connectors/keyed', { source: keyed(decoy.url) }, etag)).status).toBe(200);
  expect(await read()).toContain('needs_confirmation');
  expect(decoy.connections()).toBe(0);
  expect((await api.call('POST', '/connectors/keyed/confirm', { origins: [decoy.url] })).status).toBe(200);
  expect(await read()).toContain('"source":"live"');
  expect(decoy.seen).toHaveLength(1);
});

it('says of a source that no test reads that it was not read', async () => {
  const made = [
    await api.call('POST', '/connectors', { source: readFileSync('catalog/connectors/irs-990-xml.yaml', 'utf8') }),
    await api.call('POST', '/playbooks', {
      source:
        'id: files\nname: Files\nsteps: [{name: read, step_type: tool, action: call_connector, connector: irs-990-xml, endpoint: parse_filings}]\n',
    }),
  ];
  expect(made.map(({ status }) => status)).toEqual([201, 201]);
  expect((await api.call('POST', '/playbooks/files/test', { live_reads: true })).body).toMatchObject({
    steps: [{ step: 'read', not_live: expect.stringMatching(/^connectors of type \w+ are not read in tests/) }],
  });
});
