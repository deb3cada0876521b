import type { Fields } from '../fields';
import { headerFault } from '../http-names';
import type { HttpAuth, SecretHandle } from '../types';

const KINDS = ['none', 'api_key', 'bearer_token', 'basic', 'oauth2_client_credentials', 'hmac', 'connection'] as const;
const SECRET_NAME = { pattern: /^[A-Za-z_][A-Za-z0-9_.-]{0,99}$/, hint: 'the name of a stored secret' };

/** `auth` of a connection. A secret is named, never written: `{secret: name}`, or its older spelling `env_var: NAME`. */
export function readAuth(auth: Fields | undefined): HttpAuth {
  if (auth === undefined) {
    return { type: 'none' };
  }
  const type = auth.choice('type', KINDS, { required: true });
  const result = authOf(auth, type);
  if (result.type !== 'api_key') {
    auth.ignore('in', 'key_param');
  }
  auth.ignore('secret', 'env_var');
  auth.done();
  return result;
}

function authOf(auth: Fields, type: (typeof KINDS)[number] | undefined): HttpAuth {
  if (type === undefined || type === 'none') {
    return { type: 'none' };
  }
  if (type === 'api_key') {
    const place = auth.choice('in', ['header', 'query'] as const) ?? 'header';
    const keyParam = auth.text('key_param', { max: 100 }) ?? (place === 'header' ? 'X-API-Key' : 'api_key');
    const fault = place === 'header' ? headerFault(keyParam) : undefined;
    if (fault !== undefined) {
      auth.report.add(auth.at('key_param'), 'invalid_header', fault);
    }
    return { type, in: place, key_param: keyParam, secret: readSecret(auth) };
  }
  if (type === 'bearer_token') {
    return { type, secret: readSecret(auth) };
  }
  auth.ignore('token_url', 'scope');
  auth.report.add(auth.at('type'), 'not_available', `Authentication \`${type}\` cannot be used in this version.`, {
    suggestion: 'Use `api_key` or `bearer_token`.',
  });
  return { type: 'none' };
}

function readSecret(auth: Fields): SecretHandle {
  const alias = auth.text('env_var', SECRET_NAME);
  const raw = auth.raw('secret');
  if (typeof raw === 'string') {
    auth.report.add(auth.at('secret'), 'secret_not_allowed', 'A secret is named, never written into a definition.', {
      suggestion: 'Write `secret: {secret: NAME}` and store the value under that name.',
    });
    return { secret: '' };
  }
  const handle = auth.child('secret');
  const name = handle?.text('secret', { required: true, ...SECRET_NAME });
  handle?.done();
  if (handle === undefined && alias === undefined) {
    auth.report.add(auth.path, 'missing_field', 'The name of the secret is missing.', {
      suggestion: 'Add `secret: {secret: NAME}`.',
    });
  }
  return { secret: name ?? alias ?? '' };
}
