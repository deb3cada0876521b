import { assertNever } from '../base/assert-never';
import type { DatabaseConnection, ConnectorDefinition, HttpAuth } from './types';

/** A secret that has to be stored before the connector can be used. */
export interface AuthField {
  name: 'api_key' | 'token' | 'password' | 'client_secret' | 'signing_key' | 'connection_string' | 'connection';
  /** Name for people. */
  label: string;
  type: 'password' | 'connection';
  /** Name that the secret is stored under. */
  secret?: string;
  /** Name of a stored connection. */
  connection?: string;
}

/** Lists the secrets of a connector; empty for a source without authentication. */
export function authFields({ connection }: ConnectorDefinition): AuthField[] {
  return 'auth' in connection ? fieldsOf(connection.auth) : [];
}

function fieldsOf(auth: HttpAuth | DatabaseConnection['auth']): AuthField[] {
  switch (auth.type) {
    case 'none':
      return [];
    case 'connection':
      return [{ name: 'connection', label: 'Stored connection', type: 'connection', connection: auth.connection }];
    case 'api_key':
      return [secretField('api_key', 'API key', auth.secret)];
    case 'bearer_token':
      return [secretField('token', 'Token', auth.secret)];
    case 'basic':
      return [secretField('password', auth.username === undefined ? 'user:password' : 'Password', auth.secret)];
    case 'oauth2_client_credentials': {
      const label = auth.client_id === undefined ? 'client_id:client_secret' : 'Client secret';
      return [secretField('client_secret', label, auth.secret)];
    }
    case 'hmac':
      return [secretField('signing_key', 'Signing key', auth.secret)];
    case 'connection_string':
      return [secretField('connection_string', 'postgresql:// address', auth.secret)];
    default:
      return assertNever(auth);
  }
}

function secretField(name: AuthField['name'], label: string, { secret }: { secret: string }): AuthField {
  return { name, label, type: 'password', secret };
}
