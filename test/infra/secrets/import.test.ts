import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { LOCAL_USER_ID } from '../../../core/base/run-status';
import { Database } from '../../../infra/db/database';
import { importSecretsFile } from '../../../infra/secrets/import-file';
import { openKeys, openVault, prepareSecrets } from '../../../infra/secrets/open-vault';
import { Secrets } from '../../../infra/secrets/secrets';
import { TEST_MASTER_KEYS } from '../../support/keys';
import { migratedDatabase } from '../../support/migrated-database';
import type { FreshDatabase } from '../../support/postgres';
import { newFolder } from '../../support/run-folder';

let fresh: FreshDatabase;
let database: Database;
let home: string;
const file = (): string => join(home, 'secrets.json');
const said: string[] = [];
const log = {
  info: (fields: object, message: string) => void said.push(JSON.stringify(fields) + message),
  warn: (fields: object, message: string) => void said.push(JSON.stringify(fields) + message),
};
const keys = openKeys({ home: '/nowhere', masterKeys: TEST_MASTER_KEYS, masterKeysFile: undefined });
const vault = () => openVault({ home }, database, keys);
const start = () => prepareSecrets({ home }, database, keys, log);
const valueOf = async (name: string): Promise<string> => (await vault().resolve(LOCAL_USER_ID, name)).value;

beforeAll(async () => {
  fresh = await migratedDatabase();
  database = await Database.connect({ url: fresh.url, poolSize: 3 });
});
afterAll(async () => {
  await database.close();
  await fresh.drop();
});
beforeEach(() => {
  home = newFolder('import');
  said.length = 0;
});
afterEach(() => rmSync(home, { recursive: true }));

it('a start takes secrets.json over and deletes it; the values stay the same for whoever resolves them', async () => {
  writeFileSync(file(), JSON.stringify({ imported: 'canary-one', other: 'canary-two' }), { mode: 0o600 });
  expect(await valueOf('imported')).toBe('canary-one');
  await start();
  expect(existsSync(file())).toBe(false);
  expect([await valueOf('imported'), await valueOf('other')]).toEqual(['canary-one', 'canary-two']);
  expect(said).toHaveLength(2);
  expect(said.join()).not.toContain('canary');
  await start();
  expect(said).toHaveLength(2);
});

it('a crash between commit and deletion repeats the import, which changes nothing', async () => {
  writeFileSync(file(), JSON.stringify({ crashed: 'canary-three' }), { mode: 0o600 });
  await vault().put(LOCAL_USER_ID, 'crashed', 'canary-three');
  await start();
  expect(existsSync(file())).toBe(false);
  const [secret] = (await vault().list(LOCAL_USER_ID, {})).items.filter(({ name }) => name === 'crashed');
  expect([secret?.version, await valueOf('crashed')]).toEqual([1, 'canary-three']);
});

it('a file that comes back with another value is a rotation', async () => {
  await vault().put(LOCAL_USER_ID, 'again', 'canary-four');
  writeFileSync(file(), JSON.stringify({ again: 'canary-five' }), { mode: 0o600 });
  expect(await valueOf('again')).toBe('canary-five');
  await start();
  expect([existsSync(file()), await valueOf('again')]).toEqual([false, 'canary-five']);
});

it('a file that is saved anew meanwhile is kept for the next start', async () => {
  const old = new Secrets(home);
  writeFileSync(file(), JSON.stringify({ edited: 'canary-six' }), { mode: 0o600 });
  const racing = vault();
  const put = racing.put.bind(racing);
  racing.put = async (...given) => {
    const done = await put(...given);
    writeFileSync(file(), JSON.stringify({ edited: 'canary-seven!' }), { mode: 0o600 });
    return done;
  };
  await importSecretsFile(old, racing, log);
  expect([existsSync(file()), await valueOf('edited')]).toEqual([true, 'canary-seven!']);
});

it.each([
  ['that others can read', '{"a": "canary"}', 0o644, 'secrets_file_unsafe'],
  ['that is no JSON', 'canary', 0o600, 'secrets_file_invalid'],
])('a file %s stays, the log says why, and the start goes on', async (_what, text, mode, code) => {
  writeFileSync(file(), text, { mode });
  await start();
  expect(existsSync(file())).toBe(true);
  expect(said.join()).toContain(code);
  expect(said.join()).not.toContain('canary');
});

it('the file is the local user’s alone', async () => {
  writeFileSync(file(), JSON.stringify({ local: 'canary-eight' }), { mode: 0o600 });
  await expect(vault().resolve('00000000-0000-4000-8000-0000000000ff', 'local')).rejects.toMatchObject({
    code: 'secret_not_found',
  });
});
