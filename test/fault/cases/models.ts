import { describe, expect, it } from '@jest/globals';
import { waitUntil } from '../../../infra/embedded/process';
import type { FaultBench } from '../../support/fault-bench';
import { playbook } from '../../support/fault-texts';
import { checkLedger } from '../../support/ledger';
import type { ModelServer, Reply } from '../../support/model-server';

const SCHEMA =
  '{type: object, fields: [{name: verdict, type: string, required: true}, {name: score, type: number, required: true}]}';
const PROVIDERS = ['openai/gpt-6-sol', 'anthropic/claude-sonnet-5-5'];
const GOOD: Reply = { json: { verdict: 'fine', score: 1 } };

interface Row {
  id: string;
  replies: Reply[];
  status: 'complete' | 'partial';
  code?: string;
  /** Model calls that are booked. */
  calls: number;
  more?: string;
}

const ROWS: Row[] = [
  {
    id: 'F19a: a field is missing, then right',
    replies: [{ json: { verdict: 'x' } }, GOOD],
    status: 'complete',
    calls: 2,
  },
  {
    id: 'F19a: the schema is broken twice',
    replies: [{ json: { verdict: 'x' } }, { json: { verdict: 'x', score: 'high' } }],
    status: 'partial',
    code: 'llm_invalid_output',
    calls: 2,
  },
  {
    id: 'F19b: a refusal is not repeated as it is',
    replies: [{ refusal: 'No.' }],
    status: 'partial',
    code: 'llm_refused',
    calls: 1,
    more: ', retry_count: 2',
  },
  {
    id: 'F19d: silence ends at the deadline',
    replies: [{ silent: true }],
    status: 'partial',
    code: 'llm_timeout',
    calls: 1,
    more: ', timeout_seconds: 4',
  },
  {
    id: 'F19h: an empty answer twice',
    replies: [{ text: '' }, { text: '' }],
    status: 'partial',
    code: 'llm_empty',
    calls: 2,
  },
];

interface Books {
  items: { outcome: string; call_no: number; latency_ms?: number }[];
}

/** Faults of models. Every call that was sent is recorded once. */
export function modelFaults(bench: () => FaultBench, model: () => ModelServer): void {
  async function runStep(step: string, replies: Reply[]) {
    const { api } = bench().stack;
    model().reset();
    model().enqueue(...replies);
    const runId = await api.startRun(await api.savePlaybook(playbook('ask', [step])));
    const run = await api.done(runId);
    return { run, runId, step: run.steps.find((each) => each.step === 'ask') };
  }

  /** A call that took too long may be booked a moment after its step has ended. */
  async function booked(runId: string, calls: number): Promise<void> {
    const count = () => bench().stack.admin.query('select 1 from model_calls where run_id = $1', [runId]);
    await waitUntil(async () => (await count()).length >= calls, { what: `${calls} booked calls`, timeoutMs: 60_000 });
    expect(await count()).toHaveLength(calls);
  }

  describe.each(PROVIDERS)('%s', (name) => {
    const ask = (more = '') =>
      `{name: ask, step_type: llm_task, action: llm_analyze, inputs: {a: 1}, params: {instructions: judge, model: ${name}}, output_schema: ${SCHEMA}${more}}`;

    it.each(ROWS)('$id', async ({ replies, status, code, calls, more }) => {
      const { run, runId, step } = await runStep(ask(more), replies);
      expect(run).toMatchObject({ status });
      expect((step?.['error'] as { code?: string } | undefined)?.code).toBe(code);
      expect(model().requests).toHaveLength(calls);
      await booked(runId, calls);
      expect(await checkLedger(bench().stack, { runs: [runId] })).toEqual([]);
    });

    it('F19f: too many requests: the time that was named is waited for', async () => {
      const busy: Reply = {
        status: 429,
        error: { type: 'rate_limit_error', message: 'slow down' },
        headers: { 'retry-after': '2' },
      };
      const { run, runId } = await runStep(ask(', retry_count: 2'), [busy, busy, GOOD]);
      expect(run).toMatchObject({ status: 'complete' });
      // Busy models: both of the list fail, then the first is asked again.
      const [first, second, third] = model().requests;
      expect(second?.protocol).not.toBe(first?.protocol);
      expect((third?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(2_000);
      await booked(runId, 3);
    });

    it('F19g: calls of unknown tools and wrong arguments are never executed', async () => {
      const { witness } = bench();
      const research = `{name: ask, step_type: llm_task, action: research_with_tools, inputs: {a: 1}, params: {instructions: look, tools: [w.read], model: ${name}}, output_schema: ${SCHEMA}}`;
      const before = witness.seen.length;
      const unknown: Reply = { tool_calls: [{ name: 'rm_rf', arguments: { what: 'x' } }] };
      const wrong: Reply = { tool_calls: [{ name: 'w__read', arguments: { what: { deep: 1 }, other: 2 } }] };
      const { run, step } = await runStep(research, [unknown, wrong, unknown]);
      expect(run).toMatchObject({ status: 'partial' });
      expect((step?.['error'] as { code?: string } | undefined)?.code).toBe('llm_invalid_tool_call');
      expect(witness.seen.length).toBe(before);
    });
  });
  it('a call whose worker is killed before the answer stays on the books, without a price', async () => {
    const { stack, calm } = bench();
    model().reset();
    model().enqueue({ silent: true }, GOOD);
    const step = `{name: ask, step_type: llm_task, action: llm_analyze, inputs: {a: 1}, params: {instructions: judge}, output_schema: ${SCHEMA}}`;
    const runId = await stack.api.startRun(await stack.api.savePlaybook(playbook('ask', [step])));
    const books = async () => (await stack.api.must<Books>('GET', `/runs/${runId}/model-calls`)).items;
    await waitUntil(() => model().requests.length > 0, { what: 'the request', timeoutMs: 60_000 });
    expect(await books()).toEqual([expect.objectContaining({ outcome: 'open', call_no: 1 })]);
    await stack.killWorkers();
    await calm();
    const ended = await stack.api.done(runId);
    const usage = { cost_usd: expect.any(Number), unpriced_calls: 1, input_tokens: 100 };
    expect(ended).toMatchObject({ status: 'complete', usage });
    expect(model().requests).toHaveLength(2);
    const calls = await books();
    expect(calls.map(({ outcome }) => outcome)).toEqual(['lost', 'ok']);
    expect(calls[0]).not.toHaveProperty('latency_ms');
    expect(await checkLedger(stack, { runs: [runId] })).toEqual([]);
  });
}
