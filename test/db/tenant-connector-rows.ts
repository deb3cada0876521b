import { randomUUID } from 'node:crypto';
import type { Row } from './tenant-row';

/** Rows that calls of connectors leave. */
export function connectorMakers(owner_id: string): [string, () => Row][] {
  return [
    ['connector_calls', () => ({ id: randomUUID(), owner_id, ...call() })],
    ['connector_bindings', () => ({ owner_id, connector: 'c', state: 'ok' })],
    [
      'connector_confirmations',
      () => ({ id: randomUUID(), owner_id, connector: 'c', secret: 's', origins: ['https://example.org'] }),
    ],
  ];
}

function call(): Row {
  return {
    connector: 'c',
    endpoint: 'e',
    origin: 'https://example.org',
    method: 'GET',
    outcome: 'ok',
    latency_ms: 1,
    cache: 'none',
    attempt: 1,
  };
}
