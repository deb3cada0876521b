import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { LOCAL_USER_ID as MEMBER } from '../../core/base/run-status';
import type { ConnectorDefinition } from '../../core/connector/types';
import { parsePlaybook } from '../../core/playbook/parse-playbook';
import { readConnector } from '../../connectors/definition/read-connector';
import { ConnectorsStore } from '../../infra/db/stores/definitions.store';
import { ProfileConnectorsStore } from '../../infra/db/stores/profile-connectors.store';
import { ProfileSkillsStore } from '../../infra/db/stores/profile-skills.store';
import { ProfilesStore } from '../../infra/db/stores/profiles.store';
import { SharesStore } from '../../infra/db/stores/shares.store';
import { TeamsStore } from '../../infra/db/stores/teams.store';
import { openKeys, openVault } from '../../infra/secrets/open-vault';
import { joinTeam } from '../db/db-fixture';
import { sendJson, startHttpSource, type HttpSource } from '../support/http-source';
import { startInProcess, type InProcess } from '../support/in-process';
import { startApiOf, type TestApi } from './api-fixture';

/** A member runs a colleague's agent, whose connector sends the colleague's secret: real Temporal, worker and source. */
const COLLEAGUE = '00000000-0000-4000-8000-000000000002';
const VALUE = 'canary-of-the-colleague';

const CONNECTOR = (url: string): string => `
id: source
type: rest_api
connection: {base_url: "${url}", auth: {type: bearer_token, secret: {secret: api_key}}}
endpoints:
  read: {path: /read}
  hidden: {path: /hidden}
`;
const step = (name: string, endpoint: string): string => `
  - name: ${name}
    step_type: tool
    action: call_connector
    params: {connector: source, endpoint: ${endpoint}}`;
const PLAYBOOKS = {
  reader: `id: reader\nname: Reader\nexecution_mode: deterministic\nsteps:${step('rows', 'read')}`,
  hidden: `id: hidden\nname: Hidden\nsteps:${step('rows', 'hidden')}`,
  caller: `id: caller\nname: Caller\nsteps:\n  - name: child\n    action: run_playbook\n    playbook: reader`,
};

let source: HttpSource;
let product: InProcess;
let api: TestApi;
let place: { profileId: string; teamId: string };
const ids: Record<string, string> = {};
let skills: ProfileSkillsStore;

beforeAll(async () => {
  source = await startHttpSource((request, response) =>
    sendJson(response, [{ path: request.url, heard: request.headers.authorization ?? 'nothing' }]),
  );
  product = await startInProcess({ env: { AF_EGRESS_ALLOW: `127.0.0.1:${source.port}` } });
  const { config, admin, database } = product;
  api = await startApiOf(product);
  await admin.query(`insert into users (id, handle, display_name) values ($1, 'colleague', 'Colleague')`, [COLLEAGUE]);
  const vault = openVault(config, database, openKeys(config));
  await vault.create(COLLEAGUE, 'api_key', { value: VALUE, allowedHosts: [`127.0.0.1:${source.port}`] });
  const text = CONNECTOR(source.url);
  const connectors = new ConnectorsStore<ConnectorDefinition>(database);
  const { definition } = await connectors.save(COLLEAGUE, {
    slug: 'source',
    name: 'Source',
    kind: 'rest_api',
    content_hash: 'h',
    source_format: 'yaml',
    source: text,
    body: readConnector(text).definition!,
  });
  const profile = await new ProfilesStore(database).create(COLLEAGUE, { handle: 'agent', name: 'Agent' });
  const permissions = { allowed_endpoints: ['read'] };
  await new ProfileConnectorsStore(database).bind(COLLEAGUE, profile.id, definition.id, { permissions });
  const team = await new TeamsStore(database).create(COLLEAGUE, { name: 'Desk' });
  await joinTeam(database, { by: COLLEAGUE, teamId: team.id, user: MEMBER, role: 'member' });
  place = { profileId: profile.id, teamId: team.id };
  await new SharesStore(database).share(COLLEAGUE, place, {});
  skills = new ProfileSkillsStore(database);
  for (const [slug, yaml] of Object.entries(PLAYBOOKS)) {
    const { plan, problems } = parsePlaybook(yaml);
    if (!plan) throw new Error(JSON.stringify(problems));
    const saved = {
      slug,
      name: slug,
      content_hash: randomUUID(),
      source_format: 'yaml' as const,
      source: yaml,
      body: plan,
    };
    ids[slug] = (await product.playbooks.save(COLLEAGUE, saved)).definition.id;
    await skills.bind(COLLEAGUE, place.profileId, { playbook: slug });
  }
  // The member's own: another playbook and another connector under the same names.
  const own = PLAYBOOKS.reader.replaceAll('source', 'mine');
  await api.call('POST', '/connectors', { source: CONNECTOR('http://127.0.0.1:9').replace('id: source', 'id: mine') });
  expect((await api.call('POST', '/playbooks', { source: own })).status).toBe(201);
}, 120_000);
afterAll(async () => {
  await api.close();
  await product.close();
  await source.close();
});
beforeEach(() => {
  source.seen.length = 0;
});

