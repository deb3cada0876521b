import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { owner } from '../../infra/db/database';
import { RunBindingsStore } from '../../infra/db/stores/run-bindings.store';
import { OWNER, STRANGER } from './db-fixture';
import { teamRunBench, type TeamRunBench } from './team-run-fixture';

const VALUE = 'canary-of-the-owner';
const OTHER = 'canary-second-value';
const MINE = 'canary-of-the-member';

let bench: TeamRunBench;
let pinned: { id: string; versionId: string };
let connectors: Record<string, string>;
beforeAll(async () => {
  bench = await teamRunBench();
  const { vault, api, elsewhere } = bench;
  const here = [`127.0.0.1:${api.port}`];
  await vault.create(OWNER, 'api_key', { value: VALUE, allowedHosts: here });
  await vault.create(OWNER, 'second', { value: OTHER, allowedHosts: [...here, `127.0.0.1:${elsewhere.port}`] });
  await vault.create(STRANGER, 'api_key', { value: MINE, allowedHosts: ['*'] });
  pinned = await bench.connector(OWNER, api.url);
  connectors = { source: pinned.versionId };
}, 60_000);
afterAll(() => bench.close());

/** Every test begins with the binding that it needs, and a share that holds. */
beforeEach(async () => {
  const { db, api, elsewhere } = bench;
  await db.admin.query('delete from profile_connectors');
  api.seen.length = 0;
  elsewhere.seen.length = 0;
});

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => (error as { code?: string }).code,
  );
const sent = (): (string | undefined)[] => bench.api.seen.map(({ headers }) => headers.authorization);

