import type { PriceTable } from '../../infra/llm/prices';
import type { ModelAttempt } from '../../infra/llm/types';
import type { ActionContext } from './types';

/** One request to a provider as it is stored; nulls = not known. */
export interface ModelCallEntry {
  runId: string;
  ownerId: string;
  stepPath: string;
  effectKey: string;
  tryNo: number;
  provider: string;
  model: string;
  inputTokens: number | null;
  outputTokens: number | null;
  costUsd: number | null;
  outcome: string;
  latencyMs: number;
}

/** Appends a call and adds its tokens and cost to the run's totals, in one statement. */
export interface ModelCallLedger {
  record(call: ModelCallEntry): Promise<void>;
}

/** Books every attempt, failed ones too, and tells the run's followers. Called once for each request that left. */
export function bookAttempts(
  context: ActionContext,
  ledger: ModelCallLedger,
  prices: PriceTable,
): (attempt: ModelAttempt) => Promise<void> {
  return async (attempt) => {
    const { provider, model, usage, outcome, latency_ms } = attempt;
    const costUsd = prices.cost(provider, model, usage);
    await ledger.record({
      runId: context.runId,
      ownerId: context.ownerId,
      stepPath: context.stepPath,
      effectKey: context.effectKey,
      tryNo: context.tryNo,
      provider,
      model,
      inputTokens: usage?.input_tokens ?? null,
      outputTokens: usage?.output_tokens ?? null,
      costUsd,
      outcome,
      latencyMs: latency_ms,
    });
    context.note('model.call', {
      provider,
      model,
      input_tokens: usage?.input_tokens ?? null,
      output_tokens: usage?.output_tokens ?? null,
      cost_usd: costUsd,
      outcome,
      latency_ms,
    });
  };
}