async function run(playbook: string): Promise<string> {
  const started = await api.call('POST', '/runs', { playbook, profile_id: place.profileId });
  expect(started).toMatchObject({ status: 201 });
  const runId = String(started.body['runId']);
  await product.done(runId);
  return runId;
}

/** Reads everything that the member can read of a run. */
async function shown(runId: string): Promise<string> {
  const paths = ['', '/steps', '/outputs', '/model-calls', '/effects', '/tries?step_path=rows'];
  const parts = [];
  for (const path of paths) parts.push((await api.call('GET', `/runs/${runId}${path}`)).body);
  const secrets = await api.call('GET', '/secrets');
  return JSON.stringify([...parts, await product.events(runId), secrets.body]);
}

describe('a run for a colleague’s agent', () => {
  it('sends the colleague’s secret by an allowed endpoint, and shows it nowhere', async () => {
    const runId = await run('reader');
    expect(source.seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([['/read', `Bearer ${VALUE}`]]);
    const detail = await api.call('GET', `/runs/${runId}`);
    expect(detail.body).toMatchObject({
      status: 'complete',
      strategy: 'pipeline',
      output_destinations: [],
      outputs: { rows: { results: [{ path: '/read', heard: 'Bearer [masked]' }] } },
    });
    const all = await shown(runId);
    expect(all).toContain('[masked]');
    expect(all).not.toContain('canary');
    expect(all).not.toContain('api_key');
  });

  it('fails at an endpoint that the binding leaves out, and sends nothing', async () => {
    const runId = await run('hidden');
    const { items } = (await api.call('GET', `/runs/${runId}/tries?step_path=rows`)).body;
    expect(items?.[0]).toMatchObject({ status: 'failed', error: { code: 'endpoint_not_allowed' } });
    expect(source.seen).toEqual([]);
  });

  it('calls playbooks that are skills of the agent, with connectors that are bound to it', async () => {
    const runId = await run('caller');
    expect((await api.call('GET', `/runs/${runId}`)).body['status']).toBe('complete');
    const [child] = await product.runs.children(MEMBER, runId);
    expect(child).toMatchObject({ playbook_id: ids['reader'], profile_id: place.profileId, team_id: place.teamId });
    expect(source.seen.map(({ url }) => url)).toEqual(['/read']);
  });

  it('calls no playbook that the agent has not as a skill, not even one of the member’s own', async () => {
    const { items } = { items: await skills.list(COLLEAGUE, place.profileId) };
    const reader = items.find((skill) => skill.playbook_slug === 'reader');
    const at = { profileId: place.profileId, skillId: reader?.id ?? '' };
    await skills.update(COLLEAGUE, at, { is_enabled: false }, 'any');
    const runId = await run('caller');
    const detail = JSON.stringify((await api.call('GET', `/runs/${runId}/steps`)).body);
    expect(detail).toContain('playbook_not_found');
    expect(await product.runs.children(MEMBER, runId)).toEqual([]);
    expect(source.seen).toEqual([]);
    await skills.update(COLLEAGUE, at, { is_enabled: true }, 'any');
  });

  it('is retried as long as the agent runs its playbook, and says why it is not', async () => {
    const runId = await run('reader');
    const retry = async (): Promise<unknown> => {
      const { status, body } = await api.call('POST', `/runs/${runId}/retry`, {});
      return [status, body.code];
    };
    const skill = (await skills.list(COLLEAGUE, place.profileId)).find((each) => each.playbook_slug === 'reader');
    const at = { profileId: place.profileId, skillId: skill?.id ?? '' };
    await skills.update(COLLEAGUE, at, { is_enabled: false }, 'any');
    expect(await retry()).toEqual([409, 'playbook_withdrawn']);
    await skills.update(COLLEAGUE, at, { is_enabled: true }, 'any');
    const shares = new SharesStore(product.database);
    await shares.unshare(COLLEAGUE, place, 'any');
    expect(await retry()).toEqual([403, 'access_revoked']);
    await shares.share(COLLEAGUE, place, {});
    expect(await retry()).toEqual([201, undefined]);
  });
});