describe('a member’s run for a colleague’s profile', () => {
  it('sends the owner’s secret through an allowed endpoint, and hears nothing of it', async () => {
    await bench.bind(pinned.id, { permissions: { allowed_endpoints: ['read'] } });
    const run = await bench.run(STRANGER, connectors);
    const output = await bench.call(STRANGER, run, connectors);
    expect(sent()).toEqual([`Bearer ${VALUE}`]);
    expect(output).toMatchObject({ count: 1, results: [{ path: '/read', authorization: 'Bearer [masked]' }] });
    expect(JSON.stringify(output)).not.toContain('canary');
  });

  it('sends nothing through another endpoint', async () => {
    await bench.bind(pinned.id, { permissions: { allowed_endpoints: ['read'] } });
    const run = await bench.run(STRANGER, connectors);
    expect(await codeOf(bench.call(STRANGER, run, connectors, 'write'))).toBe('endpoint_not_allowed');
    expect(bench.api.seen).toEqual([]);
  });

  it('names the source in its log, also where its binding lets no call be made', async () => {
    await bench.bind(pinned.id, { permissions: { allowed_endpoints: ['write'] } });
    const run = await bench.run(STRANGER, connectors);
    const noted = async (): Promise<unknown> => {
      bench.notes.length = 0;
      const code = await codeOf(bench.call(STRANGER, run, connectors));
      return [code, bench.notes.map(({ type, payload }) => [type, payload['connector'], payload['outcome']])];
    };
    const refused = (code: string): unknown => [code, [['source.called', 'source', code]]];
    expect(await noted()).toEqual(refused('endpoint_not_allowed'));
    // Past the API, which takes no such address.
    const invalid = { permissions: {}, config_overrides: { base_url: 'nowhere' } };
    await bench.bindings.update(OWNER, place(), invalid, 'any');
    expect(await noted()).toEqual(refused('invalid_binding'));
    await bench.bindings.unbind(OWNER, place(), 'any');
    expect(await noted()).toEqual(refused('binding_removed'));
    expect(bench.api.seen).toEqual([]);
  });

  it('sends the secret that the binding names, and asks for one that it knows', async () => {
    await bench.bind(pinned.id, { credentials: { token: { secret: 'second' } } });
    const run = await bench.run(STRANGER, connectors);
    await bench.call(STRANGER, run, connectors);
    expect(sent()).toEqual([`Bearer ${OTHER}`]);
    await bench.rebind(place(), { credentials: { colour: { secret: 'second' } } });
    expect(await codeOf(bench.call(STRANGER, run, connectors))).toBe('invalid_binding');
    await bench.rebind(place(), { credentials: { token: { secret: 'none' } } });
    const refused = bench.call(STRANGER, run, connectors);
    await expect(refused).rejects.toMatchObject({
      code: 'secret_not_found',
      message: expect.stringMatching(
        /^(?!.*none)The secret `api_key` .*The person who shares this agent must store it/,
      ),
    });
    expect(bench.api.seen).toHaveLength(1);
  });

  it('is told of a secret that cannot be used under the name of the connector alone', async () => {
    await bench.vault.create(OWNER, 'broken_one', { value: 'canary\nof two lines', allowedHosts: ['*'] });
    await bench.bind(pinned.id, { credentials: { token: { secret: 'broken_one' } } });
    const refused = bench.call(STRANGER, await bench.run(STRANGER, connectors), connectors);
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_secret',
      message: expect.stringMatching(/^(?!.*broken_one).*`api_key`/),
    });
    await expect(bench.call(OWNER, await bench.run(OWNER, connectors), connectors)).rejects.toMatchObject({
      code: 'invalid_secret',
      message: expect.stringContaining('`broken_one`'),
    });
  });

  it('goes where the binding sends it, and the secret to its own hosts alone', async () => {
    const config_overrides = { base_url: `${bench.elsewhere.url}/v2` };
    await bench.bind(pinned.id, { config_overrides });
    const run = await bench.run(STRANGER, connectors);
    expect(await codeOf(bench.call(STRANGER, run, connectors))).toBe('secret_host_denied');
    expect([...bench.api.seen, ...bench.elsewhere.seen]).toEqual([]);
    await bench.rebind(place(), { credentials: { token: { secret: 'second' } } });
    expect(await bench.call(STRANGER, run, connectors)).toMatchObject({ results: [{ path: '/v2/read' }] });
    expect(bench.elsewhere.seen.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${OTHER}`]);
  });

  it('sends nothing to an address that nobody agreed to, whoever wrote it into the binding', async () => {
    await bench.bind(pinned.id);
    const run = await bench.run(STRANGER, connectors);
    const config_overrides = { base_url: `${bench.elsewhere.url}/v3` };
    // Past the API, which would have asked its owner.
    await bench.bindings.update(OWNER, place(), { config_overrides }, 'any');
    await bench.db.admin.query('delete from connector_confirmations');
    await expect(bench.call(STRANGER, run, connectors)).rejects.toMatchObject({
      code: 'needs_confirmation',
      message: expect.stringContaining('with its `credentials` and `config_overrides` in one request'),
      details: { new_origins: [bench.elsewhere.url], known_origins: [bench.api.url] },
    });
    expect([...bench.api.seen, ...bench.elsewhere.seen]).toEqual([]);
  });

  it('sends another secret of the owner’s only where they agreed to for that one', async () => {
    await bench.bind(pinned.id);
    const run = await bench.run(STRANGER, connectors);
    await bench.db.admin.query('delete from connector_confirmations');
    await bench.bindings.update(OWNER, place(), { credentials: { token: { secret: 'second' } } }, 'any');
    await expect(bench.call(STRANGER, run, connectors)).rejects.toMatchObject({
      code: 'needs_confirmation',
      details: { new_origins: [bench.api.url], known_origins: [] },
    });
    expect(bench.api.seen).toEqual([]);
    await bench.rebind(place(), { credentials: { token: { secret: 'second' } } });
    await bench.call(STRANGER, run, connectors);
    expect(sent()).toEqual([`Bearer ${OTHER}`]);
  });

  it('keeps the version that it pinned when the owner edits the connector', async () => {
    await bench.bind(pinned.id);
    const run = await bench.run(STRANGER, connectors);
    const edited = await bench.connector(OWNER, bench.elsewhere.url);
    expect(edited.id).toBe(pinned.id);
    await bench.call(STRANGER, run, connectors);
    expect(sent()).toEqual([`Bearer ${VALUE}`]);
    // Claims of the workflow beside the run's row pin nothing.
    expect(await codeOf(bench.call(STRANGER, run, { source: edited.versionId }))).toBe('connector_not_found');
    await bench.connector(OWNER, bench.api.url);
  });

  it('cannot take a connector of the member’s own to point the secret elsewhere', async () => {
    await bench.bind(pinned.id);
    const own = { source: (await bench.connector(STRANGER, bench.elsewhere.url)).versionId };
    expect(await codeOf(bench.run(STRANGER, own))).toBe('access_revoked');
    const run = await bench.run(STRANGER, connectors);
    expect(await codeOf(bench.call(STRANGER, run, own))).toBe('connector_not_found');
    await bench.db.admin.query('update runs set connectors = $2 where id = $1', [run, JSON.stringify(own)]);
    expect(await codeOf(bench.call(STRANGER, run, own))).toBe('connector_not_found');
    expect([...bench.api.seen, ...bench.elsewhere.seen]).toEqual([]);
  });

  it.each([
    ['is removed', () => bench.bindings.unbind(OWNER, place(), 'any')],
    ['is switched off', () => bench.bindings.update(OWNER, place(), { is_enabled: false }, 'any')],
  ])('calls nothing any more when the binding %s', async (_how, lose) => {
    await bench.bind(pinned.id);
    const run = await bench.run(STRANGER, connectors);
    await lose();
    expect(await codeOf(bench.call(STRANGER, run, connectors))).toBe('binding_removed');
    expect(bench.api.seen).toEqual([]);
    expect((await bench.runs.require(STRANGER, run)).control).toBe('run');
  });

  it.each<[string, lose: () => Promise<unknown>, back: () => Promise<unknown>]>([
    [
      'the share ends',
      () => bench.shares.unshare(OWNER, bench.place, 'any'),
      () => bench.shares.share(OWNER, bench.place, {}),
    ],
    [
      'the profile is switched off',
      () => bench.profiles.update(OWNER, bench.place.profileId, { is_active: false }, 'any'),
      () => bench.profiles.update(OWNER, bench.place.profileId, { is_active: true }, 'any'),
    ],
    [
      'the account of its owner is deactivated',
      () => bench.db.admin.query(`update users set status = 'deactivated' where id = $1`, [OWNER]),
      () => bench.db.admin.query(`update users set status = 'active' where id = $1`, [OWNER]),
    ],
  ])('is paused, and calls nothing, when %s', async (_what, lose, back) => {
    await bench.bind(pinned.id);
    const run = await bench.run(STRANGER, connectors);
    await lose();
    expect((await bench.runs.require(STRANGER, run)).revoked_at).not.toBeNull();
    // A step that had begun begins anew when the run goes on: it is no failure of the step.
    expect(await codeOf(bench.call(STRANGER, run, connectors))).toBe('interrupted');
    expect(await codeOf(bench.runs.setControl(STRANGER, run, 'run'))).toBe('access_revoked');
    expect(bench.api.seen).toEqual([]);
    await back();
    await bench.runs.setControl(STRANGER, run, 'run');
    await bench.call(STRANGER, run, connectors);
    expect(sent()).toEqual([`Bearer ${VALUE}`]);
  });
});

describe('the ciphertext of a secret', () => {
  it('is given for one run, one pinned version, one allowed endpoint and the name that is bound', async () => {
    await bench.bind(pinned.id, { permissions: { allowed_endpoints: ['read'] } });
    const runId = await bench.run(STRANGER, connectors);
    const own = await bench.connector(STRANGER, bench.elsewhere.url);
    const bindings = new RunBindingsStore(bench.db.database);
    const use = { runId, ownerId: STRANGER, versionId: pinned.versionId };
    expect(await bindings.secret(use, 'read', 'api_key')).toMatchObject({ owner_id: OWNER });
    expect(await bindings.secret({ ...use, ownerId: OWNER }, 'read', 'api_key')).toBeNull();
    expect(await bindings.secret({ ...use, versionId: own.versionId }, 'read', 'api_key')).toBeNull();
    expect(await bindings.secret(use, 'write', 'api_key')).toBeNull();
    expect(await bindings.secret(use, 'read', 'second')).toBeNull();
  });

  it('is nothing that a person may ask for', async () => {
    await bench.bind(pinned.id);
    const runId = await bench.run(STRANGER, connectors);
    const text = 'select * from af_bound_secret($1, $2, $3, $4, $5)';
    const asked = bench.db.database.query(owner(STRANGER), text, [
      runId,
      STRANGER,
      pinned.versionId,
      'read',
      'api_key',
    ]);
    expect(await codeOf(asked)).toBe('42501');
    const seen = await bench.db.database.query(owner(STRANGER), 'select owner_id from secrets');
    expect(seen).toEqual([{ owner_id: STRANGER }]);
  });
});

describe('a run for a profile of one’s own', () => {
  it('follows its binding, and calls what is not bound as it is', async () => {
    const run = await bench.run(OWNER, connectors);
    await bench.call(OWNER, run, connectors, 'write');
    await bench.bind(pinned.id, {
      permissions: { allowed_endpoints: ['read'] },
      credentials: { secret: { secret: 'second' } },
    });
    expect(await codeOf(bench.call(OWNER, run, connectors, 'write'))).toBe('endpoint_not_allowed');
    await bench.call(OWNER, run, connectors);
    expect(sent()).toEqual([`Bearer ${VALUE}`, `Bearer ${OTHER}`]);
    await bench.bindings.update(OWNER, place(), { is_enabled: false }, 'any');
    expect(await codeOf(bench.call(OWNER, run, connectors))).toBe('binding_removed');
  });
});

const place = () => ({ profileId: bench.place.profileId, connectorId: pinned.id });
