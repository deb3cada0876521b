import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import type { ApprovalPolicyRequest } from '../../core/engine/commands';
import { APPROVAL_ACTS, type ApprovalAct } from '../../infra/db/stores/approval-view.store';
import { DecisionsStore } from '../../infra/db/stores/decisions.store';
import { TransitionsStore } from '../../infra/db/stores/transitions.store';
import { waitUntil } from '../support/wait-until';
import { startApi, TWO_STEPS, type Answer, type TestApi } from './api-fixture';
import { caller, register, withKey, type Call, type Person } from './people';

/**
 * Compares what a request lists as allowed with its routes: every kind of caller in every state of a request does all
 * that is listed and all that is not.
 */
let api: TestApi;
let ann: Person;
let ben: Person;
let dan: Person;
let team: string;
let runId: string;
let decisions: DecisionsStore;
const waiting: Promise<void>[] = [];
/** Callers by name; the key that reaches certain objects is made for each request. */
const who: Record<string, (approvalId: string) => Call | Promise<Call>> = {};

const DIGEST = 'd'.repeat(64);
const EDITABLE = { type: 'object', additionalProperties: false, properties: { to: { type: 'string' } } };
const SCOPE = 'research:analyst';

beforeAll(async () => {
  api = await startApi({ env: { AF_WRITES_PER_SECOND: '10000' } });
  await api.call('POST', '/playbooks', { source: TWO_STEPS });
  decisions = new DecisionsStore(api.database);
  runId = await newRun();
  const [vera, ted, sam] = [await register(api), await register(api), await register(api)];
  [ann, ben, dan] = [await register(api), await register(api), await register(api)];
  team = randomUUID();
  await api.admin.query(`insert into teams (id, owner_id, name) values ($1, $2, 'Desk')`, [team, LOCAL_USER_ID]);
  for (const [user, role] of [
    [LOCAL_USER_ID, 'admin'],
    [vera.id, 'viewer'],
    [ted.id, 'member'],
  ]) {
    await api.admin.query('insert into team_members (team_id, user_id, role) values ($1, $2, $3)', [team, user, role]);
  }
  await api.admin.query('update users set scopes = $2 where id = $1', [sam.id, [SCOPE]]);
  const { body: account } = await ann.call('POST', '/service-accounts', { handle: 'robo' });
  const keys = `/service-accounts/${String(account['id'])}/api-keys`;
  const { body: robo } = await ann.call('POST', keys, { name: 'k', may_decide: true });
  Object.assign(who, {
    owner: () => api.call as Call,
    'owner, read-only key': await always(withKey(api, LOCAL_USER_ID, { read_only: true })),
    'owner, key that may not decide': await always(withKey(api, LOCAL_USER_ID, { may_decide: false })),
    'owner, key of this object': (id: string) => withKey(api, LOCAL_USER_ID, { objects: [id] }),
    ann: () => ann.call,
    'ann, key without scopes': await always(withKey(api, ann.id, { scopes: [] })),
    'ann, read-only key': await always(withKey(api, ann.id, { read_only: true })),
    ben: () => ben.call,
    dan: () => dan.call,
    'viewer of the team': () => vera.call,
    'member of the team': () => ted.call,
    'holder of the scope': () => sam.call,
    'holder, by a key without it': await always(withKey(api, sam.id, { scopes: [] })),
    'ann’s service account': () => caller(api, { 'x-api-key': String(robo['key']) }),
  });
}, 60_000);
afterAll(async () => {
  await Promise.all(waiting);
  await api.close();
}, 60_000);

const always = async (call: Promise<Call>): Promise<() => Call> => {
  const made = await call;
  return () => made;
};

async function newRun(): Promise<string> {
  const { body } = await api.call('POST', '/runs', { playbook: 'two-steps', inputs: { rows: [] } });
  return String(body['runId']);
}

async function gate(policy?: ApprovalPolicyRequest, more: { run?: string; edit_schema?: object | null } = {}) {
  const id = randomUUID();
  await new TransitionsStore(api.database).apply(more.run ?? runId, {
    approvals: [
      {
        id,
        step_path: `gate-${id}`,
        step_name: 'gate',
        status: 'waiting',
        prompt: 'Go on?',
        preview: [],
        preview_total: 0,
        action: { step: 'send', inputs: { to: 'a' } },
        digest: DIGEST,
        edit_schema: (more.edit_schema === undefined ? EDITABLE : more.edit_schema) as never,
        on_reject: 'stop',
        on_timeout: 'stop',
        due_at: null,
        ...(policy && { policy }),
      },
    ],
  });
  return id;
}

