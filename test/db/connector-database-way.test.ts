import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '../support/wait-until';
import type { AppError } from '../../core/errors/app-error';
import type { OpenSocket } from '../../connectors/kinds/database/access';
import type { SourceClient } from '../../connectors/runtime/source-client';
import type { Egress } from '../../infra/egress/egress';
import { testEgress } from '../support/egress';
import { ask, openDirectly, otherDatabase, type OtherDatabase } from './connector-database-fixture';
import type { ConnectorDeps } from '../support/connector-deps';
import { openedBy } from '../support/connector-deps';

let other: OtherDatabase;
let address: string;
/** A guard that lets nothing inside be reached. */
let denying: Egress;
beforeAll(async () => {
  denying = testEgress();
  other = await otherDatabase();
  address = other.addressOf('reader');
});
afterAll(async () => {
  await denying?.close();
  await other?.close();
});

describe('the role', () => {
  it.each([
    ['replicator', 'has REPLICATION'],
    ['heir', 'has REPLICATION'],
    ['unbound', 'has BYPASSRLS'],
    ['files', 'is a member of pg_read_server_files'],
  ])('%s is too powerful', async (role, power) => {
    await expect(ask('select 1 as n', { address: other.addressOf(role) })).rejects.toMatchObject({
      code: 'role_too_powerful',
      message: expect.stringContaining(power),
      details: { powers: expect.arrayContaining([power]) },
    });
  });

  it('a superuser is, and gets the statements that make a right role; that role works', async () => {
    const refused = (await ask('select 1 as n', { address: other.superuser }).catch((error: unknown) => error)) as {
      code: string;
      details: { powers: string[]; sql: string };
    };
    expect(refused).toMatchObject({
      code: 'role_too_powerful',
      details: { powers: expect.arrayContaining(['is a superuser']) },
    });
    const role = `reader_${process.pid}`;
    for (const statement of refused.details.sql.replaceAll('agent_factory_reader', role).split('\n')) {
      await other.admin.query(statement);
    }
    try {
      const made = new URL(address);
      made.username = role;
      made.password = 'choose one';
      expect(await ask('select count(*) as n from t', { address: made.href })).toMatchObject({ results: [{ n: 2 }] });
    } finally {
      await other.admin.query(`drop owned by ${role}`);
      await other.admin.query(`drop role ${role}`);
    }
  });

  it('an owner of tables is', async () => {
    const owner = other.addressOf('owner');
    expect(await ask('select 1 as n', { address: owner })).toMatchObject({ count: 1 });
    await other.admin.query(`create table owned (id int)`);
    await other.admin.query(`alter table owned owner to "${new URL(owner).username}"`);
    await expect(ask('select 1 as n', { address: owner })).rejects.toMatchObject({
      code: 'role_too_powerful',
      details: { powers: ['owns tables'] },
    });
  });
});

