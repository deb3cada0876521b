import { inlineHost } from '../../connectors/formats/host/inline-host';
import type { CallContext, ConnectorDeps } from '../../connectors/call/types';
import { createEgress } from '../../infra/egress/egress';
import type { AllowList } from '../../infra/egress/address-policy';

export interface TestDeps extends Partial<ConnectorDeps> {
  allow?: AllowList;
  secretValues?: Record<string, string>;
  secretHosts?: readonly string[];
}

/** Everything real; secrets and documents come from memory. */
export function connectorDeps(given: TestDeps = {}): ConnectorDeps {
  return {
    egress: createEgress({ allow: given.allow ?? [] }),
    secrets: {
      resolve: (_owner, name) =>
        Promise.resolve({ value: given.secretValues?.[name] ?? '', allowedHosts: given.secretHosts ?? ['*'] }),
    },
    documents: { find: () => Promise.resolve(undefined) },
    importRoots: [],
    files: inlineHost,
    ...given,
  };
}

export function testContext(given: Partial<CallContext> = {}): CallContext {
  return {
    ownerId: '00000000-0000-4000-8000-000000000001',
    effectKey: 'run/step',
    timeoutMs: 10_000,
    signal: new AbortController().signal,
    beforeEffect: () => Promise.resolve(),
    ...given,
  };
}
