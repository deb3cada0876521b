import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { PREFIX, startApi, type Answer, type TestApi } from './api-fixture';
import { mismatch } from './conformance';
import { signIn, withKey, register, anonymous, type Call, type Person } from './people';
import { placeFor, ROUTES, type Route } from './routes';
import { made, type Maker } from './walk-objects';

/** Bodies that are refused for what there is, or is not, here: the code; all others are taken. */
const REFUSED: Record<string, string> = {
  'POST /approvals/{approvalId}/approve': 'approval_changed',
  'POST /approvals/{approvalId}/reject': 'approval_changed',
  'POST /approvals/{approvalId}/edit': 'invalid_edits',
  'POST /approvals/{approvalId}/delegate': 'user_not_found',
  'POST /approvals/{approvalId}/links': 'user_not_found',
  'POST /links/approvals/{token}': 'link_not_found',
  'POST /connectors/{id}/test': 'endpoint_not_found',
  'POST /connectors/{id}/confirm': 'places_changed',
  'PUT /connectors/{id}': 'slug_mismatch',
  'PATCH /folders/{folderId}': 'folder_exists',
  'PUT /playbooks/{id}': 'slug_mismatch',
  'POST /runs/{runId}/resolve': 'nothing_to_resolve',
  'POST /profiles': 'handle_taken',
  'PUT /profiles/{id}': 'handle_taken',
  'POST /profiles/{id}/share': 'team_not_found',
  'POST /teams/{teamId}/members': 'user_not_found',
  'POST /auth/refresh': 'invalid_refresh_token',
  'POST /auth/password': 'wrong_credentials',
  'POST /auth/links/{token}': 'link_invalid',
};

const JSON_BODY = 'application/json';
const FORM = 'multipart/form-data';
const EXAMPLES = ROUTES.flatMap((route) =>
  Object.entries(route.operation.requestBody?.content ?? {}).map(([type, media]) => ({
    route,
    type,
    media,
    name: type === JSON_BODY ? route.name : `${route.name} as ${type}`,
  })),
);
const bodyOf = ({ examples }: (typeof EXAMPLES)[number]['media']): unknown => examples?.['usual']?.value;

let api: TestApi;
let owner: Person;
let maker: Maker;
beforeAll(async () => {
  api = await startApi();
  owner = await register(api);
  maker = { api, ownerId: owner.id, call: await withKey(api, owner.id) };
});
afterAll(() => api.close());

async function callerOf(route: Route): Promise<Call> {
  if (route.access === 'public') return anonymous(api);
  if (route.access.startsWith('needs ')) return withKey(api, LOCAL_USER_ID);
  return route.path.startsWith('/auth/') ? (await signIn(api, owner)).call : maker.call;
}

/** Sends the example as a client of its media type: bytes as they are, the fields of a form one by one. */
async function sent(
  call: Call,
  method: string,
  path: string,
  { type, media }: (typeof EXAMPLES)[number],
): Promise<Answer> {
  const body = bodyOf(media);
  if (type === JSON_BODY) return call(method, path, body, { 'if-match': '*' });
  const query = type === FORM ? '' : '?name=example.xml';
  const response = await fetch(`${api.url}${PREFIX}${path}${query}`, {
    method,
    headers: { ...call.headers, ...(type === FORM ? {} : { 'content-type': type }) },
    body: type === FORM ? formOf(body as Record<string, string>) : String(body),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
}

function formOf({ file = '', ...fields }: Record<string, string>): FormData {
  const form = new FormData();
  form.append('file', new Blob([file]), 'example.xml');
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

describe('the example of every body', () => {
  it('is there, in every media type', () => {
    expect(new Set(EXAMPLES.map(({ type }) => type))).toEqual(new Set([JSON_BODY, FORM, 'application/octet-stream']));
    expect(EXAMPLES.length).toBeGreaterThan(60);
    expect(EXAMPLES.filter(({ media }) => bodyOf(media) === undefined).map(({ name }) => name)).toEqual([]);
  });

  it.each(EXAMPLES)('$name fits its own schema', ({ media }) => {
    const { $ref, format } = media.schema;
    if ($ref !== undefined) expect(mismatch($ref, bodyOf(media))).toBe('');
    else expect({ format, body: bodyOf(media) }).toEqual({ format: 'binary', body: expect.stringMatching(/./) });
  });

  it('is taken, or refused for what is not there', async () => {
    // Creates the playbook that the examples of runs name.
    const saved = EXAMPLES.find(({ name }) => name === 'POST /playbooks');
    if (saved !== undefined) await made(maker.call, '/playbooks', bodyOf(saved.media));
    const wrong: unknown[] = [];
    for (const example of EXAMPLES) {
      const { route, name } = example;
      const call = await callerOf(route);
      const by = route.access.startsWith('needs ') ? { ...maker, ownerId: LOCAL_USER_ID, call } : maker;
      const path = route.access === 'public' ? route.path.replace('{token}', 'none') : (await placeFor(route, by)).path;
      const { status, body } = await sent(call, route.method, path, example);
      const outcome = status < 300 ? 'taken' : String(body.code);
      if (outcome !== (REFUSED[name] ?? 'taken'))
        wrong.push({ name, outcome, status, said: body.problems ?? body.detail });
    }
    expect(wrong).toEqual([]);
  });
});