describe('the way there', () => {
  it('the session says who it is, reads only, and is gone afterwards', async () => {
    const sql = `select current_setting('application_name') as name, current_setting('transaction_read_only') as only,
      current_setting('statement_timeout') as t, pg_backend_pid() as pid`;
    const { results } = await ask(sql, { address, connector: { timeout_seconds: 20 } });
    const [row] = results as { name: string; only: string; t: string; pid: number }[];
    // Time left of the 20 s once the connection stands.
    expect(row).toMatchObject({
      name: 'agent-factory',
      only: 'on',
      t: expect.stringMatching(/^(?:1?\d{1,4}ms|1?\ds|20s)$/),
    });
    const open = 'select 1 from pg_stat_activity where pid = $1';
    await waitUntil('the end of the session', async () => (await other.admin.query(open, [row?.pid])).length === 0);
  });

  it.each([
    ['no address', 'host=x dbname=y', 'is no address of the form'],
    ['another kind of address', 'http://u:p@h/d', 'is no address of the form'],
    ['a socket file', 'postgresql://u:p@%2Ftmp/d', 'exactly one host'],
    ['several hosts', 'postgresql://u:p@a,b/d', 'exactly one host'],
    ['a host in a parameter', 'postgresql://u:p@h/d?host=/tmp', 'only `sslmode` is'],
    ['a file of this machine', 'postgresql://u:p@h/d?sslrootcert=/etc/passwd', 'only `sslmode` is'],
    ['settings of the session', 'postgresql://u:p@h/d?options=-crole%3Dx', 'only `sslmode` is'],
    ['an unknown mode', 'postgresql://u:p@h/d?sslmode=prefer', 'unknown sslmode'],
    ['no user', 'postgresql://h/d', 'names no user'],
    ['no database', 'postgresql://u:p@h', 'names no database'],
    ['a broken encoding', 'postgresql://u:%zz@h/d', 'no encoding'],
  ])('refuses %s without saying it', async (_name, value, message) => {
    const refused = (await ask('select 1', { address: value }).catch((error: unknown) => error)) as Error;
    expect(refused).toMatchObject({ code: 'invalid_secret', message: expect.stringContaining(message) });
    expect(refused.message).not.toContain('passwd');
  });

  it('asks for encryption unless the address says otherwise', async () => {
    await expect(ask('select 1 as n', { address: address.replace('?sslmode=disable', '') })).rejects.toMatchObject({
      code: 'upstream_rejected',
      message: expect.stringContaining('?sslmode=disable'),
    });
  });

  it('a secret goes to its allowed hosts alone', async () => {
    const { host } = new URL(address);
    await expect(ask('select 1 as n', { address, secretHosts: ['db.example.org'] })).rejects.toMatchObject({
      code: 'secret_host_denied',
    });
    expect(await ask('select 1 as n', { address, secretHosts: [host] })).toMatchObject({ count: 1 });
  });

  it('our own cluster is refused by what it is, not by where it is', async () => {
    const id = (
      await other.admin.query<{ id: string }>('select system_identifier::text as id from pg_control_system()')
    )[0]?.id;
    const own = { open: openDirectly, ownSystem: () => Promise.resolve(id) };
    await expect(ask('select 1 as n', { address, deps: { database: own } })).rejects.toMatchObject({
      code: 'egress_denied',
    });
    const another = { open: openDirectly, ownSystem: () => Promise.resolve('1') };
    expect(await ask('select 1 as n', { address, deps: { database: another } })).toMatchObject({ count: 1 });
  });
});

describe('failures', () => {
  it.each([
    ['a wrong password', (at: URL) => (at.password = 'wrong'), 'auth_failed', false],
    ['a database that is not there', (at: URL) => (at.pathname = '/nowhere'), 'upstream_rejected', false],
    ['a closed port', (at: URL) => (at.port = '1'), 'upstream_unavailable', true],
  ])('%s', async (_name, change, code, retryable) => {
    const at = new URL(address);
    change(at);
    const error = (await ask('select 1', { address: at.href }).catch((caught: unknown) => caught)) as Error;
    expect(error).toMatchObject({ code, retryable });
    expect(JSON.stringify(error) + error.message).not.toContain('pass/word');
  });

  it.each([
    ['a table that is not there', 'select 1,\n  2 from nowhere', 'invalid_sql', { line: 2, column: 10 }],
    ['a value that cannot be', "select 'x'::text::int as n", 'upstream_rejected', {}],
    ['a table without a right', 'select * from secret_table', 'upstream_rejected', {}],
  ])('%s', async (_name, sql, code, details) => {
    await other.admin.query('create table if not exists secret_table (id int)');
    await expect(ask(sql, { address })).rejects.toMatchObject({ code, details });
  });

  it('a way that is closed for a while is tried again, four times at most', async () => {
    let opened = 0;
    const opening = (failures: number): OpenSocket => {
      opened = 0;
      return (request) => {
        opened += 1;
        if (opened > failures) return openDirectly(request);
        return Promise.reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }));
      };
    };
    const soon = { database: openedBy(opening(2)) };
    expect(await ask('select 1 as n', { address, deps: soon })).toMatchObject({ count: 1 });
    expect(opened).toBe(3);
    const never = { database: openedBy(opening(Infinity)) };
    await expect(ask('select 1 as n', { address, deps: never })).rejects.toMatchObject({
      code: 'upstream_unavailable',
    });
    expect(opened).toBe(4);
  });

  it('what took too long has one more try, with double the time', async () => {
    const times: number[] = [];
    const open: OpenSocket = (request) => {
      times.push(request.timeoutMs);
      return openDirectly(request);
    };
    const sql = 'select count(*) from generate_series(1, 1000000000000) n';
    const given = { address, deps: { database: openedBy(open) }, connector: { timeout_seconds: 1 } };
    await expect(ask(sql, given)).rejects.toMatchObject({ code: 'upstream_timeout' });
    expect(times).toEqual([1000, 2000]);
  });

  it('whoever cancels gets their reason, and the statement ends there too', async () => {
    const controller = new AbortController();
    const sql = 'select count(*) as cancelled_one from generate_series(1, 1000000000000) n';
    const asked = ask(sql, { address, context: { signal: controller.signal } });
    const running = `select 1 from pg_stat_activity where query like '%cancelled' || '_one%' and application_name = 'agent-factory'`;
    const isRunning = async (): Promise<boolean> => (await other.admin.query(running)).length > 0;
    await waitUntil('the statement', isRunning);
    controller.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
    await waitUntil('the end of the statement', async () => !(await isRunning()));
  });

  it('a server that says nothing is given up at the end of the time', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const at = new URL(address);
    at.port = String((silent.address() as { port: number }).port);
    await expect(ask('select 1', { address: at.href, connector: { timeout_seconds: 1 } })).rejects.toMatchObject({
      code: 'upstream_timeout',
    });
    silent.close();
  });
});

