import { hostPorts, httpProxy } from './parsers';
import { optional, required } from './variable';

/** Settings of the targets and ways of egress. */
export const EGRESS_VARIABLES = {
  egressAllow: required(
    'AF_EGRESS_ALLOW',
    {
      default: '',
      expected: 'host:port, comma-separated',
      description: 'Private addresses that connectors may reach in spite of the egress guard.',
    },
    hostPorts,
  ),
  egressDeny: required(
    'AF_EGRESS_DENY',
    {
      default: '',
      expected: 'host:port, comma-separated',
      description:
        'Further servers of the platform itself that connectors never reach, whatever AF_EGRESS_ALLOW says. The database, Temporal and the API belong to them by their own settings.',
    },
    hostPorts,
  ),
  egressProxy: optional(
    'EGRESS_PROXY',
    {
      expected: 'http://host:port, with user:password@ where the proxy asks for them',
      description:
        'Proxy that everything leaves through, by CONNECT to the checked address. The usual proxy variables count for nothing.',
    },
    httpProxy,
  ),
} as const;
