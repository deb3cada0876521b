import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, createServer, type AddressInfo } from 'node:net';
import { databaseLogin } from '../../../infra/db/login';
import { awaitDatabase, openDatabase } from '../../../infra/db/open-database';
import { openAdmin, type Admin } from '../../support/admin';
import { startPostgres, type TestPostgres } from '../../support/postgres';

const NAME = 'test-of-the-login';

describe('how a process reaches the database', () => {
  it('an administrator in DATABASE_URL: every process finds the same password of af_login, and not the administrator’s', () => {
    const settings = { databaseUrl: 'postgres://postgres:s%2Fcret@db:5432/agent_factory?sslmode=disable' };
    const { url, ownerUrl } = databaseLogin(settings);
    expect(databaseLogin(settings).url).toBe(url);
    expect(ownerUrl).toBe(settings.databaseUrl);
    expect(url).toMatch(/^postgres:\/\/af_login:[\w-]{43}@db:5432\/agent_factory\?sslmode=disable$/);
    expect(databaseLogin({ databaseUrl: 'postgres://postgres:other@db/agent_factory' }).url).not.toContain(
      new URL(url).password,
    );
  });

  it('af_login in DATABASE_URL is taken as it is; whoever migrates is named apart, or nobody is', () => {
    const databaseUrl = 'postgres://af_login:mine@db/x';
    expect(databaseLogin({ databaseUrl })).toEqual({ url: databaseUrl, ownerUrl: undefined });
    const migrateDatabaseUrl = 'postgres://postgres:own@db/x';
    expect(databaseLogin({ databaseUrl, migrateDatabaseUrl })).toEqual({
      url: databaseUrl,
      ownerUrl: migrateDatabaseUrl,
    });
  });

  it.each(['postgres://postgres@db/x', 'postgres:///x?host=/run', undefined])(
    'refuses %s with a way out',
    (databaseUrl) => {
      expect(() => databaseLogin({ databaseUrl })).toThrow(/DATABASE_URL/);
    },
  );
});

describe('a server of one’s own', () => {
  let server: TestPostgres;
  let admin: Admin;
  beforeAll(async () => {
    server = await startPostgres();
    admin = openAdmin(server.url);
    await admin.query('drop role af_login');
  });
  afterAll(async () => {
    await admin.close();
    await server.stop('immediate');
  });
  const login = (password: string, user = 'af_login'): string => {
    const url = new URL(server.url);
    url.username = user;
    url.password = password;
    return url.href;
  };
  const whoOf = async (opening: ReturnType<typeof openDatabase>): Promise<unknown> => {
    const database = await opening;
    const [row] = await database.hot('select session_user as who', []);
    await database.close();
    return row?.['who'];
  };

  it('one who waits is let in by the one who migrates, with the administrator’s URL alone', async () => {
    const waiting = whoOf(
      awaitDatabase({ databaseUrl: server.url, migrateDatabaseUrl: undefined, dbPool: 2 }, NAME, 60_000),
    );
    expect(await whoOf(openDatabase({ databaseUrl: server.url, migrateDatabaseUrl: undefined, dbPool: 2 }, NAME))).toBe(
      'af_login',
    );
    expect(await waiting).toBe('af_login');
  });

  it.each([1, 2, 3, 4])('connection %d of its start is lost: the process begins all the same', async (lost) => {
    let count = 0;
    const way = createServer((client) => {
      count += 1;
      if (count === lost) {
        client.destroy();
        return;
      }
      const onward = connect(Number(new URL(server.url).port), '127.0.0.1');
      onward.on('error', () => client.destroy());
      client.on('error', () => onward.destroy());
      client.pipe(onward).pipe(client);
    });
    await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
    const url = new URL(server.url);
    url.hostname = '127.0.0.1';
    url.port = String((way.address() as AddressInfo).port);
    const settings = { databaseUrl: url.href, migrateDatabaseUrl: undefined, dbPool: 2 };
    expect(await whoOf(openDatabase(settings, NAME))).toBe('af_login');
    expect(count).toBeGreaterThan(lost);
    await new Promise((resolve) => way.close(resolve));
  });

  it('a password of one’s own is set by whoever migrates, and works alone from then on', async () => {
    const databaseUrl = login('my own');
    const settings = { databaseUrl, migrateDatabaseUrl: server.url, dbPool: 2 };
    expect(await whoOf(openDatabase(settings, NAME))).toBe('af_login');
    expect(await whoOf(openDatabase({ ...settings, migrateDatabaseUrl: undefined }, NAME))).toBe('af_login');
    const [kept] = await admin.query<{ secret: string }>(
      `select rolpassword as secret from pg_authid where rolname = 'af_login'`,
    );
    expect(kept?.secret).toMatch(/^SCRAM-SHA-256\$/);
  });

  it('an older schema is said, not used, where nobody may migrate', async () => {
    const [gone] = await admin.query<{ timestamp: string; name: string }>(
      `delete from migrations where name like 'SharedKeys%' returning timestamp, name`,
    );
    await expect(
      openDatabase({ databaseUrl: login('my own'), migrateDatabaseUrl: undefined, dbPool: 2 }, NAME),
    ).rejects.toMatchObject({ code: 'schema_outdated' });
    await admin.query('insert into migrations (timestamp, name) values ($1, $2)', [gone?.timestamp, gone?.name]);
  });

  it.each([
    ['superuser', 'nosuperuser'],
    ['bypassrls', 'nobypassrls'],
    ['inherit', 'noinherit'],
  ])('refuses to run as %s', async (with_, without) => {
    await admin.query(`alter role af_login ${with_}`);
    await expect(
      openDatabase({ databaseUrl: login('my own'), migrateDatabaseUrl: undefined, dbPool: 2 }, NAME),
    ).rejects.toMatchObject({ code: 'database_login_unsafe' });
    await admin.query(`alter role af_login ${without}`);
  });

  it('an administrator who may not set the password is told what to do', async () => {
    await admin.query(
      `create role weak login password 'weak'; grant af_migrate to weak; grant select, insert on migrations to weak`,
    );
    await expect(
      openDatabase({ databaseUrl: login('weak', 'weak'), migrateDatabaseUrl: undefined, dbPool: 2 }, NAME),
    ).rejects.toMatchObject({ code: 'database_login_unsafe' });
  });
});
