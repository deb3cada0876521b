import { describe, expect, it } from '@jest/globals';
import type { ConnectorDefinition, Hooks } from '../../../core/connector/types';
import { callAudit } from '../../../connectors/hooks/audit-log';
import { withoutDisabledLimit, hooksOf, withHooks } from '../../../connectors/hooks/call-hooks';
import type { CallHooks } from '../../../connectors/hooks/hook-types';
import type { ResolvedSecret } from '../../../infra/secrets/secret-source';
import { testContext, connectorDeps, noAudit, preparedCall } from '../../support/connector-deps';

const LIMIT = { requests_per_minute: 5 };
const rest = (hooks?: Hooks, effect: 'none' | 'unsafe' = 'none', ownHooks?: Hooks): ConnectorDefinition => ({
  schema: 1,
  id: 'c',
  name: 'C',
  type: 'rest_api',
  ...(hooks === undefined ? {} : { hooks }),
  connection: {
    base_url: 'https://api.example.org/v1',
    headers: {},
    auth: { type: 'bearer_token', secret: { secret: 'KEY' } },
    timeout_seconds: 5,
    rate_limit: LIMIT,
  },
  endpoints: {
    e: {
      ...(ownHooks === undefined ? {} : { hooks: ownHooks }),
      method: 'GET',
      path: '/',
      parameters: [],
      body_format: 'json',
      response_format: 'json',
      effect,
    },
  },
});
const database = (hooks?: Hooks): ConnectorDefinition => ({
  schema: 1,
  id: 'd',
  name: 'D',
  type: 'database',
  ...(hooks === undefined ? {} : { hooks }),
  connection: {
    driver: 'postgresql',
    auth: { type: 'connection_string', secret: { secret: 'DB' } },
    timeout_seconds: 5,
    rate_limit: LIMIT,
  },
  endpoints: { e: { sql: 'select 1', free_sql: false, parameters: [], max_rows: 1, max_bytes: 1000 } },
});

/** Hooks that write down what they were asked, in order. */
function recorder(fail: { [hook: string]: Error } = {}): { log: unknown[]; hooks: CallHooks } {
  const log: unknown[] = [];
  const note =
    (name: string) =>
    (what: unknown): Promise<void> => {
      log.push([name, what]);
      const error = fail[name];
      return error === undefined ? Promise.resolve() : Promise.reject(error);
    };
  return { log, hooks: { audit: note('audit') } };
}

async function run(
  definition: ConnectorDefinition,
  given: { hooks?: CallHooks; secret?: ResolvedSecret; work?: () => Promise<string> } = {},
): Promise<string> {
  const secret = given.secret ?? { value: 'v', allowedHosts: ['api.example.org'] };
  const deps = connectorDeps({ hooks: given.hooks ?? noAudit, secrets: { resolve: () => Promise.resolve(secret) } });
  const call = preparedCall(deps, { definition, endpoint: 'e', inputs: {}, context: testContext() });
  return withHooks(call, given.work ?? (() => Promise.resolve('done')));
}
const { ownerId, effectKey } = testContext();
const audited = (connector: string, succeeded: boolean): unknown => [
  'audit',
  { ownerId, connector, endpoint: 'e', effectKey, succeeded },
];

