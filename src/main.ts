import '../infra/log/source-maps';
import 'reflect-metadata';
import { setTimeout as sleep } from 'node:timers/promises';
import { LOCAL_USER_ID } from '../core/base/run-status';
import { AppError } from '../core/errors/app-error';
import { parseConfig, type Config } from '../infra/config/config';
import { openDatabase } from '../infra/db/open-database';
import { createLogger, type Logger } from '../infra/log/logger';
import { logProcess, logExit, STANDARD_ERROR } from '../infra/log/process-log';
import { openKeys, prepareSecrets } from '../infra/secrets/open-vault';
import { compose } from './app/compose';
import { createApi } from './app/create-app';
import { firstAdministratorLink, prepareLocalKey } from './identity/first-administrator';
import { listen } from './app/listen';
import { publicAddress } from './http/host-rules';
import { seedCatalog } from './app/seed-catalog';

const RELEASE_MS = 1_000;

/** Standard output carries the ready line, and the first administrator's link; everything else is the log, on standard error. */
async function main(): Promise<void> {
  const config = parseConfig(process.env);
  const keys = openKeys(config);
  const log = createLogger({ name: 'api', level: config.logLevel, mask: keys.mask.text, fd: STANDARD_ERROR });
  logProcess(log);
  const database = await openDatabase(config, 'agent-factory-api');
  await prepareSecrets(config, database, keys, log);
  await prepareLocalKey(config, database, keys.mask);
  const composition = compose(config, database, log, keys);
  const { deps } = composition;
  await seedCatalog(deps.stores, LOCAL_USER_ID);
  const api = await createApi(deps);
  const { url, moved, port } = await listen(api.app, config.host, config.port);
  stopOnSignal(config, log, async () => {
    await api.close();
    // Every request has its answer. A call to Temporal that is still under way has a row with its purpose, and
    // the sweeper or the deliverer of the next start repeats it: its deadline is not worth waiting for.
    await Promise.race([composition.release(), sleep(RELEASE_MS)]);
  });
  deps.loops.forEach((loop) => loop.start());
  if (moved) {
    process.stdout.write(`port ${config.port} is taken, using ${port}\n`);
  }
  const link = await firstAdministratorLink(config, deps.stores, publicAddress(url, config.allowedHosts));
  if (link !== undefined) {
    process.stdout.write(`first administrator, within a day: ${link}\n`);
  }
  process.stdout.write(`api ready ${url}\n`);
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
  const [text, code] = error instanceof AppError ? [error.message, error.code] : [String(error)];
  logExit('api', `The API cannot start: ${text}`, code);
  process.exit(1);
});
