import { opt, req } from './define';
import type { ActionContract } from './types';

export const CONNECTOR_ACTIONS: ActionContract[] = [
  {
    name: 'call_connector',
    group: 'connector',
    description:
      'Calls one endpoint of a connector. Inputs are the parameters of the endpoint, outputs its output schema.',
    step_type: 'tool',
    inputs: [],
    params: [
      req('connector', 'string', 'Id of the connector.', { literal: true }),
      req('endpoint', 'string', 'Name of the endpoint in the connector.', { literal: true }),
      opt(
        'max_wait_seconds',
        'integer',
        'How long the step may wait for its source in all (rate limits, quotas, `Retry-After`); then a kept answer or `rate_limited`. Waits are no part of `timeout_seconds`.',
        { default: 3600 },
      ),
      opt('record_bodies', 'boolean', 'Keep the answers, masked, with the records of the calls.', { default: false }),
    ],
    outputs: [],
    dynamic: 'connector_endpoint',
    short: false,
    pure: false,
    // The endpoint declares its own effect; this is the value for an endpoint that only reads.
    effect: 'none',
    available: true,
  },
];
