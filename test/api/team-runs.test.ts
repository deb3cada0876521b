import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { LOCAL_USER_ID as MEMBER } from '../../core/base/run-status';
import { RunViewStore } from '../../infra/db/stores/run-view.store';
import { SharesStore } from '../../infra/db/stores/shares.store';
import { startInProcess, type InProcess } from '../support/in-process';
import { startApiOf, type TestApi } from './api-fixture';
import { COLLEAGUE, sharedReviewer } from './shared-reviewer';

/** A member runs a colleague's agent on a real Temporal server and a real worker. */
let product: InProcess;
let api: TestApi;
let place: { profileId: string; teamId: string };
beforeAll(async () => {
  product = await startInProcess();
  api = await startApiOf(product);
  place = await sharedReviewer(product, api);
});
afterAll(async () => {
  await api.close();
  await product.close();
});

async function atTheGate(): Promise<{ runId: string; approve(): Promise<unknown> }> {
  const started = await api.call('POST', '/runs', {
    playbook: 'review',
    profile_id: place.profileId,
    inputs: { rows: [{ size: 2 }, { size: 1 }] },
  });
  expect(started.status).toBe(201);
  const runId = String(started.body['runId']);
  await product.until(runId, (run) => run.status === 'waiting_approval');
  const { body } = await api.call('GET', `/approvals?status=waiting&run=${runId}`);
  const id = String(body.items?.[0]?.['approvalId']);
  const { body: shown } = await api.call('GET', `/approvals/${id}`);
  const approve = (): Promise<unknown> =>
    api.call('POST', `/approvals/${id}/approve`, { decisionId: randomUUID(), digest: shown['digest'] });
  return { runId, approve };
}

describe('a run for a colleague’s agent', () => {
  it('carries out its playbook to the end, and both read its journal', async () => {
    const { runId, approve } = await atTheGate();
    await approve();
    await product.until(runId, (run) => run.status === 'complete');
    expect((await api.call('GET', `/runs/${runId}`)).body).toMatchObject({
      owner_id: MEMBER,
      profile_id: place.profileId,
      team_id: place.teamId,
      outputs: { first_rows: { count: 2 } },
    });
    const journal = await api.call('GET', `/profiles/${place.profileId}/journal`);
    expect(journal.body.items).toMatchObject([
      { runId, kind: 'run' },
      { runId, kind: 'note', summary: 'kept 2', team_id: place.teamId },
    ]);
    const seen = await new RunViewStore(product.database).require(COLLEAGUE, runId, { limit: 1 });
    expect([seen.run.status, seen.steps, seen.children]).toEqual(['complete', [], []]);
  });

  it('pauses before its next step when the share is lost, and goes on when it is back', async () => {
    const shares = new SharesStore(product.database);
    const { runId, approve } = await atTheGate();
    await shares.unshare(COLLEAGUE, place, 'any');
    await approve();
    await product.until(runId, (run) => run.status === 'paused');
    const paused = await api.call('GET', `/runs/${runId}`);
    expect(paused.body).toMatchObject({ status: 'paused', code: 'access_revoked', control: 'pause' });
    expect((await api.call('GET', `/runs/${runId}/tries?step_path=note`)).body.items).toEqual([]);
    const refused = await api.call('POST', `/runs/${runId}/resume`);
    expect([refused.status, refused.body.code]).toEqual([403, 'access_revoked']);
    await shares.share(COLLEAGUE, place, {});
    expect((await api.call('POST', `/runs/${runId}/resume`)).status).toBe(200);
    await product.until(runId, (run) => run.status === 'complete');
  });

  it('pauses before its next step when the account of whoever started it was deactivated', async () => {
    const { runId, approve } = await atTheGate();
    const become = (status: string): Promise<unknown> =>
      product.admin.query('update users set status = $2 where id = $1', [MEMBER, status]);
    await become('deactivated');
    expect((await api.call('POST', `/runs/${runId}/pause`)).status).toBe(401);
    await become('active');
    await approve();
    await product.until(runId, (run) => run.status === 'paused');
    expect((await api.call('GET', `/runs/${runId}`)).body).toMatchObject({ status: 'paused', code: 'access_revoked' });
    expect((await api.call('POST', `/runs/${runId}/resume`)).status).toBe(200);
    await product.until(runId, (run) => run.status === 'complete');
  });
});
