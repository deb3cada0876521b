import { createHash } from 'node:crypto';
import { ownField } from '../../core/base/json';
import type { OAuth2ClientCredentials } from '../../core/connector/auth-types';
import { AppError } from '../../core/errors/app-error';
import type { EgressResponse } from '../../infra/egress/types';
import type { Mask } from '../../infra/secrets/mask';
import { excerptOf, requireSuccess } from '../http/answer-status';
import { reportRefusal } from '../http/exchange';
import type { FetchedToken, IssuedToken } from './access-tokens';
import type { Credential, CredentialUse } from './credential-types';
import { pairOf, type HeldSecret } from './held-secret';
import { withSecretHeader, type BuiltRequest } from '../http/signed-request';
import { objectOf } from '../http/bodies/answer-object';

/** A token without `expires_in` is fetched again after this time. */
const UNKNOWN_LIFE_S = 300;
const LONGEST_LIFE_S = 30 * 86_400;
/** A token is not used in its last seconds: it would expire on its way. */
const MARGIN_S = 30;
const MARGIN_SHARE = 0.1;
/** Errors with which a token service refuses the client itself, with status 400 (RFC 6749 section 5.2). */
const REFUSED = new Set(['invalid_client', 'unauthorized_client', 'invalid_scope', 'invalid_grant', 'access_denied']);

/** Access tokens of a client (RFC 6749 section 4.4), fetched when they are needed and shared by all workers. */
export function clientTokens(
  auth: OAuth2ClientCredentials,
  secret: HeldSecret,
  { call, fetchToken }: Pick<CredentialUse, 'call' | 'fetchToken'>,
): Required<Pick<Credential, 'sign' | 'renew'>> {
  const [client, password] =
    auth.client_id === undefined ? pairOf(secret, 'client_id:client_secret') : [auth.client_id, secret.value];
  const { mask, signal } = call;
  const { tokens } = call.services;
  mask.add(password);
  // A token is as powerful as its secret, so it is stored under the secret's owner.
  const slot = { ownerId: secret.ownerId ?? call.ownerId, key: keyOf(auth, client, secret) };
  let current: IssuedToken | undefined;
  const fetched = async (): Promise<FetchedToken> => {
    const exchanged = await fetchToken(tokenRequest(auth, client, password), secret);
    return reportRefusal(exchanged, () => tokenOf(exchanged.response, mask));
  };
  return {
    sign: async (request) => {
      current = await tokens.get(slot, fetched, signal);
      mask.add(current.value);
      return withSecretHeader(request, 'authorization', `Bearer ${current.value}`);
    },
    renew: async () => {
      if (current !== undefined) await tokens.drop(slot, current.id);
    },
  };
}

/** A digest of everything that makes one token another. */
function keyOf(auth: OAuth2ClientCredentials, client: string, { name, version }: HeldSecret): string {
  const parts = [auth.token_url, auth.scope ?? '', auth.in, client, name, version];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function tokenRequest(auth: OAuth2ClientCredentials, client: string, password: string): BuiltRequest {
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (auth.scope !== undefined) {
    form.set('scope', auth.scope);
  }
  if (auth.in === 'body') {
    form.set('client_id', client);
    form.set('client_secret', password);
  }
  const request = {
    method: 'POST',
    url: auth.token_url,
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  };
  if (auth.in === 'body') {
    return request;
  }
  // Form-encodes both parts before they are joined (RFC 6749 section 2.3.1).
  const pair = `${encodeURIComponent(client)}:${encodeURIComponent(password)}`;
  return withSecretHeader(request, 'authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
}

function tokenOf(response: EgressResponse, mask: Mask): FetchedToken {
  requireAccepted(response, mask);
  requireSuccess(response, mask);
  const answer = objectOf(response) ?? {};
  const token = ownField(answer, 'access_token');
  const type = ownField(answer, 'token_type') ?? 'bearer';
  if (typeof token !== 'string' || !/^[\x21-\x7e]{1,8000}$/.test(token)) {
    throw unusable(response, mask, 'it holds no `access_token`');
  }
  mask.add(token);
  if (typeof type !== 'string' || type.toLowerCase() !== 'bearer') {
    throw unusable(response, mask, 'its `token_type` is not `Bearer`');
  }
  return { value: token, seconds: usableSeconds(Number(ownField(answer, 'expires_in'))) };
}

function usableSeconds(life: number): number {
  const seconds = Number.isFinite(life) && life > 0 ? Math.min(life, LONGEST_LIFE_S) : UNKNOWN_LIFE_S;
  return seconds - Math.min(MARGIN_S, seconds * MARGIN_SHARE);
}

/** Throws `auth_failed` for a 400 that says so; the other statuses mean here what they mean everywhere. */
function requireAccepted(response: EgressResponse, mask: Mask): void {
  const answer = response.status === 400 ? objectOf(response) : undefined;
  const error = answer === undefined ? undefined : ownField(answer, 'error');
  if (typeof error === 'string' && REFUSED.has(error)) {
    throw new AppError(
      'auth_failed',
      `The token service ${new URL(response.url).host} refuses the client (${error}). Check the secret, the client and the scope.`,
      { category: 'upstream', details: { status: response.status, excerpt: excerptOf(response, mask) } },
    );
  }
}

function unusable(response: EgressResponse, mask: Mask, why: string): AppError {
  return new AppError(
    'bad_response',
    `The answer of the token service ${new URL(response.url).host} cannot be used: ${why}.`,
    { category: 'upstream', details: { status: response.status, excerpt: excerptOf(response, mask) } },
  );
}
