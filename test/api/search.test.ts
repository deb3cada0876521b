import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { TransitionsStore } from '../../infra/db/stores/transitions.store';
import { startApi, startRun, type TestApi } from './api-fixture';
import { stranger } from './pages';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const search = async (query: string) => (await api.call('GET', `/search?${query}`)).body.items ?? [];

it('finds playbooks, runs and documents by name, whatever its case', async () => {
  const runId = await startRun(api, { query: 'Who owns the ORCHARD?' });
  const upload = await fetch(`${api.url}/api/agent-factory/documents?name=Orchard%20100%25.txt`, {
    method: 'POST',
    headers: { ...api.headers, 'content-type': 'application/octet-stream' },
    body: 'x',
  });
  const { id: document } = (await upload.json()) as { id: string };
  expect(await search('q=orchard')).toMatchObject([
    {
      kind: 'run',
      id: runId,
      note: 'Who owns the ORCHARD?',
      status: 'pending',
      link: `/api/agent-factory/runs/${runId}`,
    },
    { kind: 'document', id: document, title: 'Orchard 100%.txt' },
  ]);
  expect(await search('q=TWO')).toMatchObject([
    { kind: 'playbook', title: 'Two steps', note: 'two-steps' },
    { kind: 'run' },
  ]);
  expect(await search('q=two&kinds=run')).toMatchObject([{ kind: 'run' }]);
  expect(await search('q=00%25')).toMatchObject([{ kind: 'document' }]);
  expect(await search(`q=${runId}`)).toMatchObject([{ kind: 'run', id: runId }]);
  await startRun(api);
  expect(await search('q=two&kinds=run&limit=1')).toHaveLength(1);
  for (const query of ['', 'q=a', 'q=ab&kinds=user', 'q=ab&limit=51']) {
    expect(await api.call('GET', `/search?${query}`)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  }
});

it('finds nothing of a stranger', async () => {
  const runId = await startRun(api, { query: 'unheard-of' });
  await stranger(api, 'runs', runId);
  expect(await search('q=unheard-of')).toEqual([]);
});

it('shows one entry of the journal, and none of a stranger', async () => {
  const runId = await startRun(api);
  await new TransitionsStore(api.database).finish(runId, { status: 'complete', journal: { summary: 'It was done.' } });
  const [entry] = (await api.call('GET', `/journal?run=${runId}`)).body.items ?? [];
  const id = String(entry?.['id']);
  expect((await api.call('GET', `/journal/${id}`)).body).toEqual(entry);
  await stranger(api, 'journal_entries', id);
  for (const missing of [id, randomUUID()]) {
    expect(await api.call('GET', `/journal/${missing}`)).toMatchObject({
      status: 404,
      body: { code: 'journal_entry_not_found' },
    });
  }
});

it('says how the parts are, also when one of them is away', async () => {
  expect((await api.call('GET', '/system')).body).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    node: process.versions.node,
    temporal: { status: 'down', queues: [] },
    stores: {
      database: { status: 'ok', version: expect.any(String), migration: expect.stringMatching(/\d+$/) },
      blobs: { status: 'ok' },
    },
  });
});
