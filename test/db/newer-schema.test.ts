import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../infra/db/open-database';
import { migrateAs, openAdmin, type Admin } from '../support/admin';
import { TEST_MASTER_KEYS } from '../support/keys';
import { freshDatabase, loginUrl } from '../support/postgres';
import { endOf } from '../support/start-program';

const LATER = 'Later9764288000099';
let url: string;
let drop: () => Promise<void>;
let admin: Admin;
beforeAll(async () => {
  ({ url, drop } = await freshDatabase());
  await migrateAs(url);
  admin = openAdmin(url);
  await admin.query('insert into migrations (timestamp, name) values (9764288000099, $1)', [LATER]);
});
afterAll(async () => {
  await admin.close();
  await drop();
});

/** Every table with a digest of all that is in it. */
async function contents(): Promise<Record<string, string>> {
  const tables = await admin.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
  );
  const digests: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await admin.query<{ digest: string }>(
      `select count(*) || ' ' || md5(coalesce(string_agg(t::text, e'\\n' order by t::text), '')) as digest from ${name} t`,
    );
    digests[name] = row?.digest ?? '';
  }
  return digests;
}

describe('F30b: on the schema of a later version', () => {
  it.each([
    ['the API of an administrator', 'src/main.ts', 'The API cannot start: ', () => url],
    ['the API as af_login', 'src/main.ts', 'The API cannot start: ', () => loginUrl(url)],
    ['the worker', 'worker/main.ts', 'The worker stopped: ', () => url],
  ])('%s does not start, says so in one line, and writes nothing', async (_what, program, begin, database) => {
    const before = await contents();
    const { code, said } = await endOf(program, { DATABASE_URL: database(), AF_MASTER_KEYS: TEST_MASTER_KEYS });
    expect([code, said]).toEqual([1, expect.stringMatching(/^\{[^\n]+\}\n$/)]);
    expect(JSON.parse(said)).toMatchObject({ level: 'fatal', msg: expect.stringMatching(`^${begin}`) });
    expect(said).toContain('(schema_newer)');
    expect(said).toContain(LATER);
    expect(said).toContain('Start the version that brought it');
    expect(await contents()).toEqual(before);
    expect(Object.keys(before)).toContain('runs');
  });

  it('one that may not know a migration does not bring its own either', async () => {
    const older = await admin.query<{ timestamp: string; name: string }>(
      `delete from migrations where id = (select max(id) from migrations where name <> $1) returning timestamp, name`,
      [LATER],
    );
    await expect(
      openDatabase({ databaseUrl: url, migrateDatabaseUrl: undefined, dbPool: 2 }, 't'),
    ).rejects.toMatchObject({ code: 'schema_newer', details: { unknown: [LATER] } });
    const [missing] = older;
    expect(missing).toBeDefined();
    expect(await admin.query('select 1 from migrations where name = $1', [missing?.name])).toEqual([]);
  });
});
