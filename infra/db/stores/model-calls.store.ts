import { randomUUID } from 'node:crypto';
import { fields } from '../clean-params';
import { owner, type Database } from '../database';
import { openPage, sortsOf, type Page, type PageRequest } from './page';

/** A request that is about to be sent. */
export interface SentCall {
  run_id: string;
  step_path: string;
  effect_key: string;
  try_no: number;
  provider: string;
  model: string;
}
/** Outcome of a request. */
export interface ModelAnswer {
  /** Null: not known, as the provider did not say or said what is no count. */
  input_tokens: number | null;
  output_tokens: number | null;
  /** Null: no price is known. */
  cost_usd: number | null;
  outcome: string;
  latency_ms: number;
}
export interface ModelCallRow extends SentCall, Omit<ModelAnswer, 'latency_ms'> {
  id: string;
  /** 1 for the first call of a try, 2 for its repair... */
  call_no: number;
  /** Null while it is `open`, and when it is `lost`. */
  latency_ms: number | null;
  at: string;
}

const SORTS = sortsOf({ at: { column: 'at', type: 'timestamptz' } });
const COLUMNS = `id, run_id, step_path, effect_key, try_no, call_no, provider, model, input_tokens, output_tokens, cost_usd,
  outcome, latency_ms, at`;

export class ModelCallsStore {
  constructor(private readonly database: Database) {}

  /** Records a request that is about to leave, with unknown price. Returns its id; null: its run does not exist. */
  async open(ownerId: string, call: SentCall): Promise<string | null> {
    const id = randomUUID();
    const [row] = await this.database.hot<{ call_no: number | null }>('select af_open_model_call($1) as call_no', [
      fields({ ...call, id, owner: ownerId }),
    ]);
    return typeof row?.call_no === 'number' ? id : null;
  }

  /** Completes the row once and adds it to the totals of its run. False: there is no such row. */
  async settle(ownerId: string, runId: string, id: string, answer: ModelAnswer): Promise<boolean> {
    const [row] = await this.database.hot<{ settled: boolean }>('select af_settle_model_call($1) as settled', [
      fields({ ...answer, id, run_id: runId, owner: ownerId }),
    ]);
    return row?.settled === true;
  }

  async list(ownerId: string, runId: string): Promise<ModelCallRow[]> {
    return this.database.query<ModelCallRow>(
      owner(ownerId),
      `select ${COLUMNS} from model_calls where run_id = $1 and owner_id = $2 order by at, id`,
      [runId, ownerId],
    );
  }

  /** Lists calls in the order in which they were made. */
  async page(ownerId: string, runId: string, request: PageRequest): Promise<Page<ModelCallRow>> {
    const page = openPage(`model_calls of ${runId}`, request, SORTS.at);
    const rows = await this.database.query<ModelCallRow>(
      owner(ownerId),
      `select ${COLUMNS} from model_calls where run_id = $1 and owner_id = $2 and ${page.after('$3', '$4')}
        order by ${page.order} limit $5`,
      [runId, ownerId, ...page.position, page.take],
    );
    return page.of(rows);
  }
}
