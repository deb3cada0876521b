import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { LOCAL_USER_ID as MEMBER } from '../../core/base/run-status';
import { PlaybooksStore } from '../../infra/db/stores/definitions.store';
import { ProfileSkillsStore } from '../../infra/db/stores/profile-skills.store';
import { ProfilesStore } from '../../infra/db/stores/profiles.store';
import { RunsStore } from '../../infra/db/stores/runs.store';
import { SharesStore } from '../../infra/db/stores/shares.store';
import { TeamsStore } from '../../infra/db/stores/teams.store';
import { joinTeam } from '../db/db-fixture';
import { startInProcess, type InProcess } from '../support/in-process';
import { startApi, TWO_STEPS, type TestApi } from './api-fixture';

/** A member runs a colleague's agent on a real Temporal server and a real worker. */
const COLLEAGUE = '00000000-0000-4000-8000-000000000002';
const GATED = TWO_STEPS.replace(
  '  - name: first_rows',
  `  - name: look
    step_type: approval
    prompt: "Keep {sort_rows.count} rows?"
    on_reject: stop
  - name: note
    step_type: tool
    action: write_journal_entry
    inputs:
      summary: "kept {sort_rows.count}"
  - name: first_rows`,
);

let product: InProcess;
let api: TestApi;
let place: { profileId: string; teamId: string };
beforeAll(async () => {
  product = await startInProcess();
  const { config, admin, database } = product;
  api = await startApi({
    databaseUrl: config.databaseUrl ?? '',
    env: { TEMPORAL_ADDRESS: config.temporalAddress, AF_QUEUE_PREFIX: config.queuePrefix, AF_HOME: config.home },
  });
  await admin.query(`insert into users (id, handle, display_name) values ($1, 'colleague', 'Colleague')`, [COLLEAGUE]);
  await api.call('POST', '/playbooks', { source: GATED });
  const playbooks = new PlaybooksStore(database);
  const { content_hash, source_format, source, body } = await playbooks.resolve(MEMBER, 'two-steps');
  const theirs = { slug: 'review', name: 'Review', content_hash, source_format, source, body };
  const { definition } = await playbooks.save(COLLEAGUE, theirs);
  const profile = await new ProfilesStore(database).create(COLLEAGUE, { handle: 'reviewer', name: 'Reviewer' });
  await new ProfileSkillsStore(database).bind(COLLEAGUE, profile.id, { playbook: definition.id });
  const team = await new TeamsStore(database).create(COLLEAGUE, { name: 'Desk' });
  await joinTeam(database, { by: COLLEAGUE, teamId: team.id, user: MEMBER, role: 'member' });
  place = { profileId: profile.id, teamId: team.id };
  await new SharesStore(database).share(COLLEAGUE, place, {});
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
    expect((await new RunsStore(product.database).requireVisible(COLLEAGUE, runId)).status).toBe('complete');
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