/** Counts a decision as a run would: no run exists here, so the row is counted while its request waits for a worker. */
async function counts(by: Call, id: string, decision: 'approve' | 'reject'): Promise<string> {
  const { body: shown } = await api.call('GET', `/approvals/${id}`);
  const decisionId = randomUUID();
  const found: { answer?: Answer; outcome?: { state: string; code: string | null } } = {};
  const request = by('POST', `/approvals/${id}/${decision}`, { decisionId, digest: shown['digest'] });
  waiting.push(
    request.then((answer) => {
      found.answer = answer;
    }),
  );
  await waitUntil('an answer, or the decision’s row', async () => {
    const outcome = found.answer === undefined ? await decisions.count(id, decisionId) : null;
    if (outcome !== null) found.outcome = outcome;
    return found.answer !== undefined || outcome !== null;
  });
  if (found.answer !== undefined && found.answer.status >= 400) return String(found.answer.body.code);
  const outcome = found.outcome ?? (await decisions.count(id, decisionId));
  return outcome?.state === 'counted' ? 'ok' : String(outcome?.code);
}
async function done(by: Call, id: string, act: 'edit' | 'delegate' | 'comment', body: object): Promise<string> {
  const answer = await by('POST', `/approvals/${id}/${act}`, body);
  return answer.status === 200 ? 'ok' : String(answer.body.code);
}
const tried: Record<ApprovalAct, (by: Call, id: string) => Promise<string>> = {
  approve: (by, id) => counts(by, id, 'approve'),
  reject: (by, id) => counts(by, id, 'reject'),
  edit: async (by, id) => {
    const { body } = await api.call('GET', `/approvals/${id}`);
    return done(by, id, 'edit', { edits: { to: 'b' }, digest: body['digest'] });
  },
  // Dan is excluded by nothing.
  delegate: (by, id) => done(by, id, 'delegate', { to: dan.handle }),
  comment: (by, id) => done(by, id, 'comment', { text: 'Seen.' }),
};

const both = (): ApprovalPolicyRequest => ({ approvers: { users: [ann.handle, ben.handle] }, quorum: 2 });
const everybody = (): ApprovalPolicyRequest => ({
  approvers: { users: [ann.handle, ben.handle, 'robo'], teams: [team], scopes: [SCOPE] },
});
async function must(outcome: Promise<string>): Promise<void> {
  expect(await outcome).toBe('ok');
}

const STATES: Record<string, () => Promise<string>> = {
  'asked of its owner': () => gate(),
  'asked of its owner, nothing to edit': () => gate(undefined, { edit_schema: null }),
  'asked of people, a team and a scope': () => gate(everybody()),
  'two of two': () => gate(both()),
  'two of two, ann has approved': async () => {
    const id = await gate(both());
    await must(tried.approve(ann.call, id));
    return id;
  },
  'two of two, ann has handed it to dan': async () => {
    const id = await gate(both());
    await must(tried.delegate(ann.call, id));
    return id;
  },
  'two of two, ann has handed it to dan, who has approved': async () => {
    const id = await gate(both());
    await must(tried.delegate(ann.call, id));
    await must(tried.approve(dan.call, id));
    return id;
  },
  'two of two, ann has approved before an edit of ben': async () => {
    const id = await gate(both());
    await must(tried.approve(ann.call, id));
    await must(tried.edit(ben.call, id));
    return id;
  },
  'handed on by its owner': async () => {
    const id = await gate();
    await must(tried.delegate(api.call as Call, id));
    return id;
  },
  'four eyes': () => gate({ ...everybody(), four_eyes: true }),
  'four eyes, edited by ann': async () => {
    const id = await gate({ ...everybody(), four_eyes: true });
    await must(tried.edit(ann.call, id));
    return id;
  },
  'for its owner and another, not escalated yet': () =>
    gate({ approvers: { users: [ann.handle] }, escalate_to: { users: [ben.handle] } }),
  'of a run that is being cancelled': async () => {
    const run = await newRun();
    const id = await gate(undefined, { run });
    await api.admin.query(`update runs set control = 'cancel' where id = $1`, [run]);
    return id;
  },
  decided: async () => {
    const id = await gate();
    await must(tried.approve(api.call as Call, id));
    return id;
  },
};

describe.each(Object.keys(STATES))('a request %s', (state) => {
  const made = STATES[state] as () => Promise<string>;

  it('lists for everybody what they can do, and nothing else', async () => {
    const seen: string[] = [];
    for (const [name, of] of Object.entries(who)) {
      let id = await made();
      let call = await of(id);
      const { status, body } = await call('GET', `/approvals/${id}`);
      // Callers who do not see the request can do nothing with it.
      if (status === 404) {
        for (const act of APPROVAL_ACTS)
          expect(await tried[act](call, id)).toMatch(/^(approval_not_found|key_read_only|not_allowed)$/);
        continue;
      }
      expect(status).toBe(200);
      const listed = body['allowed_actions'] as ApprovalAct[];
      seen.push(name);
      const found: Record<string, string> = {};
      for (const act of APPROVAL_ACTS.filter((each) => !listed.includes(each))) {
        found[act] = (await tried[act](call, id)) === 'ok' ? 'can' : 'cannot';
      }
      for (const act of listed) {
        found[act] = (await tried[act](call, id)) === 'ok' ? 'can' : 'cannot';
        id = await made();
        call = await of(id);
      }
      const expected = Object.fromEntries(APPROVAL_ACTS.map((act) => [act, listed.includes(act) ? 'can' : 'cannot']));
      expect({ name, ...found }).toEqual({ name, ...expected });
      expect({ name, decides: body['may_decide'] }).toEqual({ name, decides: listed.includes('approve') });
      const waits = body['status'] === 'waiting';
      expect({ name, says: body['may_not_because'] !== undefined }).toEqual({
        name,
        says: waits && !listed.includes('approve'),
      });
    }
    expect(seen).toContain('owner');
  }, 120_000);
});

it('somebody who has answered for another by delegation is told so', async () => {
  const id = await (STATES['two of two, ann has handed it to dan, who has approved'] as () => Promise<string>)();
  expect((await ann.call('GET', `/approvals/${id}`)).body).toMatchObject({
    allowed_actions: ['comment'],
    may_not_because: 'delegated_away',
  });
  expect((await dan.call('GET', `/approvals/${id}`)).body).toMatchObject({
    allowed_actions: ['reject', 'edit', 'comment'],
    may_not_because: 'already_approved',
  });
});
