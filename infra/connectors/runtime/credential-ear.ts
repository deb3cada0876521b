import type { CredentialEar, UsedBinding } from '../hooks/hook-types';
import type { ConnectorRuntime } from './runtime';

/** For calls that are no HTTP requests: the same as after a 401. `secretOwner`: whose secret it is, where that is not who calls. */
export function credentialEar(
  { credentials, cache }: Pick<ConnectorRuntime, 'credentials' | 'cache'>,
  secretOwner?: string,
): CredentialEar {
  const owned = (use: UsedBinding): UsedBinding => ({ ...use, ownerId: secretOwner ?? use.ownerId });
  return {
    refused: async (use, answer) => {
      await Promise.allSettled([credentials.refused(owned(use), answer), cache.drop(owned(use))]);
    },
    accepted: (use) => credentials.accepted(owned(use)),
  };
}
