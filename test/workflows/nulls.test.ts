import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { JsonObject } from '../../core/base/json';
import { sendJson, startHttpSource, type HttpSource } from '../support/http-source';
import { callStep, connectorOf, startSourceRuns, type SourceRuns } from './source-runs';

let source: HttpSource;
let runs: SourceRuns;
beforeAll(async () => {
  source = await startHttpSource(({ method }, response) =>
    sendJson(response, method === 'GET' ? [{ city: null, name: 'A' }] : [{ id: 1 }]),
  );
  runs = await startSourceRuns([source.port]);
});
afterAll(async () => {
  await runs?.close();
  await source?.close();
});

it('null that was read or written is sent by a run, and what is not there is left out of the request', async () => {
  const connector = connectorOf(
    `{id: nulls, type: rest_api, connection: {base_url: "${source.url}"}, endpoints: {read: {path: /read, parameters: [{name: q}]}, save: {method: POST, path: /save, parameters: [{name: name}, {name: city}, {name: note}, {name: gone}, {name: data, type: object}]}}}`,
  );
  const { id } = await runs
    .begin({
      connector,
      steps: [
        callStep('read', { connector: 'nulls', endpoint: 'read' }),
        callStep('again', { connector: 'nulls', endpoint: 'read', inputs: { q: '{read.results[0].city}' } }),
        callStep('save', {
          connector: 'nulls',
          endpoint: 'save',
          inputs: {
            name: '{read.results[0].name}',
            city: '{read.results[0].city}',
            note: null,
            gone: '{read.results[0].nowhere}',
            data: { city: '{read.results[0].city}', gone: '{read.nowhere}', list: [null, '{read.nowhere}', 1] },
          },
        }),
      ],
    })
    .then(async (runId) => runs.done(runId));
  expect(source.seen.map(({ url }) => url)).toEqual(['/read', '/read', '/save']);
  expect(JSON.parse(source.seen.at(-1)!.body)).toEqual({
    name: 'A',
    city: null,
    note: null,
    data: { city: null, list: [null, null, 1] },
  });
  const results = await runs.stack.admin.query<{ step_path: string; output: { value: JsonObject } }>(
    `select step_path, output from step_results where run_id = $1`,
    [id],
  );
  const valueOf = (step: string): JsonObject => results.find((row) => row.step_path === step)?.output.value ?? {};
  expect(valueOf('again')['left_out']).toEqual(['q']);
  // Missing values are named as a warning; null values are sent.
  expect(valueOf('save')['warnings']).toEqual([
    {
      code: 'input_not_there',
      field: 'gone',
      message: 'input `gone`: `read.results[0].nowhere` is not there; the call goes without it.',
    },
    {
      code: 'input_not_there',
      field: 'data',
      message: 'input `data`: `read.nowhere` is not there; the call goes without it.',
    },
  ]);
  const [finished] = await runs.stack.admin.query<{ payload: JsonObject }>(
    `select payload from run_events where run_id = $1 and type = 'step.finished' and payload->>'step' = 'save'`,
    [id],
  );
  expect(finished?.payload['incomplete']).toEqual([
    {
      code: 'input_not_there',
      message:
        '2 inputs were not there: input `gone`: `read.results[0].nowhere` is not there; the call goes without it.',
    },
  ]);
  const [run] = await runs.stack.admin.query<{ status: string }>(`select status from runs where id = $1`, [id]);
  expect(run?.status).toBe('complete');
});
