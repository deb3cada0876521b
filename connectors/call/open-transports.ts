import type { Egress } from '../../infra/egress/egress';
import { createHttpTransport } from '../http/create-transport';
import { createSourceClient } from '../runtime/create-source-client';
import type { ConnectorRuntime } from '../runtime/runtime';
import type { ConnectorServices } from './connector-call';

/** Requests and questions of each call pass the limits, breakers, cache and records that the process has. */
export function openTransports(process: {
  egress: Egress;
  runtime: ConnectorRuntime;
}): ConnectorServices['transports'] {
  const { runtime } = process;
  return (ledger) => ({
    http: createHttpTransport({ ...process, ...ledger }),
    source: createSourceClient({ runtime, ...ledger }),
  });
}
