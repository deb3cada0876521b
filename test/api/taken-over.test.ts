import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { differencesOf } from '../../cli/commands/compare';
import type { Run } from '../../cli/http/types';
import { runText } from '../../cli/view/run-text';
import { startInProcess, type InProcess } from '../support/in-process';
import { sendJson, startHttpSource, type HttpSource } from '../support/http-source';
import { startApiOf, type TestApi } from './api-fixture';
import { pagesOf } from './pages';

/** The steps of a run as people see them: why one was skipped, and what a retry took over. On the real thing. */
let source: HttpSource;
let product: InProcess;
let api: TestApi;
let isBroken = true;
beforeAll(async () => {
  source = await startHttpSource((request, response) => {
    if (request.url === '/bad' && isBroken) response.writeHead(404).end();
    else sendJson(response, { at: request.url });
  });
  const egress = { AF_EGRESS_ALLOW: `127.0.0.1:${source.port}` };
  product = await startInProcess({ env: egress });
  api = await startApiOf(product, egress);
  for (const [path, made] of Object.entries({ '/connectors': CONNECTOR(source.url), '/playbooks': PLAYBOOK }))
    await created(path, { source: made });
});
afterAll(async () => {
  await api?.close();
  await product?.close();
  await source?.close();
});

const CONNECTOR = (url: string): string => `
id: shop
name: Shop
type: rest_api
version: "1.0"
connection: {base_url: "${url}"}
endpoints:
  good: {method: GET, path: /good, response_mapping: {fields: {value: at}}}
  bad: {method: GET, path: /bad, response_mapping: {fields: {value: at}}}
`;
const call = (name: string, endpoint: string, more = ''): string =>
  `{name: ${name}, step_type: tool, action: call_connector, connector: shop, endpoint: ${endpoint}${more}}`;
const PLAYBOOK = `
id: half
name: Half
inputs: [{name: n, type: any}]
steps:
  - ${call('keep', 'good')}
  - name: each
    for_each: {items: [1, 2], as: row, steps: [${call('inner', 'good')}]}
  - ${call('absent', 'good', ', condition: "{n.cnt} > 5"')}
  - ${call('typed', 'good', ', condition: "{n.text} > 5"')}
  - ${call('bad', 'bad', ', on_error: stop')}
  - ${call('last', 'good')}
`;

async function created(path: string, body: object): Promise<Record<string, unknown>> {
  const { status, body: made } = await api.call('POST', path, body);
  expect({ status, made }).toMatchObject({ status: 201 });
  return made;
}

async function runOf(path: string, body: object): Promise<Run> {
  const made = await created(path, body);
  const runId = String(made['runId']);
  await product.done(runId);
  return (await api.call('GET', `/runs/${runId}`)).body as unknown as Run;
}

it('a skip says why, and a retry shows what it took over, in order, once', async () => {
  const first = await runOf('/runs', { playbook: 'half', inputs: { n: { text: '9' } } });
  expect(first.status).toBe('failed');
  const lines = runText(first, []);
  expect(lines).toContain('  absent: skipped (its condition is false: {n.cnt} > 5 ({n.cnt} is not there))');
  expect(lines.find((line) => line.startsWith('  typed'))).toMatch(/the text "9" and the number 5 do not fit/);

  isBroken = false;
  const retry = await runOf(`/runs/${first.runId}/retry`, {});
  expect(retry.status).toBe('complete');
  const shown = retry.steps.map(({ step_path: at, status, copied_from: from }) => [at, status, from]);
  expect(shown[0]).toEqual(['keep', 'ok', first.runId]);
  expect(new Set(shown.map(([at]) => at))).toEqual(new Set(['absent', 'bad', 'each', 'keep', 'last', 'typed']));
  expect(shown.filter(([, , from]) => from !== undefined)).toEqual([['keep', 'ok', first.runId]]);
  expect(runText(retry, [])).toContain(`  keep: ok (taken over from ${first.runId})`);

  const inner = await api.call('GET', `/runs/${retry.runId}/steps?parent=each`);
  expect(inner.body).toMatchObject({
    items: [0, 1].map((at) => ({
      step_path: `each[${at}]/inner`,
      status: 'ok',
      copied_from: first.runId,
      attempts: 0,
    })),
  });
  const seen = await pagesOf(api, `/runs/${retry.runId}/steps?limit=1`, (item) => item['step_path']);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toHaveLength(8);

  const whats = differencesOf(first, retry).map(({ what }) => what);
  expect(whats).toContain('step keep taken over from');
  expect(whats).not.toContain('step keep');
  expect(whats).not.toContain('step keep requests');
});
