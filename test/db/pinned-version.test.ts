import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { PlaybooksStore } from '../../infra/db/stores/definitions.store';
import { ProfileSkillsStore } from '../../infra/db/stores/profile-skills.store';
import { RunViewStore } from '../../infra/db/stores/run-view.store';
import { OWNER, STRANGER } from './db-fixture';
import { teamRunBench, type TeamRunBench } from './team-run-fixture';

/** A run keeps the version that it has pinned, whatever becomes of its owner's right to see it. */
let bench: TeamRunBench;
beforeAll(async () => {
  bench = await teamRunBench();
});
afterAll(() => bench.close());

it('is read for the run when the skill, the share and the playbook are gone, and for nobody else', async () => {
  const { db, place, playbook, runs, shares } = bench;
  const row = await runs.require(STRANGER, await bench.run(STRANGER, {}));
  // Each a process of its own, which remembers nothing.
  const playbooks = (): PlaybooksStore => new PlaybooksStore(db.database);
  const seen = async () => (await playbooks().version(STRANGER, playbook.versionId))?.id ?? null;
  const pinned = async () => (await playbooks().pinned(row))?.id ?? null;
  const shownNo = async () => (await new RunViewStore(db.database).require(STRANGER, row.id, { limit: 1 })).versionNo;
  expect([await seen(), await pinned(), await shownNo()]).toEqual([playbook.versionId, playbook.versionId, 1]);

  const skills = new ProfileSkillsStore(db.database);
  const [skill] = await db.admin.query<{ id: string }>('select id from profile_skills where profile_id = $1', [
    place.profileId,
  ]);
  await skills.unbind(OWNER, { profileId: place.profileId, skillId: skill?.id ?? '' }, 'any');
  expect([await seen(), await pinned(), await shownNo()]).toEqual([null, playbook.versionId, null]);

  await shares.unshare(OWNER, place, 'any');
  await db.admin.query('update playbooks set deleted_at = now() where id = $1', [playbook.playbookId]);
  expect([await seen(), await pinned()]).toEqual([null, playbook.versionId]);
  expect(await playbooks().pinned({ ...row, id: randomUUID() })).toBeNull();
});
