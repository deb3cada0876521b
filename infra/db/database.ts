import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import { MIGRATIONS } from '../../migrations/all';
import { cleanParams } from './clean-params';
import { FreeConnections } from './free-connection';
import { ListenHub } from './listen-hub';
import { insideTransaction, refuseInTransaction, type AfterTransaction } from './open-transaction';
import { isDatabaseOutage, isRetryable, retryWhileDown, tagDatabaseErrors } from './outage';
import { pipelined, type Statement } from './pipeline';
import { DRIVER, poolOptions, type DatabaseConfig } from './pool';
import { beginStatement, type Principal, type ReadMode } from './principal';
import { isOutdatedPlan, StatementNames } from './statement-names';

export type { Statement } from './pipeline';
export { owner, SYSTEM, type Principal, type ReadMode } from './principal';

/** Minimal SQL surface that stores use: one connection or one transaction. */
export interface Sql {
  query<Row = Record<string, unknown>>(text: string, params?: unknown[]): Promise<Row[]>;
}

const YIELD_MS = 50;

/**
 * The only access to PostgreSQL. Timestamps come back as RFC 3339 text with microseconds, bigint and numeric as numbers.
 * Errors of the driver pass through as they are: `isDatabaseOutage` and `toDatabaseError` (outage.ts) judge them.
 */
export class Database {
  private readonly names: StatementNames;
  private readonly hub: ListenHub;
  private readonly connections: FreeConnections;

  private constructor(
    /** Source for migrations only. */
    readonly source: DataSource,
    private readonly pool: Pool,
    readonly config: DatabaseConfig,
  ) {
    this.hub = new ListenHub(config.url);
    this.connections = new FreeConnections(pool, config.busyAfterMs);
    this.names = config.preparedStatements === false ? new StatementNames(0) : new StatementNames();
  }

  /** Connects; while the server is down it keeps trying for `waitMs`, then throws the driver's error. */
  static async connect(config: DatabaseConfig, waitMs?: number): Promise<Database> {
    return retryWhileDown(async () => {
      const source = new DataSource({
        type: 'postgres',
        driver: DRIVER,
        url: config.url,
        extra: poolOptions(config),
        poolErrorHandler: () => undefined,
        migrations: MIGRATIONS,
        migrationsTableName: 'migrations',
        logging: false,
      });
      await tagDatabaseErrors(source.initialize());
      const pool = (source.driver as unknown as { master: Pool }).master;
      return new Database(source, pool, config);
    }, waitMs);
  }

  /** Statements under the rights of one principal: every statement is its own transaction. */
  as(who: Principal): Sql {
    return { query: (text, params) => this.query(who, text, params) };
  }

  /** One statement in its own transaction, under the rights of `who`; one round trip. */
  async query<Row = Record<string, unknown>>(who: Principal, text: string, params: unknown[] = []): Promise<Row[]> {
    const [rows] = await this.batch(beginStatement(who), [{ text, values: cleanParams(params) }]);
    return rows as Row[];
  }

  /**
   * Reads a list or a view in one transaction and one round trip: the rows of each statement, in their order. Texts are
   * constants. Connections keep them planned: policies cost more to plan than a page costs to read.
   */
  async read<Rows extends unknown[] = Record<string, unknown>[]>(
    who: Principal,
    statements: { readonly [No in keyof Rows]: Statement },
    reading: ReadMode = 'view',
  ): Promise<{ [No in keyof Rows]: Rows[No][] }> {
    const role = who.kind;
    const sent = (): Promise<unknown[][]> =>
      this.batch(
        beginStatement(who, reading),
        (statements as readonly Statement[]).map(({ text, params = [] }) => ({
          text,
          values: cleanParams(params),
          name: reading === 'fresh_list' ? undefined : this.names.of(role, text),
        })),
      );
    return (await this.planned(sent)) as { [No in keyof Rows]: Rows[No][] };
  }

  /** Repeats a statement when the schema has changed under its kept plan: no part of it was carried out. */
  private async planned<T>(work: () => Promise<T>): Promise<T> {
    const { round } = this.names;
    try {
      return await work();
    } catch (error) {
      if (!isOutdatedPlan(error)) throw error;
      this.names.renew(round);
      return work();
    }
  }

