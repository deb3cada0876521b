import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { ApprovalPolicyRequest } from '../../core/engine/commands';
import { DecisionsStore } from '../../infra/db/stores/decisions.store';
import { TransitionsStore } from '../../infra/db/stores/transitions.store';
import { startApi, TWO_STEPS, type TestApi } from './api-fixture';
import { register, type Person } from './people';

/**
 * Compares what a link offers with what pressing it can do: by its person's rights, and by the state of the request and
 * its run.
 */
let api: TestApi;
let ann: Person;
let ben: Person;
let eve: Person;
const DIGEST = 'd'.repeat(64);

beforeAll(async () => {
  api = await startApi();
  await api.call('POST', '/playbooks', { source: TWO_STEPS });
  [ann, ben, eve] = [await register(api), await register(api), await register(api)];
}, 60_000);
afterAll(() => api.close());

async function gate(policy?: ApprovalPolicyRequest): Promise<{ id: string; run: string }> {
  const { body } = await api.call('POST', '/runs', { playbook: 'two-steps', inputs: { rows: [] } });
  const asked = {
    id: randomUUID(),
    step_path: 'gate',
    step_name: 'gate',
    status: 'waiting' as const,
    prompt: 'Pay 12500.5 for 2 invoices?',
    preview: [],
    preview_total: 0,
    action: {
      step: 'pay',
      action: 'call_connector',
      inputs: { amount: 12500.5, to: { name: 'Acme', note: null } },
      params: { connector: 'bank', endpoint: 'transfer' },
    },
    digest: DIGEST,
    edit_schema: {},
    on_reject: 'stop' as const,
    on_timeout: 'stop' as const,
    due_at: null,
  };
  const run = String(body['runId']);
  await new TransitionsStore(api.database).apply(run, { approvals: [{ ...asked, ...(policy && { policy }) }] });
  return { id: asked.id, run };
}

async function linkFor(id: string, user: string): Promise<string> {
  const made = await api.call('POST', `/approvals/${id}/links`, { user });
  expect(made.status).toBe(201);
  return String(made.body['url']);
}

async function seen(path: string): Promise<{ status: number; page: string; body: Record<string, unknown> }> {
  const [page, data] = await Promise.all(
    ['text/html', 'application/json'].map((accept) => fetch(api.url + path, { headers: { accept } })),
  );
  const body = (await data?.json()) as Record<string, unknown>;
  return { status: page?.status ?? 0, page: (await page?.text()) ?? '', body };
}

const two = (): ApprovalPolicyRequest => ({ approvers: { users: [ann.handle, ben.handle] }, quorum: 2 });
const buttons = (page: string): string[] =>
  [...page.matchAll(/<button [^>]*value="(\w+)"/g)].map(([, value = '']) => value);

