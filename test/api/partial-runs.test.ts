import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { read, utils } from '@e965/xlsx';
import type { JsonObject } from '../../core/base/json';
import { runLines, reasonLines } from '../../cli/run-outcome';
import { runText } from '../../cli/view/run-text';
import type { Run } from '../../cli/http/types';
import { startInProcess, type InProcess } from '../support/in-process';
import { startApiOf, type TestApi } from './api-fixture';

/**
 * Compares what a partial run says about itself: in its message, steps and events, on the command line and in its
 * reports.
 */
let product: InProcess;
let api: TestApi;
beforeAll(async () => {
  product = await startInProcess();
  api = await startApiOf(product);
});
afterAll(async () => {
  await api?.close();
  await product?.close();
});

async function ended(yaml: string): Promise<{ run: Run; text: string }> {
  const runId = await product.start(await product.save(yaml));
  await product.done(runId);
  const { body } = await api.call('GET', `/runs/${runId}`);
  const run = body as unknown as Run;
  return { run, text: [...reasonLines(run), runLines(run), ...runText(run, [])].join('\n') };
}

describe('a partial run says why', () => {
  it('of an output that was not written', async () => {
    const { run, text } = await ended(`
id: appended
name: Appended
steps:
  - {name: one, step_type: tool, action: transform_data, inputs: {data: [{n: 1}]}, operations: [{type: limit, count: 1}]}
output:
  sections: [{title: One, source: one.data}]
  destinations: [{type: append_to_existing, config: {document: nope.md}}]
`);
    const reason = expect.stringMatching(
      /^1 of 1 destinations not written: append_to_existing: document_not_found \(.+\)$/,
    );
    expect(run).toMatchObject({ status: 'partial', message: expect.stringMatching(/^\$output: 1 of 1 destinations/) });
    expect(run.steps.find(({ step_path }) => step_path === '$output')).toMatchObject({
      status: 'ok',
      incomplete: [{ code: 'not_written', message: reason }],
    });
    expect(text).toContain('message: $output: 1 of 1 destinations not written: append_to_existing: document_not_found');
    expect((await product.events(run.runId)).at(-1)?.payload).toMatchObject({ message: run.message });
  });

  it('of a step that failed inside another', async () => {
    const { run, text } = await ended(`
id: inside
name: Inside
steps:
  - name: both
    action: parallel
    parallel_steps:
      - {name: good, step_type: tool, action: write_journal_entry, inputs: {summary: "well"}}
      - {name: bad, step_type: tool, action: transform_data, inputs: {data: "{good.nothing}"}, operations: [], on_error: skip}
`);
    expect(run.status).toBe('partial');
    expect(run.message).toMatch(/^both\/bad failed: missing_data \(.+\)$/);
    expect(run.steps).toMatchObject([{ step_path: 'both', status: 'ok', incomplete: [{ code: 'steps_failed' }] }]);
    expect(text).toContain('  both: ok (inside, both/bad failed: missing_data');
    // The message has said it.
    expect(text.split('\n')[0]).toBe(`run: ${run.runId}`);
  });
});

async function downloaded(id: string): Promise<string> {
  const answer = await fetch(`${api.url}/api/agent-factory/documents/${id}/download`, { headers: api.headers });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (bytes.subarray(0, 2).toString('latin1') !== 'PK') return bytes.toString('utf8');
  const { Sheets } = read(bytes);
  return Object.entries(Sheets)
    .map(([name, sheet]) => `[${name}]\n${utils.sheet_to_csv(sheet)}`)
    .join('\n');
}

it('a report in the middle bears the run, who decided and what is missing, also of a step of its own segment', async () => {
  const slug = await product.save(`
id: routed
name: Routed
inputs: [{name: word, type: string, default: x}]
steps:
  - {name: ask, step_type: approval, prompt: "Write {word}?"}
  - {name: note, step_type: tool, action: write_journal_entry, inputs: {summary: "{word}"}}
  - {name: lossy, step_type: tool, action: transform_data, inputs: {data: [{n: 2}, {n: many}]}, operations: [{type: filter, field: n, operator: gt, value: 5}]}
  - name: put
    step_type: tool
    action: route_output
    inputs: {data: "{lossy.data}"}
    params:
      title: Rows
      destinations: [{type: document}, {type: document, format: xlsx}, {type: document, format: csv}, {type: document, format: json}]
`);
  const runId = await product.start(slug, { inputs: { word: 'x' } });
  await product.decide(runId, await product.approval(runId), 'approve');
  expect((await product.done(runId)).status).toBe('partial');
  const { body } = await api.call('GET', `/runs/${runId}/steps/put/output`);
  const { routing_report: report } = body['value'] as { routing_report: { details: Record<string, string> }[] };
  const [markdown = '', xlsx = '', csv = '', json = ''] = await Promise.all(
    report.map(({ details }) => downloaded(details['document_id'] ?? '')),
  );
  const lost = /lossy: operation 1 \(filter\): .+/;
  expect(markdown).toMatch(new RegExp(`^# Rows\\n\\n_No rows\\. Missing: ${lost.source}_\\n\\n---\\n`));
  for (const text of [markdown, xlsx]) {
    expect(text).toContain(runId);
    expect(text).toContain('running, at step put');
    expect(text).toMatch(/step: ask, decision: approved/);
    expect(text).toMatch(/word: x/);
    expect(text).toMatch(lost);
  }
  expect(xlsx).toContain('No rows. Missing: lossy');
  // Data for programs: as it is, and what is to be said of it beside it.
  expect([csv.trim(), JSON.parse(json)]).toEqual(['', []]);
  for (const { details } of report.slice(2)) {
    const beside = JSON.parse(await downloaded(details['meta_document_id'] ?? '')) as JsonObject;
    expect(beside).toMatchObject({
      title: 'Rows',
      playbook: 'routed',
      runId,
      status: 'running, at step put',
      inputs: { word: 'x' },
      decisions: [{ step: 'ask', decision: 'approved' }],
      missing: [expect.stringMatching(lost)],
      sections: [{ computed: true, rows: 0, missing: [expect.stringMatching(lost)] }],
    });
  }
});
