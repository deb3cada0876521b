import { describe, expect, it } from '@jest/globals';
import type { FaultBench } from '../../support/fault-bench';
import { callStep, playbook } from '../../support/fault-texts';
import { historyChain } from '../../support/histories';
import { checkLedger } from '../../support/ledger';
import type { ModelServer, Reply } from '../../support/model-server';

const MB = 1024 * 1024;
const TEXT = 'Lorem ipsum '.repeat(MB / 4);
const HISTORY_BYTES = 300_000;
const LIMIT_MS = 60_000;

/** Large values from outside are kept outside the history, and the run continues. */
export function largeValues(bench: () => FaultBench, model: () => ModelServer): void {
  async function expectSmall(runId: string): Promise<void> {
    const { stack, witness } = bench();
    for (const link of await historyChain(stack, runId)) {
      expect(link.bytes).toBeLessThan(HISTORY_BYTES);
      expect(link.failedTasks).toEqual([]);
    }
    expect(await checkLedger(stack, { witness, runs: [runId], effects: new Map([[runId, 1]]) })).toEqual([]);
  }

  it('F12a: a tool answers with 3 MB', async () => {
    const { stack, witness } = bench();
    witness.respond((seen) => (seen.path.startsWith('/read') ? { body: { text: TEXT } } : undefined));
    const read = `{name: big, step_type: tool, action: call_connector, connector: w, endpoint: read, inputs: {what: big}}`;
    const slug = await stack.api.savePlaybook(playbook('big-answer', [read, callStep('then', 'keyed')]));
    const runId = await stack.api.startRun(slug);
    const run = await stack.api.done(runId, LIMIT_MS);
    witness.respond(undefined);
    expect(run).toMatchObject({ status: 'complete' });
    expect(await stack.api.tries(runId, 'big')).toMatchObject([{ status: 'ok', omitted: [expect.any(String)] }]);
    await expectSmall(runId);
  });

  it('F12b: a run is started with 5 MB', async () => {
    const { api } = bench().stack;
    const slug = await api.savePlaybook(
      playbook('big-input', [callStep('then', 'keyed')], 'inputs: [{name: text, type: string, required: true}]\n'),
    );
    const runId = await api.startRun(slug, { text: 'x'.repeat(5 * MB) });
    expect(await api.done(runId, LIMIT_MS)).toMatchObject({ status: 'complete' });
    await expectSmall(runId);
  });

  describe('F12c: a model answers with 3 MB of text', () => {
    const shapes: [string, Reply][] = [
      ['whole', { whole: true }],
      ['streamed', { piece: 20_000 }],
    ];
    it.each(shapes)('%s', async (_shape, shape) => {
      const { api } = bench().stack;
      model().reset();
      model().enqueue({ json: { text: TEXT }, ...shape });
      const think =
        '{name: think, step_type: llm_task, action: llm_analyze, inputs: {a: 1}, params: {instructions: write}, output_schema: {type: object, fields: [{name: text, type: string, required: true}]}}';
      const slug = await api.savePlaybook(playbook('big-text', [think, callStep('then', 'keyed')]));
      const runId = await api.startRun(slug);
      const run = await api.done(runId, LIMIT_MS);
      expect(run).toMatchObject({ status: 'complete' });
      expect(await api.tries(runId, 'think')).toMatchObject([{ status: 'ok', omitted: [expect.any(String)] }]);
      await expectSmall(runId);
    });
  });
}
