import { createConnectorRuntime, type ConnectorRuntime } from '../../connectors/runtime/runtime';
import type { ShippedLimits } from '../../connectors/runtime/limits/limiter';
import type { Database } from '../../infra/db/database';

/** The catalogue says nothing of any origin. */
export const nothingShipped: ShippedLimits = () => Promise.resolve(undefined);

/** What calls of one process share, over the test's database. */
export function testRuntime(database: Database, worker: string, shipped = nothingShipped): ConnectorRuntime {
  return createConnectorRuntime({ database, worker, shipped, warn: () => undefined });
}
