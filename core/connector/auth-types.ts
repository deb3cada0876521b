/**
 * Authentication of a connection. Every secret is a handle: its value is read where the call is sent and is never
 * part of a definition.
 */
export interface SecretHandle {
  secret: string;
}

export type HttpAuth =
  | { type: 'none' }
  | { type: 'api_key'; in: 'header' | 'query'; key_param: string; secret: SecretHandle }
  | { type: 'bearer_token'; secret: SecretHandle }
  | BasicAuth
  | OAuth2ClientCredentials
  | HmacAuth
  | { type: 'connection'; connection: string };

/** RFC 7617. Without `username` the secret is `user:password`. */
export interface BasicAuth {
  type: 'basic';
  username?: string;
  secret: SecretHandle;
}

/** RFC 6749 section 4.4. Without `client_id` the secret is `client_id:client_secret`. */
export interface OAuth2ClientCredentials {
  type: 'oauth2_client_credentials';
  token_url: string;
  scope?: string;
  client_id?: string;
  /** Place of the client's credentials: Authorization (basic) or the form. */
  in: 'header' | 'body';
  secret: SecretHandle;
}

/** A keyed digest (RFC 2104) over `template`, sent in a header. */
export interface HmacAuth {
  type: 'hmac';
  algorithm: 'sha256' | 'sha512';
  /** Header that carries the digest. */
  key_param: string;
  /** Text before the digest, such as `sha256=`. */
  prefix: string;
  encoding: 'hex' | 'base64';
  /** Header that carries the time (Unix seconds) when the template uses it. */
  timestamp_header?: string;
  /** `{method} {path} {query} {timestamp} {body} {body_sha256}`; line breaks as written. */
  template: string;
  secret: SecretHandle;
}
