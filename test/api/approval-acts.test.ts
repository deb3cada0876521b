import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import type { ApprovalPolicyRequest } from '../../core/engine/commands';
import { DecisionsStore } from '../../infra/db/stores/decisions.store';
import { TransitionsStore } from '../../infra/db/stores/transitions.store';
import { PREFIX, rowCounts, startApi, TWO_STEPS, type Answer, type TestApi } from './api-fixture';
import { anonymous, register, type Call } from './people';

/** Tests the HTTP side of requests for several people; their rights are tested with the database. */
let api: TestApi;
/** Shows no credential, as whoever opens a link in a browser. */
let nobody: Call;
beforeAll(async () => {
  api = await startApi();
  nobody = anonymous(api);
  await api.call('POST', '/playbooks', { source: TWO_STEPS });
  await api.admin.query(`insert into users (id, handle, display_name) values ($1, 'ann', 'Ann')`, [randomUUID()]);
});
afterAll(() => api.close());

const DIGEST = 'd'.repeat(64);
const OTHER = 'e'.repeat(64);

async function gate(policy?: ApprovalPolicyRequest): Promise<string> {
  const { body } = await api.call('POST', '/runs', { playbook: 'two-steps', inputs: { rows: [] } });
  const id = randomUUID();
  await new TransitionsStore(api.database).apply(String(body['runId']), {
    approvals: [
      {
        id,
        step_path: 'gate',
        step_name: 'gate',
        status: 'waiting',
        prompt: 'Go on?',
        preview: [],
        preview_total: 0,
        action: { step: 'send', inputs: { to: 'a', more: 1 } },
        digest: DIGEST,
        edit_schema: { type: 'object', additionalProperties: false, properties: { to: { type: 'string' } } },
        on_reject: 'stop',
        on_timeout: 'stop',
        due_at: null,
        ...(policy && { policy }),
      },
    ],
  });
  return id;
}

const post = (id: string, act: string, body: object): Promise<Answer> =>
  api.call('POST', `/approvals/${id}/${act}`, body);

describe('a decision', () => {
  it('names the digest of what was seen: without it 422, with another 409 says what it is now', async () => {
    const id = await gate();
    const before = await rowCounts(api);
    expect(await post(id, 'approve', { decisionId: randomUUID() })).toMatchObject({
      status: 422,
      body: { code: 'digest_required' },
    });
    expect(await post(id, 'approve', { decisionId: randomUUID(), digest: OTHER })).toMatchObject({
      status: 409,
      body: { code: 'approval_changed', details: { digest: DIGEST } },
    });
    expect(await rowCounts(api)).toEqual(before);
    expect((await post(id, 'approve', { decisionId: randomUUID(), digest: DIGEST })).status).toBe(202);
  });

  it('of somebody who may not is refused at once, and nothing is kept (V02)', async () => {
    const id = await gate({ approvers: { users: ['ann'] } });
    const before = await rowCounts(api);
    expect(await post(id, 'approve', { decisionId: randomUUID(), digest: DIGEST })).toMatchObject({
      status: 403,
      body: { code: 'not_allowed' },
    });
    expect(await rowCounts(api)).toEqual(before);
    const { body } = await api.call('GET', `/approvals/${id}`);
    expect(body).toMatchObject({
      may_decide: false,
      may_not_because: 'not_allowed',
      rules: { quorum: 1, approvals: 0, approvers: [{ kind: 'user', name: 'ann', source: 'named' }] },
    });
  });

  it('that came in keeps its first answer after an edit', async () => {
    const id = await gate();
    const decision = { decisionId: randomUUID(), digest: DIGEST };
    const first = await post(id, 'approve', decision);
    expect((await post(id, 'edit', { edits: { to: 'b' }, digest: DIGEST })).status).toBe(200);
    expect(await post(id, 'approve', decision)).toMatchObject({ status: first.status, body: first.body });
    const changed = await post(id, 'approve', { decisionId: randomUUID(), digest: DIGEST });
    expect(changed).toMatchObject({ status: 409, body: { code: 'approval_changed' } });
  });
});

