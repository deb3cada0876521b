import { LOCAL_USER_ID as MEMBER } from '../../core/base/run-status';
import { PlaybooksStore } from '../../infra/db/stores/definitions.store';
import { ProfileSkillsStore } from '../../infra/db/stores/profile-skills.store';
import { ProfilesStore } from '../../infra/db/stores/profiles.store';
import { SharesStore } from '../../infra/db/stores/shares.store';
import { TeamsStore } from '../../infra/db/stores/teams.store';
import { joinTeam } from '../db/db-fixture';
import type { InProcess } from '../support/in-process';
import { TWO_STEPS, type TestApi } from './api-fixture';

export const COLLEAGUE = '00000000-0000-4000-8000-000000000002';
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

/** A colleague's agent with a skill `review`, shared with a team that whoever calls the API is a member of. */
export async function sharedReviewer(
  { admin, database }: InProcess,
  api: TestApi,
): Promise<{ profileId: string; teamId: string }> {
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
  const place = { profileId: profile.id, teamId: team.id };
  await new SharesStore(database).share(COLLEAGUE, place, {});
  return place;
}
