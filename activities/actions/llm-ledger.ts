import { AppError } from '../../core/errors/app-error';
import type { ModelCall } from '../../infra/db/stores/model-calls.store';
import type { PriceTable } from '../../infra/llm/prices';
import type { ModelAttempt } from '../../infra/llm/types';
import type { ActionContext } from './types';

/** Records a call and adds it to its run's totals in one statement; false when that call number is taken. */
export interface ModelCallLedger {
  record(ownerId: string, call: ModelCall): Promise<boolean>;
}

const MAX_CALLS = 1000;

/**
 * Books every request that left, failed ones too, once each, and tells the run's followers. Numbers that are
 * taken belong to an attempt that was lost after its calls were billed: they stay on the books.
 */
export function bookAttempts(
  context: ActionContext,
  ledger: ModelCallLedger,
  prices: PriceTable,
): (attempt: ModelAttempt) => Promise<void> {
  let callNo = 0;
  return async (attempt) => {
    const { provider, model, usage, outcome, latency_ms } = attempt;
    const facts = {
      provider,
      model,
      input_tokens: usage?.input_tokens ?? null,
      output_tokens: usage?.output_tokens ?? null,
      cost_usd: prices.cost(provider, model, usage),
      outcome,
      latency_ms,
    };
    const { runId, stepPath, effectKey, tryNo } = context;
    const key = { run_id: runId, step_path: stepPath, effect_key: effectKey, try_no: tryNo };
    do {
      callNo += 1;
      if (callNo > MAX_CALLS) {
        throw new AppError('model_call_not_recorded', 'A model call could not be recorded: its run is not there.', {
          category: 'internal',
        });
      }
    } while (!(await ledger.record(context.ownerId, { ...key, call_no: callNo, ...facts })));
    context.note('model.call', facts);
  };
}
