import { DefaultLogger } from '@temporalio/worker';
import type { Logger } from '../infra/log/logger';

/** Turns reports of Temporal's SDK into warnings of ours. Its own level lies beside: a line has each field once. */
export function sdkLogger(log: Logger): DefaultLogger {
  return new DefaultLogger('WARN', (entry) => log.warn({ sdk: entry.meta, sdk_level: entry.level }, entry.message));
}
