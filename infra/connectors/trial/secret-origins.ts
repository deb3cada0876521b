import type { ConnectorDefinition } from '../../../core/connector/types';
import { AppError } from '../../../core/errors/app-error';

/** Origins that a definition would send its secret to; none when it has no secret. */
export function secretOrigins(definition: ConnectorDefinition): string[] {
  const { connection, endpoints } = definition;
  if (!('auth' in connection) || connection.auth.type === 'none' || connection.auth.type === 'connection_string') {
    return [];
  }
  const addresses = [
    ...('base_url' in connection ? [connection.base_url] : []),
    ...('feeds' in connection ? connection.feeds.map(({ url }) => url) : []),
    ...('token_url' in connection.auth ? [connection.auth.token_url] : []),
    ...Object.values<object>(endpoints).flatMap((endpoint) =>
      'base_url' in endpoint ? [String(endpoint.base_url)] : [],
    ),
  ];
  return [...new Set(addresses.filter((address) => URL.canParse(address)).map((address) => new URL(address).origin))];
}

/**
 * A text that was changed must not carry the secret of the stored connector to a place that nobody agreed to.
 * Throws `needs_confirmation` with the places of both.
 */
export function requireKnownOrigins(given: ConnectorDefinition, stored: ConnectorDefinition): void {
  const known = secretOrigins(stored);
  const fresh = secretOrigins(given).filter((origin) => !known.includes(origin));
  if (fresh.length === 0) return;
  throw new AppError(
    'needs_confirmation',
    `The text sends the secret of \`${given.id}\` to ${fresh.join(', ')}; the stored connector sends it to ${known.join(', ') || 'nobody'}. Save the text and confirm the new address first.`,
    { category: 'conflict', details: { connector: given.id, new_origins: fresh, known_origins: known } },
  );
}