describe('an edit', () => {
  it('is shown with its digest, fits the action, and names what was seen', async () => {
    const id = await gate();
    expect(await post(id, 'edit', { edits: { to: 1 }, digest: DIGEST })).toMatchObject({
      status: 422,
      body: { code: 'invalid_edits' },
    });
    expect(await post(id, 'edit', { edits: { to: 'b' } })).toMatchObject({
      status: 422,
      body: { code: 'digest_required' },
    });
    expect(await post(id, 'edit', { edits: { to: 'b' }, digest: OTHER })).toMatchObject({
      status: 409,
      body: { code: 'approval_changed', details: { digest: DIGEST } },
    });
    const { status, body } = await post(id, 'edit', { edits: { to: 'b' }, digest: DIGEST });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        action: { inputs: { to: 'b', more: 1 } },
        edits: { to: 'b' },
        history: [{ kind: 'edited', body: { to: 'b' } }],
      },
    });
    expect(body['digest']).toMatch(/^[0-9a-f]{64}$/);
    expect(body['digest']).not.toBe(DIGEST);
    const withEdits = { decisionId: randomUUID(), digest: body['digest'], edits: { to: 'c' } };
    expect((await post(id, 'approve', withEdits)).status).toBe(202);
  });

  it('that changes nothing leaves the digest, which others have seen, and what was said of it', async () => {
    const id = await gate();
    const none = await post(id, 'edit', { edits: {}, digest: DIGEST });
    expect({ status: none.status, digest: none.body['digest'], edits: none.body['edits'] }).toEqual({
      status: 200,
      digest: DIGEST,
      edits: undefined,
    });
    const { body: edited } = await post(id, 'edit', { edits: { to: 'b' }, digest: DIGEST });
    const { status, body: again } = await post(id, 'edit', { edits: { to: 'b' }, digest: edited['digest'] });
    expect({ status, digest: again['digest'], acts: again['history'] }).toEqual({
      status: 200,
      digest: edited['digest'],
      acts: [expect.objectContaining({ kind: 'edited', body: { to: 'b' } })],
    });
    // Taking all edits back is a change.
    const { body: back } = await post(id, 'edit', { edits: {}, digest: edited['digest'] });
    expect(back).toMatchObject({ edits: {}, action: { inputs: { to: 'a', more: 1 } } });
    expect(back['digest']).not.toBe(edited['digest']);
  });
});

describe('delegation, comments, people', () => {
  it('are kept with the request', async () => {
    const id = await gate();
    expect(await post(id, 'delegate', { to: 'nobody' })).toMatchObject({
      status: 422,
      body: { code: 'user_not_found' },
    });
    // Compared with the people of the request and one's own, not with everybody: `ann` is a stranger.
    expect((await post(id, 'delegate', { to: 'anm' })).body.detail).not.toContain('ann');
    const detail = 'There is no active user "locla". Did you mean "local"?';
    for (const [act, body] of [
      ['delegate', { to: 'locla' }],
      ['links', { user: 'locla' }],
    ] as const)
      expect(await post(id, act, body)).toMatchObject({ status: 422, body: { code: 'user_not_found', detail } });
    expect(await post(id, 'delegate', { to: 'ann' })).toMatchObject({
      status: 200,
      body: { may_decide: false, may_not_because: 'delegated_away' },
    });
    expect(await post(id, 'approve', { decisionId: randomUUID(), digest: DIGEST })).toMatchObject({ status: 403 });
    expect((await post(id, 'comment', { text: 'see row 3' })).body).toMatchObject({
      history: [{ kind: 'delegated' }, { kind: 'commented', body: { text: 'see row 3' } }],
    });
    expect((await post(randomUUID(), 'comment', { text: 'x' })).status).toBe(404);
    expect((await api.call('GET', '/people?q=ann')).body.items).toMatchObject([{ handle: 'ann', name: 'Ann' }]);
    expect((await api.call('GET', '/people?q=an')).body.items).toEqual([]);
    expect((await api.call('GET', '/people')).status).toBe(400);
  });
});

