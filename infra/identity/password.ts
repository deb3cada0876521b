import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { AppError } from '../../core/errors/app-error';
import { refuseInTransaction } from '../db/open-transaction';
import { Semaphore } from '../semaphore';

const argon2id = promisify(argon2);

/** OWASP's second choice for argon2id (19 MiB, two passes): about 25 ms of one core. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Bounds for what is read from the database, so that a forged row cannot ask for a gigabyte. */
const MOST = { memory: 262_144, passes: 10, parallelism: 4 };
const FORM = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,88})\$([A-Za-z0-9+/]{22,88})$/;

type Cost = typeof COST;

/** PHC string of argon2id (RFC 9106) with a random salt. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, COST, HASH_BYTES);
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${unpaddedBase64(salt)}$${unpaddedBase64(hash)}`;
}

/**
 * Takes as long for a missing account (`stored` null) as for a wrong password, so that its time does not show which
 * handles exist.
 */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', hash = ''] = FORM.exec(stored ?? '') ?? [];
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  if (memory === undefined || exceeds(cost)) {
    await derive(password, Buffer.alloc(SALT_BYTES), COST, HASH_BYTES);
    return false;
  }
  const expected = Buffer.from(hash, 'base64');
  const actual = await derive(password, Buffer.from(salt, 'base64'), cost, expected.length);
  return timingSafeEqual(actual, expected);
}

function exceeds(cost: Cost): boolean {
  return cost.memory > MOST.memory || cost.passes > MOST.passes || cost.parallelism > MOST.parallelism;
}

/** Number of hashes at a time, so that logins leave threads and memory to all other work. */
const AT_ONCE = 2;
const MOST_WAITING = 64;
const places = new Semaphore(AT_ONCE);

async function derive(password: string, nonce: Buffer, cost: Cost, tagLength: number): Promise<Buffer> {
  refuseInTransaction('Hashing a password');
  if (places.waitingCount >= MOST_WAITING) {
    throw new AppError('too_many_logins', 'Too many sign in at this moment. Try again in some seconds.', {
      category: 'rate_limited',
      retryable: true,
    });
  }
  return places.pass(() => argon2id('argon2id', { message: password, nonce, tagLength, ...cost }));
}

function unpaddedBase64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
