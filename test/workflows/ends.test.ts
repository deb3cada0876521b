import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sendJson, startHttpSource, type HttpSource } from '../support/http-source';
import { callStep, connectorOf, startSourceRuns, type SourceRuns } from './source-runs';

let source: HttpSource;
let runs: SourceRuns;
beforeAll(async () => {
  source = await startHttpSource((_request, response) => sendJson(response, [{ id: 1 }, { id: 2 }]));
  runs = await startSourceRuns([source.port]);
});
afterAll(async () => {
  await runs?.close();
  await source?.close();
});

const connector = (): ReturnType<typeof connectorOf> =>
  connectorOf(
    `{id: src, type: rest_api, connection: {base_url: "${source.url}"}, endpoints: {read: {path: /read}, save: {method: POST, path: /save, parameters: [{name: note}]}}}`,
  );
const read = callStep('read', { connector: 'src', endpoint: 'read' });
const save = callStep('save', { connector: 'src', endpoint: 'save', inputs: { note: 'after' } });

it.each([
  [
    'partial, with its code and message',
    '{name: stop, condition: "{read.count} < 5", end: {status: partial, code: too_few, message: "only {read.count}"}}',
    { status: 'partial', status_code: 'too_few', status_message: 'only 2' },
  ],
  ['complete', '{name: stop, end: {}}', { status: 'complete', status_code: 'ended_by_playbook' }],
  [
    'failed, from inside a list',
    '{name: each, for_each: {items: "{read.results}", max_parallel: 1, steps: [{name: no, condition: "{item.id} == 2", fail: "bad {item.id}"}]}}',
    { status: 'failed', status_code: 'ended_by_playbook', status_message: 'Step each[1]/no: bad 2' },
  ],
])('a run ends %s, and nothing behind it is done', async (_how, end, expected) => {
  const before = source.seen.length;
  const run = await runs.done(await runs.begin({ connector: connector(), steps: [read, end, save] }));
  expect(run).toMatchObject(expected);
  expect(source.seen.slice(before).map(({ method }) => method)).toEqual(['GET']);
  const steps = await runs.stack.admin.query<{ step: string }>(
    `select payload->>'step' as step from run_events where run_id = $1 and type = 'step.started' and payload->>'step' = 'save'`,
    [run.id],
  );
  expect(steps).toEqual([]);
});
