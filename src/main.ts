import 'reflect-metadata';
import { setTimeout as sleep } from 'node:timers/promises';
import { LOCAL_USER_ID } from '../core/base/run-status';
import { AppError } from '../core/errors/app-error';
import { parseConfig, type Config } from '../infra/config/config';
import { Database } from '../infra/db/database';
import { migrate } from '../infra/db/migrate';
import { createLogger, type Logger } from '../infra/log/logger';
import { redactor } from '../infra/secrets/redactor';
import { Secrets } from '../infra/secrets/secrets';
import { compose } from './app/compose';
import { createApi } from './app/create-app';
import { listen } from './app/listen';
import { seedCatalog } from './app/seed-catalog';

const STANDARD_ERROR = 2;
const RELEASE_MS = 1_000;

/** Standard output carries the ready line alone; everything else is the log, on standard error. */
async function main(): Promise<void> {
  const config = parseConfig(process.env);
  const secrets = new Secrets(config.home);
  const mask = (line: string): string => redactor(secrets.all())(line);
  const log = createLogger({ name: 'api', level: config.logLevel, mask, fd: STANDARD_ERROR });
  const database = await Database.connect({
    url: databaseUrl(config),
    poolSize: config.dbPool,
    applicationName: 'agent-factory-api',
  });
  await migrate(database);
  await seedCatalog(database, LOCAL_USER_ID);
  const composition = compose(config, database, log);
  const { deps } = composition;
  const api = await createApi(deps);
  const { url, moved, port } = await listen(api.app, config.host, config.port);
  stopOnSignal(config, log, async () => {
    await api.close();
    // Every request has its answer. A call to Temporal that is still under way has a row that says what it was for, and
    // the sweeper or the deliverer of the next start sees to it: its deadline is not worth waiting for.
    await Promise.race([composition.release(), sleep(RELEASE_MS)]);
  });
  deps.loops.forEach((loop) => loop.start());
  if (moved) {
    process.stdout.write(`port ${config.port} is taken, using ${port}\n`);
  }
  process.stdout.write(`api ready ${url}\n`);
}

function databaseUrl(config: Config): string {
  if (config.databaseUrl === undefined) {
    throw new AppError(
      'database_url_missing',
      'DATABASE_URL is not set. `npm start` sets it for the embedded database.',
      {
        category: 'validation',
      },
    );
  }
  return config.databaseUrl;
}

/** The first signal drains; further ones change nothing. What is not done within the grace time is cut. */
function stopOnSignal(config: Config, log: Logger, close: () => Promise<void>): void {
  let stopping = false;
  const stop = (): void => {
    if (stopping) {
      return;
    }
    stopping = true;
    setTimeout(() => {
      log.warn('shutdown took longer than AF_SHUTDOWN_GRACE');
      process.exit(1);
    }, config.shutdownGraceSeconds * 1000).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'shutdown failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

main().catch((error: unknown) => {
  const text = error instanceof AppError ? error.message : String(error);
  process.stderr.write(`The API cannot start: ${text}\n`);
  process.exit(1);
});
