import { req } from './define';
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