describe('the page of a link', () => {
  it('offers nothing to who handed their right on, and works again once it is taken back; the other one learns that', async () => {
    const { id } = await gate(two());
    const path = await linkFor(id, ann.handle);
    expect(buttons((await seen(path)).page)).toEqual(['approve', 'reject']);
    await ann.call('POST', `/approvals/${id}/delegate`, { to: eve.handle });
    const away = await seen(path);
    expect(away.body).toMatchObject({
      usable: false,
      allowed_decisions: [],
      unusable_because: 'delegated_away',
      delegated_to: eve.handle,
      approval: { may_decide: false, may_not_because: 'delegated_away' },
    });
    expect(away.page).toContain(`${ann.handle} delegated this to ${eve.handle} on <time`);
    expect(buttons(away.page)).toEqual([]);
    const pressed = await ann.call('POST', `${path.replace('/api/agent-factory', '')}/decide`, { decision: 'approve' });
    expect([pressed.status, pressed.body.code ?? pressed.body['state']]).toEqual([202, 'received']);
    await new DecisionsStore(api.database).count(id, String(pressed.body['decisionId']));
    const hers = await linkFor(id, eve.handle);
    expect(buttons((await seen(hers)).page)).toEqual(['approve', 'reject']);
    const other = await linkFor(id, ben.handle);
    expect((await seen(other)).body).toMatchObject({ usable: true, allowed_decisions: ['approve', 'reject'] });
    await ann.call('POST', `/approvals/${id}/delegate`, { to: ann.handle });
    const lost = await seen(hers);
    expect([lost.status, lost.body]).toMatchObject([403, { code: 'not_allowed' }]);
    expect(lost.page).toContain(`${eve.handle} may not decide this request any more`);
    expect(lost.page).not.toMatch(/GET \/approvals|Pay 12500/);
    expect((await seen(await linkFor(id, ann.handle))).body).toMatchObject({ usable: true });
  });

  it('offers a no alone to who has approved, and says what it does', async () => {
    const { id } = await gate(two());
    const decisionId = randomUUID();
    await ann.call('POST', `/approvals/${id}/approve`, { decisionId, digest: DIGEST });
    await new DecisionsStore(api.database).count(id, decisionId);
    const { page, body } = await seen(await linkFor(id, ann.handle));
    expect(body).toMatchObject({
      usable: true,
      allowed_decisions: ['reject'],
      approval: { may_not_because: 'already_approved' },
    });
    expect(buttons(page)).toEqual(['reject']);
    expect(page).toContain('as 1 of the 2 approvals that are needed');
    expect(page).toContain('that takes the approval back');
    expect(page).toContain('Programs POST {"decision": "reject"} to');
  });

  it('of a request that was edited says beside the question which field, from what to what, and by whom', async () => {
    const { id } = await gate(two());
    const edit = async (by: Person, edits: object): Promise<void> => {
      const { body } = await api.call('GET', `/approvals/${id}`);
      expect((await by.call('POST', `/approvals/${id}/edit`, { edits, digest: body['digest'] })).status).toBe(200);
    };
    await edit(ann, { amount: 1 });
    await edit(ben, { amount: 1, to: { name: 'Acme', note: '' }, memo: null });
    const { page, body } = await seen(await linkFor(id, ann.handle));
    expect(body).toMatchObject({
      usable: true,
      approval: {
        changes: [
          { field: 'amount', before: 12500.5, now: 1, by: ann.handle },
          { field: 'to.note', before: null, now: '', by: ben.handle },
          { field: 'memo', now: null, by: ben.handle },
        ],
      },
    });
    const beside = page.slice(page.indexOf('Pay 12500.5'), page.indexOf('<dl>'));
    expect(beside).toContain(`<li>amount: 12,500.5 → 1, by ${ann.handle} on <time`);
    expect(beside).toContain(`<li>to.note: null → &#34;&#34;, by ${ben.handle}`);
    expect(beside).toContain('<li>memo: not there → null');
    expect(page).toContain('call_connector bank, transfer in the step pay, as it was edited.');
    await edit(ann, { amount: 12500.5 });
    expect((await api.call('GET', `/approvals/${id}`)).body['changes']).toBeUndefined();
  });

  it.each([
    ['failed', /The run ended before anybody decided this on <time [^>]+>[^<]+<\/time>\.<\/strong> It failed\./],
    ['rejected', /The run ended before anybody decided this.* Something else in it was rejected\./],
    ['complete', /The run ended before anybody decided this on <time/],
    ['cancelled', /This was cancelled with its run on <time/],
  ])('of a run that ended %s says so, and calls nothing decided', async (status, words) => {
    const { id, run } = await gate();
    const path = await linkFor(id, 'local');
    await api.admin.query('select af_finish($1, $2::json, null, null)', [run, JSON.stringify({ status })]);
    const { page, body } = await seen(path);
    expect(body).toMatchObject({ usable: false, unusable_because: 'run_closed', run_ended: status });
    expect(page).toMatch(words);
  });

  it('says that the run is paused or being cancelled, and what followed when nobody decided in time', async () => {
    const { id, run } = await gate();
    const path = await linkFor(id, 'local');
    await api.admin.query(`update runs set control = 'pause' where id = $1`, [run]);
    expect((await seen(path)).page).toMatch(
      /<strong>The run is paused\.<\/strong>.*waits until the run is resumed[^]*<form|<form[^]*The run is paused/,
    );
    await api.admin.query(`update runs set control = 'cancel' where id = $1`, [run]);
    const closing = await seen(path);
    expect(closing.body).toMatchObject({ usable: false, unusable_because: 'run_closed' });
    expect(closing.page).toContain('Nothing is left to decide: the run has ended, or is being cancelled.');
    await api.admin.query(`update approvals set status = 'timed_out', decided_at = now() where id = $1`, [id]);
    const late = await seen(path);
    expect(late.body).toMatchObject({ usable: false, unusable_because: 'due_passed' });
    expect(late.page).toMatch(/its time was over on <time [^>]+>[^<]+<\/time>\.<\/strong> The run stopped\./);
  });
});
