import { DefaultLogger } from '@temporalio/worker';
import type { Logger } from '../infra/log/logger';

/**
 * Turns reports of Temporal's SDK into warnings of ours. Its own level lies beside: a line has each field once. The task that could
 * not be begun is left out: it holds what the run gave to it.
 */
export function sdkLogger(log: Logger): DefaultLogger {
  return new DefaultLogger('WARN', ({ meta, level, message }) => {
    const { task: _task, taskEncoded: _encoded, ...sdk } = meta ?? {};
    log.warn({ sdk, sdk_level: level }, message);
  });
}