describe('a statement of the caller', () => {
  it('is carried out with its params', async () => {
    const inputs = { sql: 'select id from t where id = :id', params: { id: 2 } };
    expect(await ask(undefined, { address, inputs })).toMatchObject({ results: [{ id: 2 }] });
  });

  it.each([
    ['no statement', {}, '`sql` is missing'],
    ['a list of params', { sql: 'select 1', params: [1] }, '`params` must be of type object'],
    ['a missing value', { sql: 'select :a::int as a', params: {} }, 'no value for a'],
    ['a value that nothing uses', { sql: 'select 1 as a', params: { b: 1 } }, 'does not use b'],
    ['another input', { sql: 'select 1 as a', role: 'x' }, '`role` is no parameter'],
  ])('refuses %s', async (_name, inputs, message) => {
    await expect(ask(undefined, { address, inputs })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(message),
    });
  });

  it('is refused where the endpoint has one of its own', async () => {
    await expect(ask('select 1 as a', { address, inputs: { sql: 'select 2 as a' } })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });
});

describe('an address that a binding puts in the place of another', () => {
  const boundTo = (value: string, ownerId?: string) => ({
    resolve: () => Promise.resolve({ name: 'second', value, allowedHosts: ['*'], ...(ownerId && { ownerId }) }),
  });

  it('has limits and a breaker of its own', async () => {
    const used: (string | undefined)[] = [];
    const source: SourceClient = (request, work) => {
      used.push(request.outside?.credential.name);
      return work();
    };
    await ask('select 1 as n', { address, deps: { secrets: boundTo(address), source } });
    expect(used).toEqual(['second']);
  });

  it.each<[string, () => string, Partial<ConnectorDeps>, string]>([
    [
      'where nothing is sent',
      () => address,
      { database: openedBy((request) => denying.socket(request)) },
      'egress_denied',
    ],
    [
      'that cannot be reached',
      () => address.replace(/:\d+\//, ':1/'),
      { database: openedBy(openDirectly) },
      'upstream_unavailable',
    ],
    [
      'that the guard cannot reach',
      () => address.replace(/@[^/]+\//, '@no-such-host.invalid:5432/'),
      { database: openedBy((request) => denying.socket(request)) },
      'upstream_unavailable',
    ],
    ['whose role may too much', () => other.superuser, {}, 'role_too_powerful'],
    ['that takes no such password', () => address.replace('a%20pass', 'another'), {}, 'auth_failed'],
  ])(
    'one %s is not told to who runs the profile of somebody else, but the code is',
    async (_what, value, more, code) => {
      const { host, hostname, port, username, pathname } = new URL(value());
      const read = (ownerId?: string) =>
        ask('select 1 as n', { address, deps: { secrets: boundTo(value(), ownerId), ...more } }).catch(
          (error: unknown) => error,
        ) as Promise<AppError>;
      const [own, foreign] = [await read(), await read('somebody else')];
      expect([own.code, foreign.code]).toEqual([code, code]);
      expect([foreign.category, foreign.retryable]).toEqual([own.category, own.retryable]);
      expect(`${own.message} ${JSON.stringify(own.details)}`).toMatch(new RegExp([host, hostname, username].join('|')));
      const said = `${foreign.message} ${JSON.stringify(foreign.details)}`;
      for (const word of [host, hostname, `:${port}`, username, pathname.slice(1)]) expect(said).not.toContain(word);
    },
  );

  it('is named to nobody but its owner', async () => {
    const read = (ownerId?: string) =>
      ask('select 1 as n', { address, deps: { secrets: boundTo('nowhere', ownerId) } });
    await expect(read()).rejects.toMatchObject({ message: expect.stringContaining('`second`') });
    await expect(read('somebody else')).rejects.toMatchObject({
      message: expect.stringMatching(/^(?!.*second).*`DB`/),
    });
  });
});
