import { randomUUID } from 'node:crypto';
import { callApi, keyOf, PREFIX, type Answer, type TestApi } from './api-fixture';

export const PASSWORD = 'correct horse battery';

/** An account that somebody made over HTTP, signed in by an access token. */
export interface Person {
  id: string;
  handle: string;
  tokens: { access_token: string; refresh_token: string };
  headers: Record<string, string>;
  call: Call;
}

export interface Call {
  (method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Headers of every call. */
  headers: Record<string, string>;
}

export async function register(api: TestApi, handle = `p-${randomUUID().slice(0, 8)}`): Promise<Person> {
  const { status, body } = await anonymous(api)('POST', '/auth/register', { handle, password: PASSWORD });
  if (status !== 201) throw new Error(`${handle} could not register: ${JSON.stringify(body)}`);
  return personOf(api, body as unknown as SignedIn);
}

/** A session of its own. */
export async function signIn(api: TestApi, { handle }: Pick<Person, 'handle'>, password = PASSWORD): Promise<Person> {
  const { status, body } = await anonymous(api)('POST', '/auth/login', { handle, password });
  if (status !== 200) throw new Error(`${handle} could not sign in: ${JSON.stringify(body)}`);
  return personOf(api, body as unknown as SignedIn);
}

interface SignedIn {
  user_id: string;
  handle: string;
  access_token: string;
  refresh_token: string;
}

export function personOf(api: TestApi, { user_id, handle, access_token, refresh_token }: SignedIn): Person {
  const headers = { authorization: `Bearer ${access_token}` };
  return {
    id: user_id,
    handle,
    tokens: { access_token, refresh_token },
    headers,
    call: caller(api, headers),
  };
}

export function caller(api: TestApi, own: Record<string, string>): Call {
  const call = (...[method, path, body, headers]: Parameters<Call>): Promise<Answer> =>
    callApi(api.url, { method, path: PREFIX + path, body, headers: { ...own, ...headers } });
  return Object.assign(call, { headers: own });
}

/** Shows nothing. */
export function anonymous(api: TestApi): Call {
  return caller(api, {});
}

/** A key of the person's, with limits. */
export async function withKey(api: TestApi, ownerId: string, limits: Parameters<typeof keyOf>[2] = {}): Promise<Call> {
  return caller(api, { 'x-api-key': await keyOf(api.database, ownerId, limits) });
}
