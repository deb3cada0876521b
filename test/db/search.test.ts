import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { owner } from '../../infra/db/database';
import { SearchStore, type SearchKind } from '../../infra/db/stores/search.store';
import { joinTeam, newRun, OWNER, seedPlaybook, STRANGER } from './db-fixture';
import { teamRunBench, type TeamRunBench } from './team-run-fixture';

/** OWNER's agent is shared with STRANGER's team; NOBODY is in no team. */
const COLLEAGUE = '00000000-0000-4000-8000-000000000003';
const NOBODY = '00000000-0000-4000-8000-000000000004';

let bench: TeamRunBench;
let search: SearchStore;
let shared: { connector: string; run: string };

beforeAll(async () => {
  bench = await teamRunBench();
  const { db, place } = bench;
  search = new SearchStore(db.database);
  await db.admin.query(
    `insert into users (id, handle, display_name) values ($1, 'colleague', 'C'), ($2, 'nobody', 'N')`,
    [COLLEAGUE, NOBODY],
  );
  await joinTeam(db.database, { by: OWNER, teamId: place.teamId, user: COLLEAGUE, role: 'viewer' });
  const { id: connector } = await bench.connector(OWNER, bench.api.url);
  await bench.bind(connector);
  // One private object of each person.
  for (const ownerId of [OWNER, STRANGER, COLLEAGUE, NOBODY]) {
    const own = await seedPlaybook(db.database, ownerId);
    await bench.runs.create(ownerId, newRun(own));
  }
  shared = { connector, run: await bench.run(STRANGER, {}) };
});
afterAll(() => bench.close());

const TABLES: Record<Exclude<SearchKind, 'document'>, string> = {
  playbook: 'select id from playbooks where deleted_at is null',
  connector: 'select id from connectors where deleted_at is null',
  run: 'select id from runs',
};
type Kind = keyof typeof TABLES;

/** Rows that the policies let a person see, without any condition of a statement. */
async function visible(caller: string, kind: Kind): Promise<string[]> {
  const rows = await bench.db.database.query<{ id: string }>(owner(caller), TABLES[kind], []);
  return rows.map(({ id }) => id).toSorted();
}

/** Rows that a search finds, each asked for by its id. */
async function found(caller: string, kind: Kind): Promise<string[]> {
  const all = await bench.db.admin.query<{ id: string }>(TABLES[kind]);
  const hits = await Promise.all(all.map(({ id }) => search.search(caller, id, [kind], 10)));
  for (const [at, hit] of hits.entries()) expect(hit.every(({ id }) => id === all[at]?.id)).toBe(true);
  return hits.flatMap((hit) => hit.map(({ id }) => id)).toSorted();
}

async function sees(caller: string): Promise<Record<Kind, string[]>> {
  const kinds = Object.keys(TABLES) as Kind[];
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      const of = await found(caller, kind);
      expect({ caller, kind, found: of }).toEqual({ caller, kind, found: await visible(caller, kind) });
      return [kind, of] as const;
    }),
  );
  return Object.fromEntries(lists) as Record<Kind, string[]>;
}

describe('a search', () => {
  it('finds exactly what the row policies let the owner, a member and somebody else see', async () => {
    const { playbookId } = bench.playbook;
    const owned = await sees(OWNER);
    expect(owned.playbook).toHaveLength(2);
    expect(owned.connector).toEqual([shared.connector]);
    // Own runs, and runs that a member started with their agent.
    expect(owned.run).toHaveLength(2);
    expect(owned.run).toContain(shared.run);
    for (const member of [STRANGER, COLLEAGUE]) {
      const seen = await sees(member);
      expect(seen.playbook).toHaveLength(2);
      expect(seen.playbook).toContain(playbookId);
      expect(seen.connector).toEqual([shared.connector]);
      expect(seen.run.includes(shared.run)).toBe(member === STRANGER);
    }
    const other = await sees(NOBODY);
    expect([other.playbook.length, other.connector.length, other.run.length]).toEqual([1, 0, 1]);
  });

  it('follows what the share shows of runs, and its end', async () => {
    const { shares, place } = bench;
    await shares.update(OWNER, place, { journal_visibility: 'full' }, 'any');
    expect((await sees(COLLEAGUE)).run).toContain(shared.run);
    await shares.unshare(OWNER, place, 'any');
    const left = await sees(COLLEAGUE);
    expect([left.playbook.length, left.connector.length, left.run.length]).toEqual([1, 0, 1]);
    expect((await sees(STRANGER)).run).toContain(shared.run);
    await shares.share(OWNER, place, {});
  });

  it('counts what is both one’s own and shared once, and finds nothing that is gone', async () => {
    expect(await search.search(OWNER, bench.playbook.playbookId, ['playbook'], 10)).toHaveLength(1);
    expect(await search.search(OWNER, shared.run, ['run'], 10)).toHaveLength(1);
    await bench.db.admin.query('update connectors set deleted_at = now() where id = $1', [shared.connector]);
    expect(await search.search(STRANGER, shared.connector, ['connector'], 10)).toEqual([]);
    expect(await search.search(STRANGER, randomUUID(), ['playbook', 'connector', 'run', 'document'], 10)).toEqual([]);
  });
});
