import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { startApi, type TestApi } from './api-fixture';
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

const EXAMPLES = ROUTES.flatMap((route) => {
  const media = route.operation.requestBody?.content['application/json'];
  return media === undefined ? [] : [{ route, name: route.name, media }];
});
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

describe('the example of every JSON body', () => {
  it('is there', () => {
    expect(EXAMPLES.length).toBeGreaterThan(60);
    expect(EXAMPLES.filter(({ media }) => bodyOf(media) === undefined).map(({ name }) => name)).toEqual([]);
  });

  it.each(EXAMPLES)('$name fits its own schema', ({ media }) => {
    expect(mismatch(media.schema.$ref ?? '', bodyOf(media))).toBe('');
  });

  it('is taken, or refused for what is not there', async () => {
    // What examples name: the playbook that runs are started of.
    const saved = EXAMPLES.find(({ name }) => name === 'POST /playbooks');
    if (saved !== undefined) await made(maker.call, '/playbooks', bodyOf(saved.media));
    const wrong: unknown[] = [];
    for (const { route, media, name } of EXAMPLES) {
      const call = await callerOf(route);
      const by = route.access.startsWith('needs ') ? { ...maker, ownerId: LOCAL_USER_ID, call } : maker;
      const path = route.access === 'public' ? route.path.replace('{token}', 'none') : (await placeFor(route, by)).path;
      const { status, body } = await call(route.method, path, bodyOf(media), { 'if-match': '*' });
      const outcome = status < 300 ? 'taken' : String(body.code);
      if (outcome !== (REFUSED[name] ?? 'taken'))
        wrong.push({ name, outcome, status, said: body.problems ?? body.detail });
    }
    expect(wrong).toEqual([]);
  });
});
