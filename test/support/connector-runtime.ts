import { createConnectorRuntime, type ConnectorRuntime } from '../../connectors/runtime/runtime';
import type { ShippedLimits } from '../../connectors/runtime/limits/limiter';
import type { Database } from '../../infra/db/database';

/** A catalogue without rules for any origin. */
export const nothingShipped: ShippedLimits = () => Promise.resolve(undefined);

/** Shared state of the calls of one process, over the test's database. */
export function testRuntime(database: Database, worker: string, shipped = nothingShipped): ConnectorRuntime {
  return createConnectorRuntime({ database, worker, shipped, warn: () => undefined });
}
