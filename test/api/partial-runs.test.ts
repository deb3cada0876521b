import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runLines, whyLines } from '../../cli/run-outcome';
import { runText } from '../../cli/view/run-text';
import type { Run } from '../../cli/http/types';
import { startInProcess, type InProcess } from '../support/in-process';
import { startApiOf, type TestApi } from './api-fixture';

/** What a partial run says of itself: in its message, its steps, its events, on the command line and in its reports. */
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
  return { run, text: [...whyLines(run), runLines(run), ...runText(run)].join('\n') };
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
