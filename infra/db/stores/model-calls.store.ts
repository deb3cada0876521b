import { randomUUID } from 'node:crypto';
import { fields } from '../clean-params';
import { owner, type Database } from '../database';
import { openPage, sortsOf, type Page, type PageRequest } from './page';

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

const SORTS = sortsOf({ at: { column: 'at', type: 'timestamptz' } });
const COLUMNS = `id, run_id, step_path, effect_key, try_no, call_no, provider, model, input_tokens, output_tokens, cost_usd,
  outcome, latency_ms, at`;

export class ModelCallsStore {
  constructor(private readonly database: Database) {}

  /** Records a call once and adds it to the totals of its run. False: it was recorded before. */
  async record(ownerId: string, call: ModelCall): Promise<boolean> {
    const [row] = await this.database.hot<{ recorded: boolean }>('select af_record_model_call($1) as recorded', [
      fields({ ...call, id: randomUUID(), owner: ownerId }),
    ]);
    return row?.recorded === true;
  }

  async list(ownerId: string, runId: string): Promise<ModelCallRow[]> {
    return this.database.query<ModelCallRow>(
      owner(ownerId),
      `select ${COLUMNS} from model_calls where run_id = $1 and owner_id = $2 order by at, id`,
      [runId, ownerId],
    );
  }

  /** In the order in which they were made. */
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
