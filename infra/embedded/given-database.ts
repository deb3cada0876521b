import { Client } from 'pg';
import { clientOptions } from '../db/pool';
import { embeddedError } from './errors';
import { sentence } from '../../core/base/sentence';

/** The database of `DATABASE_URL` must answer before anything that waits for it is started. Throws `database_unreachable`. */
export async function checkGivenDatabase(url: string): Promise<void> {
  const client = new Client(clientOptions(url));
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    const reason = error instanceof Error && error.message !== '' ? error.message : 'no connection';
    throw embeddedError(
      'database_unreachable',
      `No PostgreSQL can be used at ${placeOf(url)} (DATABASE_URL): ${sentence(reason)} Start it, correct the address, or unset it to use the embedded one.`,
      error,
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Place without user and password. */
function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
