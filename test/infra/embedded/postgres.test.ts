import { afterAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { freshDatabase, startPostgres } from '../../support/postgres';

async function ask(url: string, text: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ answer: unknown }>(text);
    return rows[0]?.answer;
  } finally {
    await client.end();
  }
}

describe('embedded PostgreSQL', () => {
  const cleanups: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const cleanup of cleanups) await cleanup();
  });

  it('gives each test an empty database of its own', async () => {
    const first = await freshDatabase();
    const second = await freshDatabase();
    cleanups.push(first.drop, second.drop);
    await ask(first.url, 'create table here (id int)');
    expect(await ask(first.url, `select to_regclass('here')::text as answer`)).toBe('here');
    expect(await ask(second.url, `select to_regclass('here')::text as answer`)).toBeNull();
  });

  it('keeps every acknowledged row over an immediate stop and a kill', async () => {
    const server = await startPostgres();
    cleanups.push(() => server.stop('immediate'));
    await ask(server.url, 'create table kept (id int)');
    await ask(server.url, 'insert into kept values (1)');
    await server.restart('immediate');
    await ask(server.url, 'insert into kept values (2)');
    await server.kill();
    await server.start();
    expect(await ask(server.url, 'select array_agg(id order by id) as answer from kept')).toEqual([1, 2]);
  });

  it('speaks UTF-8 and orders by code point', async () => {
    const database = await freshDatabase();
    cleanups.push(database.drop);
    expect(await ask(database.url, `select upper('é') || current_setting('server_encoding') as answer`)).toBe('ÉUTF8');
    expect(await ask(database.url, `select current_setting('timezone') as answer`)).toBe('UTC');
  });
});
