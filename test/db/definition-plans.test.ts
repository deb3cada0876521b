import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ConnectorFilters, PlaybookFilters } from '../../infra/db/stores/definition-types';
import { ConnectorsStore, PlaybooksStore, type DefinitionListRequest } from '../../infra/db/stores/definitions.store';
import { OWNER, STRANGER, testDatabase, type TestDatabase } from './db-fixture';
import { lookedAt, type Looked } from './kept-plan';

/** 20,000 of each kind: 2,000 of OWNER, the others of somebody else. Every hundredth has the tag `rare`, all have `usual`. */
const MINE = 2_000;
const LIMIT = 50;
const PAGE = LIMIT + 1;

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
  await db.admin.tx(async (sql) => {
    await sql.query('set local session_replication_role = replica');
    await sql.query('set local statement_timeout = 0');
    for (const [kind, type, of, body] of [
      ['connector', 'type', 'requires_auth', 'definition'],
      ['playbook', 'category', 'required_connectors', 'plan'],
    ]) {
      const fact = of === 'requires_auth' ? 'n % 2 = 0' : `array['c-' || n % 100]`;
      await sql.query(
        `with made as (
            insert into ${kind}s (id, owner_id, slug, name, ${type}, latest_version_id, created_at, tags, ${of})
            select gen_random_uuid(), case when n <= $3 then $1::uuid else $2::uuid end, 's-' || n, 'N ' || n, 'rest_api',
                gen_random_uuid(), now() - make_interval(secs => n),
                case when n % 100 = 0 then '{usual,rare}'::text[] else '{usual}' end, ${fact}
              from generate_series(1, 20000) n returning id, owner_id, latest_version_id)
          insert into ${kind}_versions (id, ${kind}_id, owner_id, version_no, content_hash, source_format, source, ${body})
            select latest_version_id, id, owner_id, 1, id::text, 'yaml', 'x', '{}' from made`,
        [OWNER, STRANGER, MINE],
      );
    }
  });
  for (const table of ['connectors', 'connector_versions', 'playbooks', 'playbook_versions']) {
    await db.admin.query(`analyze ${table}`);
  }
}, 120_000);
afterAll(() => db.close());

const connectors = (filter: DefinitionListRequest & ConnectorFilters): Promise<Looked> =>
  lookedAt(
    db.database,
    OWNER,
    'connectors',
    new ConnectorsStore(db.database).listQuery(OWNER, { limit: LIMIT, ...filter }).statement,
    'list',
  );
const playbooks = (filter: DefinitionListRequest & PlaybookFilters): Promise<Looked> =>
  lookedAt(
    db.database,
    OWNER,
    'playbooks',
    new PlaybooksStore(db.database).listQuery(OWNER, { limit: LIMIT, ...filter }).statement,
    'list',
  );

describe('lists of definitions', () => {
  it.each<[DefinitionListRequest & ConnectorFilters, number]>([
    [{}, PAGE],
    [{ sort: 'created_at' }, PAGE],
    [{ sort: 'name' }, PAGE],
    [{ sort: '-name' }, PAGE],
    [{ tag: 'usual' }, PAGE],
    [{ requires_auth: true }, 2 * PAGE],
    [{ tag: 'rare' }, MINE],
    [{ tag: 'nowhere', sort: 'name' }, MINE],
  ])('of connectors: %j reads no row of others', async (filter, most) => {
    const { rows, whole } = await connectors(filter);
    expect({ whole, fits: rows <= most ? 'yes' : `${rows} rows` }).toEqual({ whole: false, fits: 'yes' });
  });

  it.each<[DefinitionListRequest & PlaybookFilters, number]>([
    [{}, PAGE],
    [{ sort: '-name' }, PAGE],
    [{ tag: 'usual' }, PAGE],
    [{ connector: 'c-7' }, MINE],
    [{ trigger: 'regex' }, MINE],
  ])('of playbooks: %j reads no row of others', async (filter, most) => {
    const { rows, whole } = await playbooks(filter);
    expect({ whole, fits: rows <= most ? 'yes' : `${rows} rows` }).toEqual({ whole: false, fits: 'yes' });
  });

  it('finds all that is rare, page by page', async () => {
    const store = new ConnectorsStore(db.database);
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.list(OWNER, { tag: 'rare', sort: 'name', limit: 7, ...(cursor && { cursor }) });
      names.push(...page.items.map(({ name }) => name));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(names).toHaveLength(MINE / 100);
    expect(new Set(names).size).toBe(names.length);
    expect(await store.list(STRANGER, { tag: 'rare', limit: 1 })).toMatchObject({ items: [{ owner_id: STRANGER }] });
  });
});
