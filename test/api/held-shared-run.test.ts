import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { LOCAL_USER_ID as MEMBER } from '../../core/base/run-status';
import { PlaybooksStore } from '../../infra/db/stores/definitions.store';
import { SharesStore } from '../../infra/db/stores/shares.store';
import { TransitionsStore } from '../../infra/db/stores/transitions.store';
import { newRun } from '../db/db-fixture';
import { startInProcess, type InProcess } from '../support/in-process';
import { startApiOf, type TestApi } from './api-fixture';
import { COLLEAGUE, sharedReviewer } from './shared-reviewer';

/** A member's run of a colleague's agent is held under the cap, and what it is made of is withdrawn before its turn. */
let product: InProcess;
let api: TestApi;
beforeAll(async () => {
  product = await startInProcess();
  api = await startApiOf(product, { AF_OWNER_RUNNING_CAP: '1', AF_SWEEP_SECONDS: '1', AF_RECONCILE_SECONDS: '1' });
});
afterAll(async () => {
  await api.close();
  await product.close();
});

/** A run that takes the only place; gives what frees it. */
async function takePlace(): Promise<() => Promise<unknown>> {
  const version = await product.playbooks.resolve(MEMBER, 'two-steps');
  const playbook = { playbookId: version.definition_id, versionId: version.id };
  const { run } = await product.runs.create(MEMBER, newRun(playbook));
  const transitions = new TransitionsStore(product.database);
  return () => transitions.closeFromOutside(run, 'cancelled', 'cancelled', 'The run was cancelled.');
}

it('has its turn all the same, stands still with the reason, and goes on when the share is back', async () => {
  const place = await sharedReviewer(product, api);
  const free = await takePlace();
  const started = await api.call('POST', '/runs', {
    playbook: 'review',
    profile_id: place.profileId,
    inputs: { rows: [{ size: 1 }] },
  });
  const runId = String(started.body['runId']);
  const view = async () => (await api.call('GET', `/runs/${runId}`)).body;
  expect(await view()).toMatchObject({ status: 'pending', code: 'owner_cap' });

  const shares = new SharesStore(product.database);
  await shares.unshare(COLLEAGUE, place, 'any');
  const row = await product.runs.require(MEMBER, runId);
  // A process that has not read it before, as after a restart.
  const playbooks = new PlaybooksStore(product.database);
  expect(await playbooks.version(MEMBER, row.playbook_version_id)).toBeNull();
  expect(await playbooks.pinned(row)).toMatchObject({
    id: row.playbook_version_id,
    owner_id: COLLEAGUE,
    slug: 'review',
  });

  await free();
  api.deps.loops.forEach((loop) => loop.start());
  await product.until(runId, (run) => run.status === 'paused', 'the run that lost its share');
  expect(await view()).toMatchObject({
    status: 'paused',
    code: 'access_revoked',
    allowed_actions: ['cancel', 'resume'],
  });
  expect((await api.call('POST', `/runs/${runId}/resume`)).body).toMatchObject({ code: 'access_revoked' });

  await shares.share(COLLEAGUE, place, {});
  expect((await api.call('POST', `/runs/${runId}/resume`)).status).toBe(200);
  await product.until(runId, (run) => run.status === 'waiting_approval', 'the run that has its share back');
});
