import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chmodSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { owner } from '../../infra/db/database';
import { CredentialsStore } from '../../infra/db/stores/identity/credentials.store';
import { readLocalKey } from '../../infra/embedded/local-key-file';
import { ensureLocalKey } from '../../infra/identity/local-key';
import { hashPassword, isPassword } from '../../infra/identity/password';
import { hashToken } from '../../infra/identity/random-token';
import { OWNER, STRANGER, testDatabase, type TestDatabase } from './db-fixture';
import { newFolder } from '../support/run-folder';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
}, 60_000);
afterAll(() => db.close());

describe('local.key', () => {
  it('is made once, for its owner alone, and made anew where it is lost', async () => {
    const home = newFolder('home');
    const credentials = new CredentialsStore(db.database);
    const key = await ensureLocalKey(db.database, home);
    expect(statSync(join(home, 'local.key')).mode & 0o777).toBe(0o600);
    expect(readLocalKey(home)).toBe(key);
    expect(await ensureLocalKey(db.database, home)).toBe(key);
    expect(await credentials.byKey(hashToken(key))).toMatchObject({
      user_id: OWNER,
      may_decide: true,
      key_scopes: null,
    });
    rmSync(join(home, 'local.key'));
    const next = await ensureLocalKey(db.database, home);
    expect(next).not.toBe(key);
    expect(await credentials.byKey(hashToken(key))).toBeNull();
    chmodSync(join(home, 'local.key'), 0o644);
    await expect(ensureLocalKey(db.database, home)).rejects.toMatchObject({ code: 'local_key_unsafe' });
  });
});

describe('passwords', () => {
  it('are hashed with a salt each, and never inside a transaction', async () => {
    const [one, two] = await Promise.all([hashPassword('a password'), hashPassword('a password')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
    expect(await Promise.all([isPassword('a password', one), isPassword('A password', one)])).toEqual([true, false]);
    expect(await isPassword('a password', null)).toBe(false);
    expect(await isPassword('a password', one.replace('m=19456', 'm=9999999'))).toBe(false);
    await expect(db.database.tx(owner(OWNER), () => hashPassword('x'))).rejects.toThrow(/inside an open transaction/);
  });
});

describe('attempts to sign in', () => {
  it('are counted before they are judged: many at once are no way round the limit', async () => {
    const credentials = new CredentialsStore(db.database);
    const limits = { perAccount: 5, perPeer: 1_000, seconds: 900 };
    const tries = await Promise.all(
      Array.from({ length: 20 }, () => credentials.beginLogin('stranger', '10.0.0.1', limits)),
    );
    expect(tries.filter(({ wait_seconds: wait }) => wait === null)).toHaveLength(5);
    const waits = tries.flatMap(({ wait_seconds: wait }) => wait ?? []);
    expect(Math.min(...waits)).toBeGreaterThan(800);
    const attempt = tries.find((each) => each.attempt !== null)?.attempt ?? 0;
    await credentials.endLogin(attempt);
    expect(await credentials.beginLogin('stranger', '10.0.0.1', limits)).toMatchObject({
      wait_seconds: null,
      user_id: STRANGER,
      hash: null,
    });
  });

  it('from one address are counted over all accounts', async () => {
    const credentials = new CredentialsStore(db.database);
    const limits = { perAccount: 5, perPeer: 3, seconds: 900 };
    const waits: boolean[] = [];
    for (let no = 0; no < 5; no += 1) {
      const { wait_seconds: wait } = await credentials.beginLogin(`nobody-${no}`, '10.0.0.2', limits);
      waits.push(wait !== null);
    }
    expect(waits).toEqual([false, false, false, true, true]);
  });
});

describe('a refresh token', () => {
  it('is taken by one of many that ask at once; inside the grace all get a next one of the same family', async () => {
    const credentials = new CredentialsStore(db.database);
    const session = { id: randomUUID(), ownerId: OWNER, client: null, peer: '::1', seconds: 60 };
    await credentials.openSession({ ...session, refreshHash: 'first' });
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, (_, no) => credentials.refresh('first', `next-${no}`, 10)),
    );
    expect(new Set(outcomes.map(({ outcome, session_id }) => `${outcome} ${session_id}`))).toEqual(
      new Set([`ok ${session.id}`]),
    );
    // Grace of zero: the second use ends the family.
    expect((await credentials.refresh('next-0', 'a', 0)).outcome).toBe('ok');
    expect((await credentials.refresh('next-0', 'b', 0)).outcome).toBe('reused');
    expect((await credentials.refresh('a', 'c', 10)).outcome).toBe('ended');
  });
});
