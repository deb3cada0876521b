import type { CallConnectorDeps } from '../../activities/actions/call-connector.actions';
import type { ConnectorVersions } from '../../activities/actions/connector-versions';
import { openTransports } from '../../connectors/call/open-transports';
import type { ConnectorRuntime } from '../../connectors/runtime/runtime';
import { servicesOf, writtenAsTheyAre, type ConnectorDeps } from '../support/connector-deps';

/**
 * Dependencies of `call_connector`, without a profile: nothing is bound (test/db/bound-connectors.test.ts has
 * bindings). Without a runtime its calls leave as `deps` says.
 */
export function stepDeps(
  deps: ConnectorDeps,
  connectors: ConnectorVersions,
  runtime?: ConnectorRuntime,
): CallConnectorDeps {
  const none = { permissions: {}, config_overrides: {}, credentials: {} };
  const services = servicesOf(deps);
  const { egress, hooks, secrets } = deps;
  return {
    services: runtime === undefined ? services : { ...services, transports: openTransports({ egress, runtime }) },
    connectors,
    bindings: {
      find: (use) => Promise.resolve({ outcome: 'ok', secret_owner: use.ownerId, ...none }),
      secret: () => Promise.resolve(null),
    },
    secrets: { ...secrets, openBound: () => ({ value: '', allowedHosts: [] }) },
    confirmations: runtime?.bindings ?? writtenAsTheyAre(connectors),
    hooks,
    recorder: runtime?.recorder ?? { add: () => undefined },
    tools: () => ({}),
  };
}
