import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { ApprovalLinksStore } from '../../infra/db/stores/approval-links.store';
import { startInProcess, type InProcess } from '../support/in-process';
import { startApi, type TestApi } from './api-fixture';
import { register, withKey, type Call, type Person } from './people';

/** Real runs of the local user, with gates that want certain people; decisions are made over HTTP where that is possible. */
let stack: InProcess;
let api: TestApi;
let links: ApprovalLinksStore;
let ann: Person;
let bob: Person;
let eve: Person;
const keys: Record<string, Call> = {};
beforeAll(async () => {
  stack = await startInProcess();
  links = new ApprovalLinksStore(stack.database);
  api = await startApi({
    databaseUrl: stack.config.databaseUrl ?? '',
    env: {
      TEMPORAL_ADDRESS: stack.config.temporalAddress,
      AF_QUEUE_PREFIX: stack.config.queuePrefix,
      AF_HOME: stack.config.home,
    },
  });
  [ann, bob, eve] = [await register(api, 'ann'), await register(api, 'bob'), await register(api, 'eve')];
  keys['ann'] = await withKey(api, ann.id);
  keys['ann, who may not decide by it'] = await withKey(api, ann.id, { may_decide: false });
  keys['eve'] = await withKey(api, eve.id);
  keys['owner'] = api.call as Call;
});
afterAll(async () => {
  await api?.close();
  await stack?.close();
});

interface Request {
  runId: string;
  approvalId: string;
}
let number = 0;
async function waiting(rules: string): Promise<Request> {
  const id = `ways-${(number += 1)}`;
  const slug = await stack.save(
    `id: ${id}\nname: ${id}\nsteps:\n  - {name: ask, step_type: approval, prompt: go, on_reject: stop${rules}}\n`,
  );
  const runId = await stack.start(slug);
  return { runId, approvalId: await stack.approval(runId) };
}

/** A decision by one way, about one waiting request; gives `counted`, or the code of why not. */
type Way = (request: Request, act?: 'approve' | 'reject') => Promise<string>;

/** Sends the same decision again, under its id, until the run has counted it. */
async function post(call: Call, path: string, body: object): Promise<string> {
  for (;;) {
    const answer = await call('POST', path, body);
    if (answer.status !== 202) return answer.body.code ?? String(answer.body['state']);
  }
}

const over =
  (call: () => Call | undefined): Way =>
  async ({ approvalId }, act = 'approve') => {
    const caller = call();
    if (caller === undefined) throw new Error('nobody calls');
    const shown = await caller('GET', `/approvals/${approvalId}`);
    if (shown.status !== 200) return String(shown.body.code);
    return post(caller, `/approvals/${approvalId}/${act}`, { decisionId: randomUUID(), digest: shown.body['digest'] });
  };
const session = (who: () => Person): Way => over(() => who().call);
const key = (whose: string): Way => over(() => keys[whose]);

const link =
  (who: () => string): Way =>
  async ({ runId, approvalId }) => {
    const tokenHash = createHash('sha256').update(randomUUID()).digest('hex');
    const made = await links.create(LOCAL_USER_ID, { id: randomUUID(), approvalId, user: who(), tokenHash });
    if (made !== 'ok') return made;
    const used = await links.use(tokenHash, who(), { decision: 'approve' });
    const { decision_id: decisionId } = used;
    const answer = await stack.gateway.decideApproval({ runId, approvalId, decisionId, deadlineMs: 10_000 });
    return answer.state === 'refused' ? (answer.code ?? '') : answer.state;
  };

/** Update that a person makes up who can reach Temporal but not the API. */
const bareUpdate: Way = async ({ runId, approvalId }) => {
  const update = stack.client.workflow
    .getHandle(`run-${runId}`)
    .executeUpdate('decideApproval', { args: [{ approvalId, decisionId: randomUUID() }] });
  return update.then(
    () => 'counted',
    (error: { cause?: { type?: string } }) => error.cause?.type ?? 'unknown',
  );
};

const signal: Way = async ({ runId, approvalId }) => {
  await stack.client.workflow.getHandle(`run-${runId}`).signal('approval', { approvalId, decision: 'approve' });
  for (;;) {
    const rows = await stack.decisions.list(LOCAL_USER_ID, approvalId);
    const row = rows.find(({ via, state }) => via === 'signal' && state !== 'received');
    if (row) return row.code ?? row.state;
    await sleep(50);
  }
};

const statusOf = async ({ approvalId }: Request): Promise<string> =>
  (await stack.approvals.require(LOCAL_USER_ID, approvalId)).status;

const NAMED = ', approvers: {users: [ann, bob]}';
const OWN = `, approvers: {users: [ann, bob, "${LOCAL_USER_ID}"]}`;
const RULES = { none: '', named: NAMED, quorum: `${OWN}, quorum: 2`, 'four eyes': `${OWN}, four_eyes: true` };

