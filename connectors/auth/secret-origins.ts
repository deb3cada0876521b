import type { ConnectorDefinition } from '../../core/connector/types';

/** Name of the secret that calls of the connector send; nothing where they send none. */
export function secretName({ connection }: ConnectorDefinition): string | undefined {
  return 'auth' in connection && 'secret' in connection.auth ? connection.auth.secret.secret : undefined;
}

/** Place of a database's secret: the address is part of the secret itself. */
export const DATABASE_PLACE = 'postgresql';

/** Every origin that a secret of the connector could go to, whether it names one now or not. */
export function secretOrigins(definition: ConnectorDefinition): string[] {
  if (definition.type === 'database') return [DATABASE_PLACE];
  const origins = addressesOf(definition).filter((address) => URL.canParse(address));
  return [...new Set(origins.map((address) => new URL(address).origin))].toSorted();
}

function addressesOf(definition: Exclude<ConnectorDefinition, { type: 'database' }>): string[] {
  switch (definition.type) {
    case 'rest_api':
    case 'web_scraper': {
      const own = Object.values(definition.endpoints).map(({ base_url }) => base_url);
      return [definition.connection.base_url, ...own.filter((url) => url !== undefined), ...tokenUrl(definition)];
    }
    case 'graphql':
      return [definition.connection.base_url, ...tokenUrl(definition)];
    case 'rss_feed':
      return [...definition.connection.feeds.map(({ url }) => url), ...tokenUrl(definition)];
    // Kinds that send no secret.
    case 'file_parser':
    case 'existing_tool':
      return [];
  }
}

function tokenUrl(
  definition: Extract<ConnectorDefinition, { type: 'rest_api' | 'web_scraper' | 'graphql' | 'rss_feed' }>,
): string[] {
  const { auth } = definition.connection;
  return auth.type === 'oauth2_client_credentials' ? [auth.token_url] : [];
}
