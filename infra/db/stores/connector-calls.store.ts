import { fields } from '../clean-params';
import { owner, type Database } from '../database';
import { openPage, sortsOf, type Page, type PageRequest } from './page';

/** One request of a call, or one answer out of the cache. */
export interface CallRecord {
  id: string;
  owner_id: string;
  /** Id (slug) of the connector, as playbooks name it. */
  connector: string;
  version_id: string | null;
  endpoint: string;
  run_id: string | null;
  step_path: string | null;
  /** Origin only: path and query may hold secrets. */
  origin: string;
  method: string;
  /** Null: no answer came. */
  status: number | null;
  /** `ok`, or the code of what went wrong. */
  outcome: string;
  latency_ms: number;
  bytes: number | null;
  items: number | null;
  cache: 'none' | 'miss' | 'hit' | 'revalidated' | 'stale';
  attempt: number;
  page: number | null;
  /** Body, masked; null unless it was asked for. */
  body: string | null;
  /** RFC 3339. */
  at: string;
}

/** Numbers of the last day; null if there was nothing to count. */
export interface ConnectorHealth {
  calls: number;
  requests: number;
  failed: number;
  error_rate: number | null;
  cache_hits: number;
  stale_answers: number;
  latency_p50_ms: number | null;
  latency_p95_ms: number | null;
  last_call_at: string | null;
  last_error: { code: string; endpoint: string; at: string } | null;
  breakers: { origin: string; state: 'closed' | 'open' | 'half_open'; failures: number; open_until: string | null }[];
  /** `shared`: without a credential everybody's calls of this origin count together. `used`: period → requests. */
  limits: { origin: string; shared: boolean; blocked_until: string | null; used: Record<string, number> }[];
  credentials: CredentialState[];
}
export interface CredentialState {
  /** Name of the secret; null without one. */
  credential: string | null;
  state: 'ok' | 'auth_failed';
  status: number | null;
  endpoint: string | null;
  since: string;
}

const SORTS = sortsOf({ at: { column: 'at', type: 'timestamptz' } });
const COLUMNS = `id, owner_id, connector, version_id, endpoint, run_id, step_path, origin, method, status, outcome, latency_ms,
  bytes, items, cache, attempt, page, body, at`;

/** Records of calls, kept for `CALL_DAYS`. */
export class ConnectorCallsStore {
  constructor(private readonly database: Database) {}

  /** Writes a batch of records of any owners. */
  async record(calls: readonly CallRecord[]): Promise<void> {
    await this.database.hot('select af_record_connector_calls($1)', [fields(calls)]);
  }

  /** Newest first. `connectorId`: the slug that playbooks use. */
  async calls(ownerId: string, connectorId: string, request: PageRequest = {}): Promise<Page<CallRecord>> {
    const page = openPage(`connector_calls of ${connectorId}`, request, SORTS['-at']);
    const rows = await this.database.query<CallRecord>(
      owner(ownerId),
      `select ${COLUMNS} from connector_calls where owner_id = $1 and connector = $2 and ${page.after('$3', '$4')}
        order by ${page.order} limit $5`,
      [ownerId, connectorId, ...page.position, page.take],
    );
    return page.of(rows);
  }

  async health(ownerId: string, connectorId: string): Promise<ConnectorHealth> {
    const [row] = await this.database.query<{ health: ConnectorHealth }>(
      owner(ownerId),
      'select app_connector_health($1) as health',
      [connectorId],
    );
    return row?.health as ConnectorHealth;
  }

  /** Takes what has served its time away, `limit` rows of each kind; true: there is more. */
  async sweep(days: number, limit: number): Promise<boolean> {
    const [row] = await this.database.hot<{ more: boolean }>('select af_sweep_connectors($1, $2) as more', [
      days,
      limit,
    ]);
    return row?.more === true;
  }
}