describe('what one may do with a request', () => {
  const shown = async (call: TestApi['call'], id: string): Promise<unknown> =>
    (await call('GET', `/approvals/${id}`)).body['allowed_actions'];
  const ALL = ['approve', 'reject', 'edit', 'delegate', 'comment'];

  it('says who may hand it on, and what each route then answers', async () => {
    const bob = await register(api);
    const id = await gate();
    expect(await shown(api.call, id)).toEqual(ALL);
    await post(id, 'delegate', { to: bob.handle });
    // Delegations may be taken back or handed to another; the run's owner may always change its inputs.
    expect(await shown(api.call, id)).toEqual(['edit', 'delegate', 'comment']);
    // Delegated rights cannot be delegated again.
    expect(await shown(bob.call, id)).toEqual(['approve', 'reject', 'edit', 'comment']);
    const further = await bob.call('POST', `/approvals/${id}/delegate`, { to: 'ann' });
    expect(further).toMatchObject({ status: 403, body: { code: 'delegated_to_you' } });
    expect((await bob.call('POST', `/approvals/${id}/comment`, { text: 'seen' })).status).toBe(200);
    await post(id, 'delegate', { to: LOCAL_USER_ID });
    expect(await shown(api.call, id)).toEqual(ALL);
  });

  it('leaves edits and words to whose run it is where others, or a second person, decide', async () => {
    for (const policy of [{ approvers: { users: ['ann'] } }, { four_eyes: true }]) {
      const id = await gate(policy);
      expect(await shown(api.call, id)).toEqual(['edit', 'comment']);
      expect((await post(id, 'delegate', { to: 'ann' })).status).toBe(403);
      expect((await post(id, 'comment', { text: 'please' })).status).toBe(200);
    }
  });

  it('is none of it once the request is decided', async () => {
    const id = await gate();
    await api.admin.query(`update approvals set status = 'cancelled' where id = $1`, [id]);
    expect(await shown(api.call, id)).toEqual([]);
    expect((await post(id, 'comment', { text: 'late' })).status).toBe(409);
  });

  it('is no more delegation once one has approved and others have to as well', async () => {
    const [bob, eve] = [await register(api), await register(api)];
    const id = await gate({ approvers: { users: [bob.handle, eve.handle] }, quorum: 2 });
    const decisionId = randomUUID();
    await bob.call('POST', `/approvals/${id}/approve`, { decisionId, digest: DIGEST });
    expect(await new DecisionsStore(api.database).count(id, decisionId)).toMatchObject({ state: 'counted' });
    expect(await shown(bob.call, id)).not.toContain('delegate');
    expect((await bob.call('POST', `/approvals/${id}/delegate`, { to: 'ann' })).body.code).toBe('already_approved');
    expect(await shown(eve.call, id)).toContain('delegate');
  });
});

describe('a link', () => {
  async function made(policy?: ApprovalPolicyRequest): Promise<{ id: string; path: string }> {
    const id = await gate(policy);
    const { status, body } = await post(id, 'links', { user: LOCAL_USER_ID });
    expect(status).toBe(201);
    return { id, path: String(body['url']).slice(PREFIX.length) };
  }

  it('shows as often as anybody looks, decides once, and is nowhere but in its address (V03)', async () => {
    const { id, path } = await made({ link_only: true });
    const token = path.split('/').at(-1) ?? '';
    for (let look = 0; look < 2; look += 1) {
      const shown = await nobody('GET', path);
      expect(shown).toMatchObject({ status: 200, body: { usable: true, approval: { approvalId: id, decisions: [] } } });
      expect(shown.headers.get('referrer-policy')).toBe('no-referrer');
      expect(shown.headers.get('cache-control')).toBe('no-store');
    }
    expect(await nobody('POST', path, { decision: 'approve' })).toMatchObject({
      status: 202,
      body: { state: 'received', approvalId: id },
    });
    expect(await nobody('POST', path, { decision: 'reject' })).toMatchObject({
      status: 409,
      body: { code: 'link_used' },
    });
    expect((await nobody('GET', path)).body).toMatchObject({ usable: false });
    expect((await nobody('GET', `/links/approvals/${'x'.repeat(43)}`)).body).toMatchObject({
      code: 'link_not_found',
    });
    for (const table of ['approval_links', 'approval_acts', 'run_events', 'decision_log']) {
      const rows = await api.admin.query<{ text: string }>(`select t::text as text from ${table} t`);
      expect(rows.filter((row) => row.text.includes(token))).toEqual([]);
    }
  });

  it('needs its person’s session unless the playbook says otherwise', async () => {
    const { id, path } = await made();
    const shown = await nobody('GET', path);
    expect(shown.body['decide_at']).toBe(`${PREFIX}${path}/decide`);
    expect(await nobody('POST', path, { decision: 'approve' })).toMatchObject({
      status: 401,
      body: { code: 'sign_in_first' },
    });
    expect((await nobody('POST', `${path}/decide`, { decision: 'approve' })).status).toBe(401);
    expect((await api.call('POST', `${path}/decide`, { decision: 'approve' })).status).toBe(202);
    const audit = await api.call('GET', '/audit');
    expect(audit.body.items?.[0]).toMatchObject({ action: expect.stringContaining('/decide'), object_id: id });
    expect(JSON.stringify(audit.body)).not.toContain(path.split('/').at(-1));
  });
});
