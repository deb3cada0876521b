import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../core/errors/app-error';
import type { Config } from '../config/variables';
import { Database } from './database';
import { hasKnownSchema, hasOwnVersion, refuseNewerSchema } from './known-schema';
import { databaseLogin } from './login';
import { migrate } from './migrate';
import { isDatabaseOutage, retryWhileDown } from './outage';
import { provisionLogin, refuseUnsafeLogin, isLoginRefused } from './provision';

export type DatabaseSettings = Pick<Config, 'databaseUrl' | 'migrateDatabaseUrl' | 'dbPool'> &
  Partial<Pick<Config, 'ownerRunningCap' | 'dbPreparedStatements'>>;

const LOOK_MS = 500;
/**
 * Time after which the API reports a busy database: every request is answered within two seconds, also while all
 * connections are held.
 */
export const BUSY_AFTER_MS = 1_200;

/**
 * Opens the database for the process that brings the schema up to date: migrates as the owner if allowed, lets
 * `af_login` in, and returns the database as `af_login`. @throws AppError `database_url_missing`,
 * `database_login_unsafe`, `schema_outdated`, `schema_newer`; errors of the driver as they are
 */
export async function openDatabase(settings: DatabaseSettings, applicationName: string): Promise<Database> {
  const { url, ownerUrl } = databaseLogin(settings);
  if (ownerUrl !== undefined) await retryWhileDown(() => prepare(ownerUrl, url, `${applicationName}-schema`));
  const { ownerRunningCap } = settings;
  const database = await Database.connect({
    ...poolOf(settings),
    url,
    applicationName,
    busyAfterMs: BUSY_AFTER_MS,
    ...(ownerRunningCap === undefined ? {} : { ownerRunningCap }),
  });
  try {
    await refuseUnsafeLogin(database);
    if (ownerUrl === undefined && !(await isUpToDate(database))) {
      throw new AppError(
        'schema_outdated',
        'The database does not have the schema of this version, and DATABASE_URL may not change it. Set AF_MIGRATE_DATABASE_URL to its owner for one start.',
        { category: 'conflict' },
      );
    }
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Prepares schema and login; it can be repeated, as applied changes stay. */
async function prepare(ownerUrl: string, loginUrl: string, applicationName: string): Promise<void> {
  const schema = await Database.connect({ url: ownerUrl, poolSize: 2, applicationName });
  try {
    await migrate(schema);
  } finally {
    await schema.close();
  }
  await provisionLogin(ownerUrl, loginUrl);
}

/**
 * Waits for another process to migrate: neither `af_login` nor the schema need exist yet. `waitMs`: for the login.
 * @throws AppError as `openDatabase`, but for `schema_outdated`
 */
export async function awaitDatabase(
  settings: DatabaseSettings,
  applicationName: string,
  waitMs: number,
): Promise<Database> {
  const { url } = databaseLogin(settings);
  const deadline = Date.now() + waitMs;
  const database = await untilLoginWorks(deadline, () =>
    Database.connect({ ...poolOf(settings), url, applicationName }, deadline - Date.now()),
  );
  try {
    await refuseUnsafeLogin(database);
    while (!(await isUpToDate(database).catch(falseInOutage))) {
      await pause();
    }
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

function poolOf({ dbPool, dbPreparedStatements }: DatabaseSettings): { poolSize: number; preparedStatements: boolean } {
  return { poolSize: dbPool, preparedStatements: dbPreparedStatements ?? true };
}

/** True if everything that this process knows has been applied. Throws `schema_newer` if more has been. */
async function isUpToDate(database: Database): Promise<boolean> {
  const [known] = await database.hot<{ there: boolean; versioned: boolean }>(
    `select to_regprocedure('public.af_migrations()') is not null as there,
      to_regprocedure('public.af_schema_version()') is not null as versioned`,
    [],
  );
  if (known?.there !== true) {
    return false;
  }
  const rows = await database.hot<{ name: string }>('select name from af_migrations() as m (name)', []);
  const applied = rows.map(({ name }) => name);
  refuseNewerSchema(applied);
  if (!known.versioned || !hasKnownSchema(applied)) return false;
  const [state] = await database.hot<{ version: number | null }>('select af_schema_version() as version', []);
  return hasOwnVersion(state?.version ?? null);
}

async function untilLoginWorks<T>(deadline: number, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isLoginRefused(error) || Date.now() > deadline) {
        throw error;
      }
      await pause();
    }
  }
}

function falseInOutage(error: unknown): false {
  if (!isDatabaseOutage(error)) throw error;
  return false;
}

function pause(): Promise<void> {
  return sleep(LOOK_MS);
}
