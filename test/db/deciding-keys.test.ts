import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ApiKeysStore } from '../../infra/db/stores/identity/api-keys.store';
import { approvalBench, type ApprovalBench } from './approval-fixture';
import { OWNER } from './db-fixture';

let bench: ApprovalBench;
let ann: string;
let bob: string;
beforeAll(async () => {
  bench = await approvalBench();
  ann = await bench.person('ann', ['macro:admin', 'macro:analyst']);
  bob = await bench.person('bob', ['macro:analyst']);
}, 60_000);
afterAll(() => bench.db.close());

async function key(ownerId: string, more: { scopes?: string[] | null; may_decide?: boolean } = {}): Promise<string> {
  const limits = { scopes: null, read_only: false, may_decide: true, objects: null, expires_at: null, ...more };
  const row = { id: randomUUID(), owner_id: ownerId, name: 'k', prefix: 'afk_', hash: randomUUID(), ...limits };
  return (await new ApiKeysStore(bench.db.database).add(row)).id;
}

describe('a decision by an API key', () => {
  const analysts = { approvers: { scopes: ['macro:analyst'] } };

  it.each<[string, string[] | null, string]>([
    ['all that its owner has', null, 'counted'],
    ['the scope that is asked', ['macro:analyst'], 'counted'],
    ['a lower scope', ['macro:reader'], 'not_allowed'],
    ['another topic', ['micro:analyst'], 'not_allowed'],
    ['no scopes', [], 'not_allowed'],
  ])('counts with what the key has: %s', async (_what, scopes, wanted) => {
    const { approvalId } = await bench.open(analysts);
    const keyId = await key(ann, { scopes });
    expect(await bench.acts.refusal(ann, approvalId, keyId)).toBe(wanted === 'counted' ? null : wanted);
    expect(await bench.answer(ann, approvalId, { keyId })).toBe(wanted);
    expect(await bench.acts.refusal(ann, approvalId)).toBeNull();
  });

  it('is worth nothing beyond what its owner still has', async () => {
    const { approvalId } = await bench.open(analysts);
    const keyId = await key(bob, { scopes: ['macro:analyst'] });
    const { digest } = await bench.approvals.require(OWNER, approvalId);
    const said = {
      approvalId,
      decisionId: randomUUID(),
      actor: 'bob',
      via: 'api',
      decision: 'approve',
      keyId,
    } as const;
    const { decision } = await bench.decisions.receive(bob, { ...said, digest: digest ?? '' });
    await bench.db.admin.query(`update users set scopes = '{macro:reader}' where id = $1`, [bob]);
    expect(await bench.decisions.count(approvalId, decision.decision_id)).toMatchObject({ code: 'not_allowed' });
    await bench.db.admin.query(`update users set scopes = '{macro:analyst}' where id = $1`, [bob]);
    expect(await bench.answer(bob, approvalId, { keyId })).toBe('counted');
  });

  it('does not count when the key was revoked, or may not decide', async () => {
    const { approvalId } = await bench.open(analysts);
    const revoked = await key(bob);
    await new ApiKeysStore(bench.db.database).revoke(bob, revoked);
    expect(await bench.answer(bob, approvalId, { keyId: revoked })).toBe('not_allowed');
    const silent = await key(bob, { may_decide: false });
    expect(await bench.answer(bob, approvalId, { keyId: silent })).toBe('not_allowed');
    expect(await bench.answer(bob, approvalId, { keyId: await key(ann) })).toBe('not_allowed');
    expect(await bench.status(approvalId)).toBe('waiting');
  });

  it('keeps counting towards a quorum while its owner keeps the right', async () => {
    const { approvalId } = await bench.open({ ...analysts, quorum: 2 });
    expect(await bench.answer(bob, approvalId, { keyId: await key(bob, { scopes: ['macro:analyst'] }) })).toBe(
      'counted',
    );
    expect(await bench.answer(ann, approvalId, { keyId: await key(ann, { scopes: [] }) })).toBe('not_allowed');
    expect(await bench.status(approvalId)).toBe('waiting');
    expect(await bench.answer(ann, approvalId)).toBe('counted');
    expect(await bench.status(approvalId)).toBe('approved');
  });

  it('about one’s own run needs no scope', async () => {
    const { approvalId } = await bench.open({});
    expect(await bench.answer(OWNER, approvalId, { keyId: await key(OWNER, { scopes: [] }) })).toBe('counted');
  });
});

describe('the decision of a link', () => {
  it('has an id that nobody who sees the request can take before', async () => {
    const { approvalId } = await bench.open({ approvers: { users: ['ann', 'bob'] }, quorum: 2 });
    const id = randomUUID();
    expect(await bench.links.create(OWNER, { id, approvalId, user: 'ann', tokenHash: 'taken' })).toBe('ok');
    const seen = JSON.stringify((await bench.views.require(bob, approvalId)).history);
    expect(seen).toContain(id);
    // A fellow approver decides under the id that they see.
    expect(await bench.answer(bob, approvalId, { decisionId: id, decision: 'approve' })).toBe('counted');
    const used = await bench.links.use('taken', ann, { decision: 'approve' });
    expect(used).toMatchObject({ code: null, user_id: ann });
    expect(used.decision_id).not.toBe(id);
    expect(seen).not.toContain(used.decision_id);
    expect(await bench.decisions.count(approvalId, used.decision_id)).toMatchObject({ state: 'counted' });
    expect(await bench.status(approvalId)).toBe('approved');
  });
});