  private async batch(begin: string, statements: Parameters<typeof pipelined>[2]): Promise<unknown[][]> {
    refuseInTransaction('A statement of its own');
    return this.onOne((client) => tagDatabaseErrors(pipelined(client, begin, statements)));
  }

  private async onOne<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.connection();
    let broken: Error | undefined;
    try {
      return await work(client);
    } catch (error) {
      broken = isDatabaseOutage(error) ? asError(error) : undefined;
      throw error;
    } finally {
      client.release(broken);
    }
  }

  private connection(): Promise<PoolClient> {
    return tagDatabaseErrors(this.connections.take());
  }

  /**
   * `fn` in one transaction under the rights of `who`; its error rolls back. A deadlock or serialisation failure runs
   * `fn` once more, so it must not do anything but SQL: no request, no file, no long computation. Other work that depends
   * on it waits for the end (`afterTransaction`).
   */
  async tx<T>(who: Principal, fn: (sql: Sql) => Promise<T>): Promise<T> {
    refuseInTransaction('A second transaction');
    const begin = beginStatement(who);
    try {
      return await this.attempt(begin, fn, isRetryable);
    } catch (error) {
      if (!isRetryable(error)) {
        throw error;
      }
      // Waits a moment, so that the other transaction of the conflict can finish.
      await sleep(YIELD_MS);
      return this.attempt(begin, fn, () => false);
    }
  }

  /**
   * A call of one of the functions that infra/db/schema/grants/af_login.sql lists, which is all that the login may do: one prepared
   * statement, one round trip, its own transaction. `text` must be a constant.
   */
  async hot<Row = Record<string, unknown>>(text: string, params: unknown[]): Promise<Row[]> {
    refuseInTransaction('A statement of its own');
    const values = cleanParams(params);
    const sent = async (): Promise<Row[]> =>
      this.onOne(async (client) =>
        rowsOf<Row>(await tagDatabaseErrors(client.query({ name: this.names.of('login', text), text, values }))),
      );
    try {
      return await this.planned(sent);
    } catch (error) {
      if (!isRetryable(error)) {
        throw error;
      }
      return sent();
    }
  }

  /**
   * Notifications of a channel, over one dedicated connection a process. `onReconnect` runs when notifications may have
   * been missed. Returns the function that ends it.
   */
  listen(channel: string, onNotify: (payload: string) => void, onReconnect: () => void): () => void {
    return this.hub.listen(channel, onNotify, onReconnect);
  }

  /** Resolves when the database answers; throws the driver's error when it does not. */
  async ready(): Promise<void> {
    await tagDatabaseErrors(this.pool.query('select 1'));
  }

  async close(): Promise<void> {
    await this.hub.close();
    await this.source.destroy();
  }

  private async attempt<T>(
    begin: string,
    fn: (sql: Sql) => Promise<T>,
    triedAgain: (error: unknown) => boolean,
  ): Promise<T> {
    const after: AfterTransaction[] = [];
    const client = await this.connection();
    let broken: Error | undefined;
    let result: T;
    try {
      await tagDatabaseErrors(client.query(begin));
      result = await insideTransaction(after, () => fn(sqlOf(client)));
      await tagDatabaseErrors(client.query('COMMIT'));
    } catch (error) {
      broken = await rollback(client);
      if (!triedAgain(error)) for (const work of after) work(error);
      throw error;
    } finally {
      client.release(broken);
    }
    // Runs after the commit: a failure here does not undo it.
    for (const work of after) work(undefined);
    return result;
  }
}

function sqlOf(client: PoolClient): Sql {
  return {
    query: async <Row>(text: string, params: unknown[] = []) =>
      rowsOf<Row>(await tagDatabaseErrors(client.query(text, cleanParams(params)))),
  };
}

/** A connection that cannot roll back is dead: the pool must not hand it out again. */
async function rollback(client: PoolClient): Promise<Error | undefined> {
  try {
    await client.query('ROLLBACK');
    return undefined;
  } catch (error) {
    return asError(error);
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function rowsOf<Row>(result: { rows: unknown[] }): Row[] {
  return result.rows as Row[];
}
