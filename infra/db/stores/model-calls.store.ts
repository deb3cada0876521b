import { randomUUID } from 'node:crypto';
import { owner, type Database } from '../database';

export interface ModelCall {
  run_id: string;
  step_path: string;
  effect_key: string;
  try_no: number;
  /** 1 for the first call of a try, 2 for its repair... */
  call_no: number;
  provider: string;
  model: string;
  /** Null: the provider did not say. */
  input_tokens: number | null;
  output_tokens: number | null;
  /** Null: no price is known. */
  cost_usd: number | null;
  outcome: string;
  latency_ms: number;
}
export interface ModelCallRow extends ModelCall {
  id: string;
  at: string;
}

const COLUMNS = `id, run_id, step_path, effect_key, try_no, call_no, provider, model, input_tokens, output_tokens, cost_usd,
  outcome, latency_ms, at`;

export class ModelCallsStore {
  constructor(private readonly database: Database) {}

  /** Records a call once and adds it to the totals of its run. False: it was recorded before. */
  async record(ownerId: string, call: ModelCall): Promise<boolean> {
    const rows = await this.database.hot(
      `with call as (
         insert into model_calls (id, run_id, owner_id, step_path, effect_key, try_no, call_no, provider, model, input_tokens,
           output_tokens, cost_usd, outcome, latency_ms)
         select $1, r.id, r.owner_id, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14 from runs r
           where r.id = $2 and r.owner_id = $3
         on conflict (run_id, effect_key, try_no, call_no) do nothing
         returning run_id, input_tokens, output_tokens, cost_usd
       )
       update runs r set input_tokens = r.input_tokens + coalesce(c.input_tokens, 0),
         output_tokens = r.output_tokens + coalesce(c.output_tokens, 0),
         cost_usd = case when c.cost_usd is null then r.cost_usd else coalesce(r.cost_usd, 0) + c.cost_usd end
       from call c where r.id = c.run_id returning r.id`,
      [
        randomUUID(),
        call.run_id,
        ownerId,
        call.step_path,
        call.effect_key,
        call.try_no,
        call.call_no,
        call.provider,
        call.model,
        call.input_tokens,
        call.output_tokens,
        call.cost_usd,
        call.outcome,
        call.latency_ms,
      ],
    );
    return rows.length > 0;
  }

  async list(ownerId: string, runId: string): Promise<ModelCallRow[]> {
    return this.database.query<ModelCallRow>(
      owner(ownerId),
      `select ${COLUMNS} from model_calls where run_id = $1 and owner_id = $2 order by at, id`,
      [runId, ownerId],
    );
  }
}
