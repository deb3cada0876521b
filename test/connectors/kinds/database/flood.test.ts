import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { startHostilePostgres, type Flood, type HostilePostgres } from '../../../support/hostile-postgres';
import { answering, startRawServer, type RawServer } from '../../../support/raw-server';

const MB = 1024 * 1024;
const MOST_GROWTH = 32 * MB;
/** Bytes that the system accepts before it slowly cuts the connection. */
const MOST_SENT = 64 * MB;
const open: RawServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

interface Outcome {
  code?: string;
  message?: string;
  grownBytes: number;
}

/** Call in a process of its own, so that no other memory counts. */
async function asked(server: HostilePostgres, sslmode: string): Promise<Outcome> {
  const refusing = await startRawServer(answering('E\0\0\0\x13SFATAL\0C28000\0\0', (socket) => socket.end()));
  open.push(server, refusing);
  const address = ({ port }: RawServer, mode: string): string => `postgresql://u:p@127.0.0.1:${port}/d?sslmode=${mode}`;
  const script = path.resolve('test/support/database-ask.main.ts');
  const child = spawn(
    process.execPath,
    [
      '--expose-gc',
      '-r',
      path.resolve('test/support/ts-hook.cjs'),
      script,
      address(refusing, 'disable'),
      address(server, sslmode),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await once(child, 'close');
  return JSON.parse(said) as Outcome;
}

describe('a server that floods whoever asks it', () => {
  it.each<[Flood, string, RegExp]>([
    ['one long message', 'disable', /sent more than \d+ bytes/],
    ['notices', 'disable', /sent more than \d+ bytes/],
    ['settings', 'disable', /sent more than \d+ bytes/],
    ['a long error', 'disable', /sent more than \d+ bytes/],
    ['a long description', 'disable', /sent more than \d+ bytes/],
    ['one long row', 'disable', /One row .* larger than `max_bytes`/],
    ['notices', 'require', /sent more than \d+ bytes/],
    ['a long description', 'require', /sent more than \d+ bytes/],
  ])('with %s (sslmode=%s) is cut off, and fills no memory', async (flood, sslmode, message) => {
    const server = await startHostilePostgres(flood);
    const outcome = await asked(server, sslmode);
    expect(outcome).toMatchObject({ code: 'response_too_large', message: expect.stringMatching(message) });
    expect(outcome.grownBytes).toBeLessThan(MOST_GROWTH);
    expect(server.sent()).toBeLessThan(MOST_SENT);
    expect(server.opened()).toBe(1);
  });

  it('with expressions to read is refused before they are read', async () => {
    const outcome = await asked(await startHostilePostgres('expressions'), 'disable');
    expect(outcome).toMatchObject({ code: 'sql_refused', message: expect.stringContaining('more than 100000') });
  });
});
