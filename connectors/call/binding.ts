import { isJsonObject, ownField, type Json, type JsonObject } from '../../core/base/json';
import { addressFault } from '../../core/connector/http-names';
import type { ConnectorDefinition, RateLimit } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import type { SecretSource } from '../../infra/secrets/secret-source';

/** Use of a connector by a profile: the documents of its binding. */
export interface Binding {
  permissions: JsonObject;
  config_overrides: JsonObject;
  credentials: JsonObject;
}

/** Names under which a binding may give the one secret of a connection, by its kind of auth. */
const AUTH_FIELDS: Record<string, readonly string[]> = {
  api_key: ['api_key', 'key'],
  bearer_token: ['bearer_token', 'token'],
  basic: ['basic', 'password'],
  oauth2_client_credentials: ['oauth2_client_credentials', 'client_secret'],
  hmac: ['hmac', 'key'],
  connection_string: ['connection_string'],
};

/** Throws `endpoint_not_allowed`. */
export function requireAllowed(
  { permissions }: Pick<Binding, 'permissions'>,
  connector: string,
  endpoint: string,
): void {
  const allowed = ownField(permissions, 'allowed_endpoints');
  if (!Array.isArray(allowed) || allowed.includes(endpoint)) return;
  throw new AppError(
    'endpoint_not_allowed',
    `The profile may not call \`${connector}.${endpoint}\`. Its owner can add it to \`permissions.allowed_endpoints\` of the binding.`,
    { category: 'forbidden' },
  );
}

/** The definition as the binding changes it: other addresses, lower limits. Throws `invalid_binding`. */
export function boundDefinition(definition: ConnectorDefinition, binding: Binding): ConnectorDefinition {
  const overrides = binding.config_overrides;
  const faults = overrideFaults(overrides);
  if (faults.length > 0) {
    throw new AppError('invalid_binding', `The binding of \`${definition.id}\` cannot be used: ${faults.join('; ')}.`, {
      category: 'bad_request',
    });
  }
  const connection = { ...definition.connection, ...connectionOverrides(definition.connection, overrides) };
  const limit = lowerLimit(rateLimitOf(connection), ownField(binding.permissions, 'rate_limit_override'));
  return {
    ...definition,
    connection: limit === undefined ? connection : { ...connection, rate_limit: limit },
    endpoints: withAddresses(definition.endpoints, ownField(overrides, 'endpoint_base_urls')),
  } as ConnectorDefinition;
}

/** Faults of the overrides that the runtime knows; it ignores others. */
export function overrideFaults(overrides: JsonObject): string[] {
  const urls: [string, Json | undefined][] = ['base_url', 'token_url'].map((name) => [name, ownField(overrides, name)]);
  const perEndpoint = ownField(overrides, 'endpoint_base_urls');
  if (isJsonObject(perEndpoint)) {
    urls.push(...Object.entries(perEndpoint).map(([name, url]): [string, Json] => [`endpoint_base_urls.${name}`, url]));
  }
  const faults = urls.flatMap(([name, url]) => {
    if (url === undefined) return [];
    const fault = typeof url === 'string' ? addressFault(url) : 'must be a text';
    return fault === undefined ? [] : [`\`${name}\` ${fault}`];
  });
  const seconds = ownField(overrides, 'timeout_seconds');
  if (seconds !== undefined && !(typeof seconds === 'number' && seconds >= 1 && seconds <= 600)) {
    faults.push('`timeout_seconds` must be a number from 1 to 600');
  }
  return faults;
}

/**
 * The owner's secret that stands for the one that the definition names. `credentials` gives it under the definition's own
 * name, under `secret`, or by auth field. Throws `invalid_binding`.
 */
export function boundSecretName(definition: ConnectorDefinition, named: string, credentials: JsonObject): string {
  if (Object.keys(credentials).length === 0) return named;
  const { connection } = definition;
  const kind = 'auth' in connection ? connection.auth.type : '';
  const fields = [named, 'secret', ...(AUTH_FIELDS[kind] ?? [])];
  for (const field of fields) {
    const handle = ownField(credentials, field);
    if (isJsonObject(handle) && typeof handle['secret'] === 'string') return handle['secret'];
  }
  throw new AppError(
    'invalid_binding',
    `The binding of \`${definition.id}\` gives it no secret that it knows: \`credentials\` needs one of ${fields.slice(1).join(', ')}.`,
    { category: 'bad_request' },
  );
}

/** Secrets of the caller, under the names that the binding gives them. Throws `invalid_binding`. */
export function boundSecrets(
  secrets: SecretSource,
  definition: ConnectorDefinition,
  { credentials }: Pick<Binding, 'credentials'>,
): SecretSource {
  return {
    resolve: async (ownerId, named) => secrets.resolve(ownerId, boundSecretName(definition, named, credentials)),
  };
}

function connectionOverrides(connection: ConnectorDefinition['connection'], overrides: JsonObject): JsonObject {
  const base = ownField(overrides, 'base_url');
  const seconds = ownField(overrides, 'timeout_seconds');
  const token = ownField(overrides, 'token_url');
  return {
    ...('base_url' in connection && typeof base === 'string' ? { base_url: base.replace(/\/+$/, '') } : {}),
    ...('timeout_seconds' in connection && typeof seconds === 'number' ? { timeout_seconds: seconds } : {}),
    ...('auth' in connection && 'token_url' in connection.auth && typeof token === 'string'
      ? { auth: { ...connection.auth, token_url: token } as unknown as JsonObject }
      : {}),
  };
}

/** Endpoints with an address of their own get another only by their name. */
function withAddresses(
  endpoints: ConnectorDefinition['endpoints'],
  addresses: Json | undefined,
): ConnectorDefinition['endpoints'] {
  if (!isJsonObject(addresses)) return endpoints;
  const changed = Object.entries(endpoints).map(([name, endpoint]) => {
    const url = ownField(addresses, name);
    return [name, typeof url === 'string' ? { ...endpoint, base_url: url.replace(/\/+$/, '') } : endpoint] as const;
  });
  return Object.fromEntries<ConnectorDefinition['endpoints'][string]>(changed) as ConnectorDefinition['endpoints'];
}

function rateLimitOf(connection: object): RateLimit | undefined {
  return (connection as { rate_limit?: RateLimit }).rate_limit;
}

/** A binding narrows: the smaller of both counts. */
function lowerLimit(limit: RateLimit | undefined, override: Json | undefined): RateLimit | undefined {
  if (typeof override !== 'number') return undefined;
  return { ...limit, requests_per_second: Math.min(limit?.requests_per_second ?? override, override) };
}
