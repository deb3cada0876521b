import { assertNever } from '../../core/base/assert-never';
import { findEndpoint } from '../../core/connector/outputs';
import type { ConnectorDefinition, HttpAuth } from '../../core/connector/types';

export interface UsedCredential {
  secret: string;
  /** Hosts that receive its value; empty where the value itself names them. */
  hosts: URL[];
}

/** The secrets that a call of the endpoint sends, and where to. */
export function credentialsOf(definition: ConnectorDefinition, endpoint: string): UsedCredential[] {
  switch (definition.type) {
    case 'rest_api':
    case 'graphql':
    case 'web_scraper':
      return fromAuth(definition.connection.auth, [ownAddress(definition, endpoint) ?? definition.connection.base_url]);
    case 'rss_feed':
      return fromAuth(
        definition.connection.auth,
        definition.connection.feeds.map((feed) => feed.url),
      );
    case 'database':
      return [{ secret: definition.connection.auth.secret.secret, hosts: [] }];
    case 'file_parser':
    case 'existing_tool':
      return [];
    default:
      return assertNever(definition);
  }
}

function ownAddress(definition: ConnectorDefinition, name: string): string | undefined {
  const endpoint = findEndpoint(definition, name);
  return endpoint !== undefined && 'base_url' in endpoint ? endpoint.base_url : undefined;
}

function fromAuth(auth: HttpAuth, addresses: string[]): UsedCredential[] {
  if (auth.type === 'none' || auth.type === 'connection') return [];
  // A client's credentials are sent to the token's address alone.
  const places = auth.type === 'oauth2_client_credentials' ? [auth.token_url] : addresses;
  return [
    { secret: auth.secret.secret, hosts: places.filter((place) => URL.canParse(place)).map((place) => new URL(place)) },
  ];
}
