import { shorten } from '../../base/shorten';
import type { BasicAuth, HmacAuth, HttpAuth, OAuth2ClientCredentials, SecretHandle } from '../auth-types';
import { type Fields, nearestName } from '../fields';
import { addressFault, headerFault } from '../http-names';
import { PARAMETER_NAME, SECRET_NAME } from '../patterns';

const AUTH_KINDS = [
  'none',
  'api_key',
  'bearer_token',
  'basic',
  'oauth2_client_credentials',
  'hmac',
  'connection',
] as const;
type AuthKind = (typeof AUTH_KINDS)[number];

const READERS: Record<AuthKind, (auth: Fields) => HttpAuth> = {
  none: () => ({ type: 'none' }),
  api_key: readApiKey,
  bearer_token: (auth) => ({ type: 'bearer_token', secret: readSecret(auth) }),
  basic: readBasic,
  oauth2_client_credentials: readClientCredentials,
  hmac: readHmac,
  connection: (auth) => ({
    type: 'connection',
    connection: auth.text('connection', { required: true, max: 200 }) ?? '',
  }),
};

/** `auth` of a connection. A secret is named, never written: `{secret: name}`, or its older spelling `env_var: NAME`. */
export function readAuth(auth: Fields | undefined): HttpAuth {
  if (auth === undefined) {
    return { type: 'none' };
  }
  const type = auth.choice('type', AUTH_KINDS, { required: true });
  if (type === undefined) {
    // Stops here: without its kind the other keys cannot be checked.
    return { type: 'none' };
  }
  const result = READERS[type](auth);
  auth.done();
  return result;
}

function readApiKey(auth: Fields): HttpAuth {
  const place = auth.choice('in', ['header', 'query'] as const) ?? 'header';
  const fallback = place === 'header' ? 'X-API-Key' : 'api_key';
  return { type: 'api_key', in: place, key_param: readKeyParam(auth, place) ?? fallback, secret: readSecret(auth) };
}

function readKeyParam(auth: Fields, place: 'header' | 'query'): string | undefined {
  const name = auth.text('key_param', place === 'header' ? { max: 100 } : PARAMETER_NAME);
  checkHeaderName(auth, 'key_param', place === 'header' ? name : undefined);
  return name;
}

function readBasic(auth: Fields): BasicAuth {
  const username = auth.text('username', { max: 200 });
  if (username?.includes(':') === true) {
    auth.report.add(auth.at('username'), 'invalid_value', 'A user name of basic authentication cannot contain `:`.');
  }
  return { type: 'basic', ...(username === undefined ? {} : { username }), secret: readSecret(auth) };
}

function readClientCredentials(auth: Fields): OAuth2ClientCredentials {
  const tokenUrl = auth.text('token_url', { required: true });
  const fault = tokenUrl === undefined ? undefined : addressFault(tokenUrl);
  if (fault !== undefined) {
    auth.report.add(auth.at('token_url'), 'invalid_address', `\`token_url\` ${fault}.`);
  }
  const scope = auth.text('scope');
  const clientId = auth.text('client_id', { max: 500 });
  return {
    type: 'oauth2_client_credentials',
    token_url: tokenUrl ?? '',
    ...(scope === undefined ? {} : { scope }),
    ...(clientId === undefined ? {} : { client_id: clientId }),
    in: auth.choice('in', ['header', 'body'] as const) ?? 'header',
    secret: readSecret(auth),
  };
}

const TEMPLATE_PARTS = ['method', 'path', 'query', 'timestamp', 'body', 'body_sha256'];

function readHmac(auth: Fields): HmacAuth {
  const keyParam = auth.text('key_param', { max: 100 });
  checkHeaderName(auth, 'key_param', keyParam);
  const timestamp = auth.text('timestamp_header', { max: 100 });
  checkHeaderName(auth, 'timestamp_header', timestamp);
  const template = auth.text('template');
  checkTemplate(auth, template, timestamp);
  const time = timestamp === undefined ? '' : '{timestamp}\n';
  return {
    type: 'hmac',
    algorithm: auth.choice('algorithm', ['sha256', 'sha512'] as const) ?? 'sha256',
    key_param: keyParam ?? 'X-Signature',
    prefix: readPrefix(auth),
    encoding: auth.choice('encoding', ['hex', 'base64'] as const) ?? 'hex',
    ...(timestamp === undefined ? {} : { timestamp_header: timestamp }),
    template: template ?? `{method}\n{path}\n{query}\n${time}{body_sha256}`,
    secret: readSecret(auth),
  };
}

/** An empty prefix is a prefix. */
function readPrefix(auth: Fields): string {
  return auth.raw('prefix') === '' ? '' : (auth.text('prefix', { max: 50, pattern: /^[\x20-\x7e]*$/ }) ?? '');
}

function checkTemplate(auth: Fields, template: string | undefined, timestamp: string | undefined): void {
  if (template === undefined) {
    return;
  }
  for (const match of template.matchAll(/\{([^{}]*)\}/g)) {
    const name = match[1] ?? '';
    if (!TEMPLATE_PARTS.includes(name)) {
      const message = `\`{${shorten(name, 40)}}\` is no part of a request. Known: ${TEMPLATE_PARTS.join(', ')}.`;
      auth.report.add(auth.at('template'), 'unknown_reference', message, nearestName(name, TEMPLATE_PARTS));
    }
    if (name === 'timestamp' && timestamp === undefined) {
      const message = 'The template uses `{timestamp}`, but no header carries the time to the source.';
      auth.report.add(auth.at('template'), 'missing_field', message, { suggestion: 'Add `timestamp_header:`.' });
    }
  }
}

function checkHeaderName(auth: Fields, key: string, name: string | undefined): void {
  const fault = name === undefined ? undefined : headerFault(name);
  if (fault !== undefined) {
    auth.report.add(auth.at(key), 'invalid_header', fault);
  }
}

export function readSecret(auth: Fields): SecretHandle {
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
  if (handle === undefined && alias === undefined && !auth.has('secret') && !auth.has('env_var')) {
    auth.report.add(auth.path, 'missing_field', 'The name of the secret is missing.', {
      suggestion: 'Add `secret: {secret: NAME}`.',
    });
  }
  return { secret: name ?? alias ?? '' };
}