describe('hooks around a call', () => {
  it("are all there where a definition says nothing, an endpoint's before its connector's", () => {
    const own: Hooks = { before: [], after: ['audit'] };
    expect(hooksOf(rest(), 'e')).toEqual({ before: ['rate_limit', 'auth_check'], after: ['audit'] });
    expect(hooksOf(rest({ before: ['auth_check'], after: [] }), 'e')).toEqual({ before: ['auth_check'], after: [] });
    expect(hooksOf(rest({ before: ['auth_check'], after: [] }, 'none', own), 'e')).toEqual(own);
  });

  it('the entry comes after the call', async () => {
    const { log, hooks } = recorder();
    const work = (): Promise<string> => {
      log.push('call');
      return Promise.resolve('done');
    };
    expect(await run(database(), { hooks, work })).toBe('done');
    expect(log).toEqual(['call', audited('d', true)]);
  });

  it('a limit that is switched off is not there for what sends the requests', () => {
    const limitOf = (definition: ConnectorDefinition): unknown =>
      'rate_limit' in definition.connection ? definition.connection.rate_limit : undefined;
    expect(limitOf(withoutDisabledLimit(rest(), 'e'))).toEqual(LIMIT);
    const off = rest({ before: ['auth_check'], after: [] });
    expect(limitOf(withoutDisabledLimit(off, 'e'))).toBeUndefined();
    expect(limitOf(off)).toEqual(LIMIT);
    expect(limitOf(withoutDisabledLimit(database(), 'e'))).toEqual(LIMIT);
    expect(limitOf(withoutDisabledLimit(database({ before: [], after: [] }), 'e'))).toBeUndefined();
  });

  it.each<[string, Hooks]>([
    ['an empty `hooks`', { before: [], after: [] }],
    ['another hook alone', { before: ['auth_check'], after: [] }],
  ])('%s does not leave the audit entry out', async (_name, given) => {
    const { log, hooks } = recorder();
    await run(rest(given), { hooks });
    await run(database(given), { hooks });
    expect(log).toEqual([audited('c', true), audited('d', true)]);
  });

  it('an endpoint cannot leave it out either; one before the call comes on top', async () => {
    const { log, hooks } = recorder();
    await run(rest(undefined, 'none', { before: ['audit'], after: [] }), { hooks });
    expect(log).toEqual([audited('c', true), audited('c', true)]);
  });

  it('nothing leaves when a hook before the call says no', async () => {
    let left = false;
    const work = (): Promise<string> => {
      left = true;
      return Promise.resolve('done');
    };
    const secret = { value: 'v', allowedHosts: ['other.example.org'] };
    await expect(run(rest(), { secret, work })).rejects.toMatchObject({ code: 'secret_host_denied' });
    expect(left).toBe(false);
  });

  it('auth_check refuses a host that the secret is not for', async () => {
    const secret = { value: 'v', allowedHosts: ['other.example.org'] };
    await expect(run(rest(), { secret })).rejects.toMatchObject({ code: 'secret_host_denied' });
    expect(await run(rest({ before: [], after: [] }), { secret })).toBe('done');
  });

  it("auth_check looks at where a client's credentials go: the address of the token", async () => {
    const definition = rest() as Extract<ConnectorDefinition, { type: 'rest_api' }>;
    definition.connection.auth = {
      type: 'oauth2_client_credentials',
      token_url: 'https://login.example.org/token',
      in: 'header',
      secret: { secret: 'KEY' },
    };
    await expect(run(definition)).rejects.toMatchObject({ details: { host: 'login.example.org' } });
    expect(await run(definition, { secret: { value: 'v', allowedHosts: ['login.example.org'] } })).toBe('done');
  });

  it('a failed call has an entry, and keeps its error', async () => {
    const { log, hooks } = recorder();
    const work = (): Promise<string> => Promise.reject(new Error('broken'));
    await expect(run(rest(), { hooks, work })).rejects.toThrow('broken');
    expect(log.at(-1)).toEqual(audited('c', false));
    const failing = recorder({ audit: new Error('no audit') });
    await expect(run(rest(), { hooks: failing.hooks, work })).rejects.toThrow('broken');
  });

  it('a missing entry fails a call that only read; the result of an effect is kept', async () => {
    const { hooks } = recorder({ audit: new Error('no audit') });
    await expect(run(rest(), { hooks })).rejects.toThrow('no audit');
    expect(await run(rest(undefined, 'unsafe'), { hooks })).toBe('done');
  });
});

describe('the audit entry of a call', () => {
  it('tells who, which endpoint, and the effect key by its digest alone', async () => {
    const written: unknown[] = [];
    const audit = callAudit({
      add: (entry) => Promise.resolve(void written.push(entry)),
      note: (entry) => Promise.resolve(void written.push(entry)),
      noteAll: (entries) => Promise.resolve(void written.push(...entries)),
    });
    await audit({ ownerId, connector: 'c', endpoint: 'e', effectKey: 'run-1/step', succeeded: true });
    await audit({ ownerId, connector: 'c', endpoint: 'e', effectKey: 'run-1/step', succeeded: false });
    expect(written).toMatchObject([
      {
        ownerId,
        actor: 'run:run-1',
        means: 'run',
        action: 'connector.called',
        objectType: 'connector',
        objectId: 'c.e',
        after: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      { action: 'connector.call_failed' },
    ]);
    expect(JSON.stringify(written)).not.toContain('run-1/step');
  });
});
