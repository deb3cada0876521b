import { randomUUID } from 'node:crypto';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { Database, owner } from '../../infra/db/database';
import type { TeamRole } from '../../infra/db/stores/profile-types';
import type { NewRun } from '../../infra/db/stores/run-types';
import { RunsStore } from '../../infra/db/stores/runs.store';
import { TeamInvitationsStore } from '../../infra/db/stores/team-invitations.store';
import { openAdmin, type Admin } from '../support/admin';
import { migratedDatabase } from '../support/migrated-database';
import { loginUrl } from '../support/postgres';

export const OWNER = LOCAL_USER_ID;
export const STRANGER = '00000000-0000-4000-8000-000000000002';

export interface TestDatabase {
  /** Database as the processes have it: af_login. */
  database: Database;
  admin: Admin;
  /** URL of the database's owner. */
  url: string;
  close(): Promise<void>;
}

/** A migrated database of the test file's own, with a second user. */
export async function testDatabase(poolSize = 10): Promise<TestDatabase> {
  const { url, drop } = await migratedDatabase();
  const database = await Database.connect({ url: loginUrl(url), poolSize });
  const admin = openAdmin(url);
  await admin.query(`insert into users (id, handle, display_name) values ($1, 'stranger', 'Somebody else')`, [
    STRANGER,
  ]);
  return {
    database,
    admin,
    url,
    close: async () => {
      await database.close();
      await admin.close();
      await drop();
    },
  };
}

/** Invited by one, accepted by the other. */
export async function joinTeam(
  database: Database,
  { by, teamId, user, role }: { by: string; teamId: string; user: string; role: TeamRole },
): Promise<void> {
  const invitations = new TeamInvitationsStore(database);
  const { id, user_id: invited } = await invitations.invite(by, teamId, { user, role });
  await invitations.answer(invited, id, true);
}

/** A playbook of the owner's with one version, put in by hand: the store has tests of its own. */
export async function seedPlaybook(
  database: Database,
  ownerId: string = OWNER,
): Promise<{ playbookId: string; versionId: string }> {
  const playbookId = randomUUID();
  const versionId = randomUUID();
  await database.query(
    owner(ownerId),
    `insert into playbooks (id, owner_id, slug, name) values ($1, $2, $3, 'A playbook')`,
    [playbookId, ownerId, `playbook-${playbookId}`],
  );
  await database.query(
    owner(ownerId),
    `insert into playbook_versions (id, playbook_id, owner_id, version_no, content_hash, source_format, source, plan)
     values ($1, $2, $3, 1, 'hash', 'yaml', 'name: x', '{}')`,
    [versionId, playbookId, ownerId],
  );
  return { playbookId, versionId };
}

export function newRun(playbook: { playbookId: string; versionId: string }, more: Partial<NewRun> = {}): NewRun {
  return {
    id: randomUUID(),
    playbook_id: playbook.playbookId,
    playbook_version_id: playbook.versionId,
    playbook_slug: 'a-playbook',
    playbook_name: 'A playbook',
    inputs: {},
    run_context: 'interactive',
    approval_policy: 'require',
    clock: { now: '2026-11-28T10:00:00Z', today: '2026-11-28', time_zone: 'UTC' },
    ...more,
  };
}

/** A new run of a new playbook; gives its id. */
export async function seedRun(database: Database, more: Partial<NewRun> = {}): Promise<string> {
  const { run } = await new RunsStore(database).create(OWNER, newRun(await seedPlaybook(database), more));
  return run.id;
}
