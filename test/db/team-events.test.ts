import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunEvent } from '../../core/engine/commands';
import { OwnerEventsStore, type EventPlace, type PlacedEvent } from '../../infra/db/stores/owner-events.store';
import { ProfileSkillsStore } from '../../infra/db/stores/profile-skills.store';
import type { JournalVisibility } from '../../infra/db/stores/profile-types';
import { ProfilesStore } from '../../infra/db/stores/profiles.store';
import { RunsStore } from '../../infra/db/stores/runs.store';
import { SharesStore } from '../../infra/db/stores/shares.store';
import { StepHotPath } from '../../infra/db/stores/step-hot-path.store';
import { TeamsStore } from '../../infra/db/stores/teams.store';
import { joinTeam, newRun, OWNER, seedPlaybook, STRANGER, testDatabase, type TestDatabase } from './db-fixture';

/** OWNER shares a profile with a team of STRANGER, who runs it, and THIRD, who looks on. */
const THIRD = '00000000-0000-4000-8000-000000000003';

let db: TestDatabase;
let store: OwnerEventsStore;
let shares: SharesStore;
let playbook: { playbookId: string; versionId: string };
let at: { profileId: string; teamId: string };
beforeAll(async () => {
  db = await testDatabase();
  await db.admin.query(`insert into users (id, handle, display_name) values ($1, 'third', 'Third')`, [THIRD]);
  store = new OwnerEventsStore(db.database);
  shares = new SharesStore(db.database);
}, 60_000);
afterAll(() => db.close());
beforeEach(async () => {
  const profile = await new ProfilesStore(db.database).create(OWNER, { handle: `a-${randomUUID()}`, name: 'A' });
  playbook = await seedPlaybook(db.database);
  await new ProfileSkillsStore(db.database).bind(OWNER, profile.id, { playbook: playbook.playbookId });
  const team = await new TeamsStore(db.database).create(OWNER, { name: 'Unit' });
  at = { profileId: profile.id, teamId: team.id };
  for (const user of [STRANGER, THIRD]) {
    await joinTeam(db.database, { by: OWNER, teamId: team.id, user, role: user === THIRD ? 'viewer' : 'member' });
  }
});

async function share(journal_visibility: JournalVisibility): Promise<void> {
  await shares.share(OWNER, at, { journal_visibility });
}

/** A run of STRANGER's for the profile, which says three things. */
async function run(run_context = 'interactive'): Promise<string> {
  const profile = { id: at.profileId, team_id: at.teamId };
  const made = await new RunsStore(db.database).create(STRANGER, newRun(playbook, { run_context, profile }));
  const events: RunEvent[] = [
    { id: 'a', type: 'run.status', payload: { status: 'running' } },
    { id: 'b', type: 'step.finished', step_path: 's', payload: { output: 'private' } },
    { id: 'c', type: 'complete', payload: { status: 'complete' } },
  ];
  for (const event of events) await new StepHotPath(db.database).step(made.run.id, { events: [event] });
  return made.run.id;
}

/** Events that each reader has to read from a place on, once all earlier transactions are visible. */
async function readBy(readers: string[], from: EventPlace): Promise<PlacedEvent[][]> {
  const [row] = await db.admin.query<{ xid: string }>('select pg_current_xact_id()::text as xid');
  for (;;) {
    const pages = await store.pages(
      readers.map((ownerId) => ({ ownerId, at: from })),
      { each: 100, all: 1_000 },
    );
    if (pages.every((page) => BigInt(page?.upTo?.xid ?? 0) >= BigInt(row?.xid ?? 0))) {
      return pages.map((page) => page?.rows ?? []);
    }
    await sleep(20);
  }
}

const types = (rows: PlacedEvent[]): string[] => rows.map((row) => row.type);
const WHOLE = ['run.status', 'step.finished', 'complete'];
const TEAM = ['run.status', 'complete'];

describe('the stream of everything that somebody may see', () => {
  it.each<[JournalVisibility, string, string[]]>([
    ['full', 'interactive', TEAM],
    ['own_and_scheduled', 'scheduled', TEAM],
    ['own_and_scheduled', 'interactive', []],
    ['own_only', 'scheduled', []],
  ])('shows runs of a team whose share says %s, in context %s', async (visibility, context, wanted) => {
    await share(visibility);
    const { at: from } = await store.horizon();
    const runId = await run(context);
    const [own = [], ofOwner = [], ofMember = []] = await readBy([STRANGER, OWNER, THIRD], from);
    expect(types(own)).toEqual(WHOLE);
    expect(types(ofOwner)).toEqual(TEAM);
    expect(types(ofMember)).toEqual(wanted);
    expect([...ofOwner, ...ofMember].every((row) => row.run_id === runId)).toBe(true);
    expect(JSON.stringify([ofOwner, ofMember])).not.toContain('private');
  });

  it('keeps one order over one’s own runs and those of teams, page by page', async () => {
    await share('full');
    const { at: from } = await store.horizon();
    const mine = async (): Promise<void> => {
      const own = await seedPlaybook(db.database, THIRD);
      const made = await new RunsStore(db.database).create(THIRD, newRun(own));
      const event = { id: 'x', type: 'run.status', payload: {} };
      await new StepHotPath(db.database).step(made.run.id, { events: [event] });
    };
    await mine();
    await run();
    await mine();
    const [all = []] = await readBy([THIRD], from);
    expect(types(all)).toEqual(['run.status', 'run.status', 'complete', 'run.status']);
    const seen: string[] = [];
    let place = from;
    for (let page = 0; page < all.length; page += 1) {
      const [found] = await store.pages([{ ownerId: THIRD, at: place }], { each: 1, all: 10 });
      const [row] = found?.rows ?? [];
      if (row === undefined) break;
      seen.push(`${row.run_id} ${row.seq}`);
      place = { xid: row.xid, runId: row.run_id, seq: row.seq };
    }
    expect(seen).toEqual(all.map((row) => `${row.run_id} ${row.seq}`));
  });

  it('ends with the share and with the membership', async () => {
    await share('full');
    const { at: from } = await store.horizon();
    await run();
    expect(types((await readBy([THIRD], from))[0] ?? [])).toEqual(TEAM);
    await new TeamsStore(db.database).removeMember(THIRD, at.teamId, THIRD, 'any');
    expect((await readBy([THIRD], from))[0]).toEqual([]);
  });
});
