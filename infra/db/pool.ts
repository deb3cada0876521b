import * as pg from 'pg';
import type { ClientConfig, PoolConfig } from 'pg';

export interface DatabaseConfig {
  url: string;
  /** Limit of connections of this process, beside the one that listens. */
  poolSize: number;
  applicationName?: string;
  /** Named statements on connections; default: true. */
  preparedStatements?: boolean;
  /** Waiting for a free connection is given up when none has become free for so long. Unset: after CONNECT_MS. */
  busyAfterMs?: number;
  /** Runs of one owner that may run at the same time: what this process starts above it is held. Unset: no cap. */
  ownerRunningCap?: number;
}

const CONNECT_MS = 5_000;
const STATEMENT_MS = 30_000;
/** A little above the server's own limit: only a cut network reaches it. */
const QUERY_MS = STATEMENT_MS + 5_000;
const IDLE_IN_TRANSACTION_MS = 5_000;
/** A new connection costs a password check and new plans: quiet minutes do not close one. */
const IDLE_MS = 300_000;

const BIGINT = 20;
const NUMERIC = 1700;
const TIMESTAMPTZ = 1184;
const DATE = 1082;

/** `2026-11-28 01:32:00.123456+00` of a UTC session → RFC 3339, microseconds kept: cursors compare it. */
function timestamp(text: string): string {
  return text.replace(' ', 'T').replace(/\+00$/, 'Z');
}

const PARSERS = new Map<number, (text: string) => unknown>([
  [BIGINT, Number],
  [NUMERIC, Number],
  [TIMESTAMPTZ, timestamp],
  [DATE, (text) => text],
]);

export function clientOptions(url: string): ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    options: `-c timezone=UTC -c statement_timeout=${STATEMENT_MS} -c idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_MS}`,
  };
}

/** pg's own look-up; its declared type names the known types alone. */
type ParserOf = (oid: number, format?: string) => (text: string) => unknown;

export function poolOptions(config: DatabaseConfig): object {
  const { options, ...client } = clientOptions(config.url);
  const cap = config.ownerRunningCap;
  return {
    ...client,
    options: cap === undefined ? options : `${options} -c af.owner_running_cap=${cap}`,
    query_timeout: QUERY_MS,
    // Statements are sent without waiting for earlier answers.
    pipeline: true,
    idleTimeoutMillis: IDLE_MS,
    max: config.poolSize,
    application_name: config.applicationName ?? 'agent-factory',
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        PARSERS.get(oid) ?? (pg.types.getTypeParser as ParserOf)(oid, format),
    },
  };
}

/** A client that is in use and has no `error` listener would end the process when the server dies. */
class WatchedPool extends pg.Pool {
  constructor(options?: PoolConfig) {
    super(options);
    this.on('connect', (client) => {
      client.on('error', () => undefined);
    });
  }
}

/** The driver as TypeORM takes it, with a pool that watches its clients from the first one on. */
export const DRIVER = { ...pg, Pool: WatchedPool };
