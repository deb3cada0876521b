import { shorten } from '../../core/base/shorten';
import { assertNever } from '../../core/base/assert-never';
import { AppError } from '../../core/errors/app-error';
import { basicValue } from './basic';
import type { Credential, CredentialUse } from './credential-types';
import { holdSecret, requireHeaderText, type HeldSecret } from './held-secret';
import { hmacSigned } from './hmac';
import { clientTokens } from './oauth2';
import { withSecretHeader, type BuiltRequest, type SignedRequest } from '../http/signed-request';

/**
 * Opens the credential of a call; undefined for a source without authentication. Throws `secret_not_found`,
 * `invalid_secret`, `not_available`.
 */
export async function openCredential(use: CredentialUse): Promise<Credential | undefined> {
  const { auth, call } = use;
  if (auth.type === 'none') {
    return undefined;
  }
  if (auth.type === 'connection') {
    throw new AppError(
      'not_available',
      `Stored connections (here \`${shorten(auth.connection, 100)}\`) cannot be used in this version. Use \`api_key\`, \`bearer_token\`, \`basic\`, \`oauth2_client_credentials\` or \`hmac\` with a secret.`,
      { category: 'bad_request' },
    );
  }
  const secret = await holdSecret(call.secrets, call.ownerId, auth.secret);
  call.mask.add(secret.value);
  const about = { name: secret.name, version: secret.version, allowedHosts: secret.allowedHosts };
  switch (auth.type) {
    case 'api_key':
      return auth.in === 'query'
        ? { ...about, queryParam: auth.key_param, sign: (request) => keyInQuery(request, auth.key_param, secret) }
        : { ...about, sign: inHeader(auth.key_param, headerText(secret)) };
    case 'bearer_token':
      return { ...about, sign: inHeader('authorization', `Bearer ${headerText(secret)}`) };
    case 'basic':
      return { ...about, sign: inHeader('authorization', basicValue(auth, secret, call.mask)) };
    case 'oauth2_client_credentials':
      return { ...about, ...clientTokens(auth, secret, use) };
    case 'hmac':
      return {
        ...about,
        sign: (request) => Promise.resolve(hmacSigned(auth, request, { secret, mask: call.mask, now: Date.now() })),
      };
    default:
      return assertNever(auth);
  }
}

function headerText(secret: HeldSecret): string {
  requireHeaderText(secret);
  return secret.value;
}

function inHeader(name: string, value: string): Credential['sign'] {
  return (request) => Promise.resolve(withSecretHeader(request, name, value));
}

function keyInQuery(request: BuiltRequest, name: string, secret: HeldSecret): Promise<SignedRequest> {
  const url = new URL(request.url);
  url.searchParams.set(name, secret.value);
  return Promise.resolve({ ...request, url: url.href, secretHeaders: [] });
}
