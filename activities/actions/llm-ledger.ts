import { AppError } from '../../core/errors/app-error';
import type { ModelAnswer, SentCall } from '../../infra/db/stores/model-calls.store';
import type { PriceTable } from '../../infra/llm/prices';
import type { ModelRequest } from '../../infra/llm/types';
import type { ActionContext } from './types';

/** Store of model calls. Each method is one statement, and adds the call to its run's totals. */
export interface ModelCallLedger {
  /** Returns the id of the row; null if the run does not exist. */
  open(ownerId: string, call: SentCall): Promise<string | null>;
  /** Returns false if the row does not exist. */
  settle(ownerId: string, runId: string, id: string, answer: ModelAnswer): Promise<boolean>;
}

/**
 * Records every request when it is sent, without a price, and completes the row after the answer; then the run's followers
 * are told. A row whose worker was lost before that stays as a call of unknown cost.
 */
export function bookCalls(
  context: ActionContext,
  ledger: ModelCallLedger,
  prices: PriceTable,
): Required<ModelRequest>['onSend'] {
  const { ownerId, runId, stepPath, effectKey, tryNo } = context;
  const key = { run_id: runId, step_path: stepPath, effect_key: effectKey, try_no: tryNo };
  return async ({ provider, model }) => {
    const id = await ledger.open(ownerId, { ...key, provider, model });
    if (id === null) throw notRecorded();
    return async ({ usage, outcome, latency_ms }) => {
      const answer = {
        input_tokens: usage?.input_tokens ?? null,
        output_tokens: usage?.output_tokens ?? null,
        cost_usd: prices.cost(provider, model, usage),
        outcome,
        latency_ms,
      };
      if (!(await ledger.settle(ownerId, runId, id, answer))) throw notRecorded();
      context.note('model.call', { provider, model, ...answer });
    };
  };
}

function notRecorded(): AppError {
  return new AppError('model_call_not_recorded', 'A model call could not be recorded: its run is not there.', {
    category: 'internal',
  });
}
