import { SECRET_NAME } from '../patterns';
import { choice, constant, object, ref, type Schema, text } from './parts';

const SECRET = {
  secret: ref('secret'),
  env_var: text('Older spelling of `secret: {secret: NAME}`; the environment is never read', SECRET_NAME),
};

interface Kind {
  type: string;
  description: string;
  properties?: Record<string, Schema>;
  required?: string[];
  /** Default: true. */
  secret?: boolean;
}

function kind({ type, description, properties = {}, required = [], secret = true }: Kind): Schema {
  const schema = object({
    description,
    properties: { type: constant(type), ...properties, ...(secret ? SECRET : {}) },
    required: ['type', ...required],
  });
  return secret ? { ...schema, anyOf: [{ required: ['secret'] }, { required: ['env_var'] }] } : schema;
}

/** One shape for each way to log in. */
export const AUTH: Schema = {
  description: 'How the connection logs in. Secrets are named, never written',
  oneOf: [
    kind({ type: 'none', description: 'No login', secret: false }),
    kind({
      type: 'api_key',
      description: 'A key in a header or in the query',
      properties: {
        in: choice('Where the key goes', ['header', 'query'], 'header'),
        key_param: text('Name of the header (`X-API-Key`) or of the query parameter (`api_key`)', { max: 100 }),
      },
    }),
    kind({ type: 'bearer_token', description: '`Authorization: Bearer`' }),
    kind({
      type: 'basic',
      description: 'User name and password (RFC 7617)',
      properties: { username: text('Absent: the secret is `user:password`', { max: 200, pattern: /^[^:]*$/ }) },
    }),
    kind({
      type: 'oauth2_client_credentials',
      description: 'A token of an authorization server (RFC 6749, section 4.4)',
      properties: {
        token_url: text('Address that gives tokens'),
        scope: text('Scopes, separated by blanks'),
        client_id: text('Absent: the secret is `client_id:client_secret`', { max: 500 }),
        in: choice('Where the client logs in: Authorization header or form', ['header', 'body'], 'header'),
      },
      required: ['token_url'],
    }),
    kind({
      type: 'hmac',
      description: 'A keyed digest of the request in a header (RFC 2104)',
      properties: {
        algorithm: choice('Hash', ['sha256', 'sha512'], 'sha256'),
        key_param: text('Header that carries the digest', { max: 100, default: 'X-Signature' }),
        prefix: { type: 'string', description: 'Before the digest, such as `sha256=`', maxLength: 50, default: '' },
        encoding: choice('How the digest is written', ['hex', 'base64'], 'hex'),
        timestamp_header: text('Header that carries the time in Unix seconds', { max: 100 }),
        template: text(
          'What is signed: `{method}`, `{path}`, `{query}`, `{timestamp}`, `{body}`, `{body_sha256}`. Absent: method, path, query, time where there is a header for it, and digest of the body, one a line',
        ),
      },
    }),
    kind({
      type: 'connection',
      description: "One of the owner's stored connections",
      properties: { connection: text('Its name', { max: 200 }) },
      required: ['connection'],
      secret: false,
    }),
  ],
};

export const CONNECTION_STRING: Schema = kind({
  type: 'connection_string',
  description: 'The value of the secret is a `postgresql://` address',
});

export const SECRET_HANDLE: Schema = object({
  description: 'A stored secret',
  properties: { secret: text('Its name', SECRET_NAME) },
  required: ['secret'],
});
