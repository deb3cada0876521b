import type { ConnectorDefinition } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import { ANY_HOST, isHostAllowed } from '../../infra/egress/secret-hosts';
import { addressUrl, readAddress } from '../kinds/database/address';
import type { ResolvedSecret, SecretSource } from '../../infra/secrets/secret-source';
import { DATABASE_PLACE, secretOrigins } from './secret-origins';

/**
 * Secrets for a definition that is not saved, so that nobody could confirm where it sends them: they leave the vault
 * only for hosts that they name themselves, and `*` names none. Throws `needs_confirmation`.
 */
export function secretsOfNamedHosts(secrets: SecretSource, definition: ConnectorDefinition): SecretSource {
  const wanted = secretOrigins(definition);
  return {
    resolve: async (ownerId, name) => {
      const secret = await secrets.resolve(ownerId, name);
      const allowedHosts = secret.allowedHosts.filter((host) => host !== ANY_HOST);
      const isNamed = (origin: string): boolean => isHostAllowed(allowedHosts, placeOf(origin, { name, secret }));
      const missing = wanted.filter((origin) => !isNamed(origin));
      if (missing.length > 0) throw needsConfirmation(definition.id, { name, missing });
      return { ...secret, allowedHosts };
    },
  };
}

/** The address of a database is a part of its secret. */
function placeOf(origin: string, { name, secret }: { name: string; secret: ResolvedSecret }): URL {
  return origin === DATABASE_PLACE ? addressUrl(readAddress(secret.value, name)) : new URL(origin);
}

function needsConfirmation(id: string, { name, missing }: { name: string; missing: string[] }): AppError {
  return new AppError(
    'needs_confirmation',
    `The connector \`${id}\` is not saved and would send the secret \`${name}\` to ${missing.join(', ')}. Nothing was sent. Save the connector first and test that, or name the host in the \`allowed_hosts\` of the secret (\`*\` does not count here).`,
    { category: 'conflict', details: { connector: id, new_origins: missing, known_origins: [] } },
  );
}
