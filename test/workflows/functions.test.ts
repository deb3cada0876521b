import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { JsonObject } from '../../core/base/json';
import { sendJson, startHttpSource, type HttpSource } from '../support/http-source';
import { callStep, connectorOf, startSourceRuns, type SourceRuns } from './source-runs';

let source: HttpSource;
let runs: SourceRuns;
const FILINGS = [
  { many: 1_000_000_000, ein: '20-0253310', filed: '03/07/2024', amount: '1,200.50' },
  { ein: 'none', filed: '2024-03-08', amount: null },
];
beforeAll(async () => {
  source = await startHttpSource((_request, response) => sendJson(response, FILINGS));
  runs = await startSourceRuns([source.port]);
});
afterAll(async () => {
  await runs?.close();
  await source?.close();
});

/** JSON is YAML. */
const step = (name: string, more: JsonObject): string => JSON.stringify({ name, step_type: 'tool', ...more });

it('functions decide and compute in the workflow, patterns too, and a condition that is too much fails its step', async () => {
  const connector = connectorOf(
    `{id: fil, type: rest_api, connection: {base_url: "${source.url}"}, endpoints: {read: {path: /read}, save: {method: POST, path: /save, parameters: [{name: rows, type: array}, {name: yes, type: array}, {name: warnings, type: array}]}}}`,
  );
  const compute = [
    { as: 'id', expression: "extract({ein}, '^([0-9]{2})-', 1)" },
    { as: 'day', expression: "format_date(parse_date({filed}, 'MM/DD/YYYY'), 'D. MMMM YYYY', 'de')" },
    { as: 'cents', expression: "number(replace({amount}, ',', '')) * 100" },
  ];
  const { id } = await runs
    .begin({
      connector,
      steps: [
        callStep('read', { connector: 'fil', endpoint: 'read' }),
        step('rows', {
          action: 'transform_data',
          inputs: { data: '{read.results}' },
          operations: [{ type: 'compute', fields: compute }],
        }),
        step('yes', {
          action: 'transform_data',
          condition:
            "matches({read.results[-2].ein}, '^[0-9]{2}-[0-9]{7}$') AND at({read.results}, -1) == {read.results[1]}",
          inputs: { data: [{ last: '{rows.data[-1].ein}', due: '{30_days_ahead}' }] },
          operations: [],
        }),
        step('no', {
          action: 'transform_data',
          condition: "matches({read.results[1].ein}, '^[0-9]')",
          inputs: { data: [] },
          operations: [],
        }),
        step('huge', {
          action: 'transform_data',
          condition: 'length(range({read.results[0].many})) > 1',
          on_error: 'skip',
          inputs: { data: [] },
          operations: [],
        }),
        callStep('save', {
          connector: 'fil',
          endpoint: 'save',
          inputs: { rows: '{rows.data}', yes: '{yes.data}', warnings: '{rows.warnings}' },
        }),
      ],
    })
    .then(async (runId) => runs.done(runId));
  expect(JSON.parse(source.seen.at(-1)!.body)).toEqual({
    rows: [
      { ...FILINGS[0], id: '20', day: '7. März 2024', cents: 120050 },
      { ...FILINGS[1], id: null, day: null, cents: null },
    ],
    warnings: [expect.objectContaining({ code: 'not_computed', field: 'day', count: 1 })],
    yes: [{ last: 'none', due: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) }],
  });
  const events = await runs.stack.admin.query<{ type: string; payload: JsonObject }>(
    `select type, payload from run_events where run_id = $1 and payload->>'step' = any($2)`,
    [id, ['no', 'huge']],
  );
  const ends = events.filter(({ type }) => type === 'step.skipped' || type === 'step.finished');
  expect(ends.map(({ payload }) => payload)).toMatchObject([
    { step: 'no', reason: 'condition' },
    { step: 'huge', status: 'failed', error: { code: 'expression_too_large' } },
  ]);
});
