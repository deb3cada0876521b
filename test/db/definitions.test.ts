import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../core/base/json';
import { ConnectorsStore } from '../../infra/db/stores/definitions.store';
import type { NewDefinition } from '../../infra/db/stores/definition-types';
import { OWNER, STRANGER, testDatabase, type TestDatabase } from './db-fixture';

let db: TestDatabase;
let store: ConnectorsStore;

beforeAll(async () => {
  db = await testDatabase();
  store = new ConnectorsStore(db.database);
});
afterAll(() => db.close());

const definition = (
  slug: string,
  content: string,
  more: Partial<NewDefinition<JsonObject>> = {},
): NewDefinition<JsonObject> => ({
  slug,
  name: `Name of ${content}`,
  kind: 'rest_api',
  content_hash: content,
  source_format: 'yaml',
  source: `source: ${content}`,
  body: { content, nul: '\u0000' },
  ...more,
});

describe('definitions and their versions', () => {
  it('a new content is a new version, a known one becomes the latest again', async () => {
    const first = await store.save(OWNER, definition('a', 'one', { declared_version: '1.0' }));
    const again = await store.save(OWNER, definition('a', 'one'));
    const second = await store.save(OWNER, definition('a', 'two'));
    const back = await store.save(OWNER, definition('a', 'one'));
    expect(
      [first, again, second, back].map((saved) => [saved.created, saved.new_version, saved.definition.version_no]),
    ).toEqual([
      [true, true, 1],
      [false, false, 1],
      [false, true, 2],
      [false, false, 1],
    ]);
    expect(second.definition).toMatchObject({ slug: 'a', name: 'Name of two', kind: 'rest_api', origin: 'user' });
    expect((await store.versions(OWNER, first.definition.id, {})).items.map((version) => version.version_no)).toEqual([
      2, 1,
    ]);
  });

  it('20 saves at once: gapless numbers', async () => {
    const saved = await Promise.all(
      Array.from({ length: 20 }, (_, i) => store.save(OWNER, definition('busy', `content ${i % 10}`))),
    );
    expect(saved.filter((each) => each.created)).toHaveLength(1);
    expect(saved.filter((each) => each.new_version)).toHaveLength(10);
    const { items: versions } = await store.versions(OWNER, saved[0]?.definition.id ?? '', {});
    expect(versions.map((version) => version.version_no)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  it('resolves the latest, a declared version or a number', async () => {
    await store.save(OWNER, definition('r', 'one', { declared_version: '1.0' }));
    const { definition: row } = await store.save(OWNER, definition('r', 'two', { declared_version: '2.0' }));
    const contentOf = async (version?: string) => (await store.resolve(OWNER, 'r', version)).body.content;
    expect(await contentOf()).toBe('two');
    expect(await contentOf('1.0')).toBe('one');
    expect(await contentOf('2')).toBe('two');
    expect((await store.resolve(OWNER, row.id)).body).toEqual({ content: 'two', nul: '\u0000' });
    await expect(contentOf('3')).rejects.toMatchObject({ code: 'version_not_found' });
    await expect(store.resolve(OWNER, 'nothing')).rejects.toMatchObject({ code: 'connector_not_found' });
  });

  it('F09b: a removed definition is gone, its versions stay for runs, its slug is free', async () => {
    const { definition: row } = await store.save(OWNER, definition('gone', 'one'));
    await store.remove(OWNER, 'gone', 'any');
    expect(await store.get(OWNER, 'gone')).toBeNull();
    expect(await store.get(OWNER, row.id)).toBeNull();
    expect((await store.version(OWNER, row.latest_version_id))?.body.content).toBe('one');
    const next = await store.save(OWNER, definition('gone', 'one'));
    expect(next.created).toBe(true);
    expect(next.definition.id).not.toBe(row.id);
  });

  it('the catalogue updates its own and leaves what a person changed', async () => {
    await store.saveCatalog(OWNER, definition('c', 'v1'));
    expect((await store.saveCatalog(OWNER, definition('c', 'v2')))?.definition).toMatchObject({
      version_no: 2,
      origin: 'catalog',
    });
    await store.save(OWNER, definition('c', 'mine'));
    const after = await store.saveCatalog(OWNER, definition('c', 'v3'));
    expect(after).toMatchObject({
      created: false,
      new_version: false,
      definition: { version_no: 3, origin: 'user', name: 'Name of mine' },
    });
  });

  it('owners see their own only', async () => {
    const { definition: row } = await store.save(OWNER, definition('mine', 'one'));
    await store.save(STRANGER, definition('mine', 'theirs'));
    expect(await store.get(STRANGER, row.id)).toBeNull();
    expect(await store.version(STRANGER, row.latest_version_id)).toBeNull();
    expect((await store.resolve(OWNER, 'mine')).body.content).toBe('one');
    expect((await store.list(STRANGER, {})).items.map((each) => each.slug)).toEqual(['mine']);
  });

  it('lists in pages', async () => {
    const all = (await store.list(OWNER, {})).items.map((row) => row.slug);
    const first = await store.list(OWNER, { limit: 2 });
    const rest = await store.list(OWNER, { cursor: first.next_cursor ?? '' });
    expect([...first.items, ...rest.items].map((row) => row.slug)).toEqual(all);
  });
});
