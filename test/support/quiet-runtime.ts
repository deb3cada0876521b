import { Runtime } from '@temporalio/worker';

const nothing = (): void => undefined;
export const QUIET = { log: nothing, trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

let installed = false;

/**
 * Hides the log of faults that tests cause on purpose. Call it before the first worker, server or client of the SDK in
 * this process.
 */
export function quietRuntime(): void {
  if (installed) return;
  installed = true;
  Runtime.install({ logger: QUIET, shutdownSignals: [], telemetryOptions: { logging: { filter: 'OFF' } } });
}