describe('every way to decide, under every rule', () => {
  const [NOBODY, FORGED, BY_SIGNAL] = ['approval_not_found', 'decision_not_found', 'signal_not_allowed'];
  const MAY_NOT = 'key_may_not_decide';
  const ways: [way: string, Way, expected: Record<keyof typeof RULES, string>][] = [
    [
      'an approver’s session',
      session(() => ann),
      { none: NOBODY, named: 'counted', quorum: 'counted', 'four eyes': 'counted' },
    ],
    ['an approver’s key', key('ann'), { none: NOBODY, named: 'counted', quorum: 'counted', 'four eyes': 'counted' }],
    [
      'an approver’s key that may not decide',
      key('ann, who may not decide by it'),
      { none: NOBODY, named: MAY_NOT, quorum: MAY_NOT, 'four eyes': MAY_NOT },
    ],
    [
      'the owner’s key',
      key('owner'),
      { none: 'counted', named: 'not_allowed', quorum: 'counted', 'four eyes': 'four_eyes' },
    ],
    [
      'somebody else’s session',
      session(() => eve),
      { none: NOBODY, named: NOBODY, quorum: NOBODY, 'four eyes': NOBODY },
    ],
    ['somebody else’s key', key('eve'), { none: NOBODY, named: NOBODY, quorum: NOBODY, 'four eyes': NOBODY }],
    [
      'an approver’s link',
      link(() => ann.id),
      { none: 'not_an_approver', named: 'counted', quorum: 'counted', 'four eyes': 'counted' },
    ],
    [
      'a link of the owner’s',
      link(() => LOCAL_USER_ID),
      { none: 'counted', named: 'not_an_approver', quorum: 'counted', 'four eyes': 'not_an_approver' },
    ],
    [
      'a bare update with a forged id',
      bareUpdate,
      { none: FORGED, named: FORGED, quorum: FORGED, 'four eyes': FORGED },
    ],
    ['a signal', signal, { none: 'counted', named: BY_SIGNAL, quorum: BY_SIGNAL, 'four eyes': BY_SIGNAL }],
  ];
  const cases = ways.flatMap(([name, way, expected]) =>
    Object.entries(expected).map(([rule, code]) => ({ name, way, rule: rule as keyof typeof RULES, code })),
  );

  it.each(cases)('$name, $rule: $code', async ({ way, rule, code }) => {
    const request = await waiting(RULES[rule]);
    expect(await way(request)).toBe(code);
    const moved = code === 'counted' && rule !== 'quorum';
    expect(await statusOf(request)).toBe(moved ? 'approved' : 'waiting');
    if (moved) expect((await stack.done(request.runId)).status).toBe('complete');
  });
});

describe.each([
  ['session', session(() => ann), () => ann.call],
  ['key', key('ann'), () => keys['ann']],
])('the %s of an approver', (_name, way, call) => {
  it('stops by one rejection what others approved, and nothing moves it afterwards (veto)', async () => {
    const request = await waiting(`${NAMED}, quorum: 2`);
    expect(await session(() => bob)(request)).toBe('counted');
    expect(await way(request, 'reject')).toBe('counted');
    expect((await stack.done(request.runId)).status).toBe('rejected');
    expect(await way(request)).toBe('approval_already_decided');
    expect(await statusOf(request)).toBe('rejected');
  });

  it('stops what the same person has approved, while others are still asked', async () => {
    const request = await waiting(`${NAMED}, quorum: 2`);
    expect(await way(request)).toBe('counted');
    expect(await way(request, 'reject')).toBe('counted');
    expect(await stack.done(request.runId)).toMatchObject({ status: 'rejected' });
    expect(await session(() => bob)(request)).toBe('approval_already_decided');
    const { body } = await api.call('GET', `/approvals/${request.approvalId}`);
    expect(body).toMatchObject({ status: 'rejected', rules: { quorum: 2, approvals: 0 } });
  });

  it('counts once towards a quorum', async () => {
    const request = await waiting(`${NAMED}, quorum: 2`);
    expect(await way(request)).toBe('counted');
    expect(await way(request)).toBe('already_approved');
    expect(await statusOf(request)).toBe('waiting');
    expect(await session(() => bob)(request)).toBe('counted');
    expect((await stack.done(request.runId)).status).toBe('complete');
  });

  it.each(['named', 'quorum', 'four eyes'] as const)('decides nothing unseen: the digest, under %s', async (rule) => {
    const request = await waiting(RULES[rule]);
    for (const [digest, status, code] of [
      [undefined, 422, 'digest_required'],
      ['0'.repeat(64), 409, 'approval_changed'],
    ]) {
      const answer = await call()?.('POST', `/approvals/${request.approvalId}/approve`, {
        decisionId: randomUUID(),
        digest,
      });
      expect(answer).toMatchObject({ status, body: { code } });
    }
    expect(await stack.decisions.list(LOCAL_USER_ID, request.approvalId)).toEqual([]);
    expect(await statusOf(request)).toBe('waiting');
  });
});
