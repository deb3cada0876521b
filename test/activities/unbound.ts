import type { CallConnectorDeps } from '../../activities/actions/call-connector.actions';
import type { ConnectorDeps } from '../../connectors/call/types';

/** No profile: nothing is bound (test/db/bound-connectors.test.ts has those that are). */
export function unbound({ secrets }: ConnectorDeps): Pick<CallConnectorDeps, 'secrets' | 'bindings' | 'runtime'> {
  const none = { permissions: {}, config_overrides: {}, credentials: {} };
  return {
    runtime: undefined,
    secrets: { ...secrets, openBound: () => ({ value: '', allowedHosts: [] }) },
    bindings: {
      find: (use) => Promise.resolve({ outcome: 'ok', secret_owner: use.ownerId, ...none }),
      secret: () => Promise.resolve(null),
    },
  };
}
