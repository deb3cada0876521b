import { randomUUID } from 'node:crypto';
import type { ActionContext } from '../../activities/actions/types';
import { createConnectorActions } from '../../activities/actions/call-connector.actions';
import type { Json, JsonObject } from '../../core/base/json';
import type { ConnectorDefinition } from '../../core/connector/types';
import { confirmBinding } from '../../connectors/auth/confirm-binding';
import { readConnector } from '../../connectors/definition/read-connector';
import { ConnectorBindingsStore } from '../../infra/db/stores/connector-bindings.store';
import { ConnectorsStore } from '../../infra/db/stores/definitions.store';
import { ProfileConnectorsStore, type BindingPlace } from '../../infra/db/stores/profile-connectors.store';
import { ProfileSkillsStore } from '../../infra/db/stores/profile-skills.store';
import type { ConnectorBindingFields, ConnectorBindingRow } from '../../infra/db/stores/profile-types';
import { ProfilesStore } from '../../infra/db/stores/profiles.store';
import { RunBindingsStore } from '../../infra/db/stores/run-bindings.store';
import { RunsStore } from '../../infra/db/stores/runs.store';
import { SharesStore } from '../../infra/db/stores/shares.store';
import { TeamsStore } from '../../infra/db/stores/teams.store';
import { openKeys, openVault } from '../../infra/secrets/open-vault';
import type { SecretVault } from '../../infra/secrets/vault';
import { connectorDeps, testContext } from '../support/connector-deps';
import { sendJson, startHttpSource, type HttpSource } from '../support/http-source';
import { TEST_MASTER_KEYS } from '../support/keys';
import { joinTeam, newRun, OWNER, seedPlaybook, STRANGER, testDatabase, type TestDatabase } from './db-fixture';
import { testRuntime } from '../support/connector-runtime';
import { stepDeps } from '../activities/step-deps';

/** OWNER shares a profile with a team that STRANGER is a member of; calls go to two local sources that repeat what they heard. */
export interface TeamRunBench {
  db: TestDatabase;
  vault: SecretVault;
  api: HttpSource;
  elsewhere: HttpSource;
  place: { profileId: string; teamId: string };
  playbook: { playbookId: string; versionId: string };
  shares: SharesStore;
  profiles: ProfilesStore;
  bindings: ProfileConnectorsStore;
  runs: RunsStore;
  /** A connector of somebody's that sends their secret `api_key` to `url`; gives its pinned version. */
  connector(ownerId: string, url: string): Promise<{ id: string; versionId: string }>;
  /** Binds as the API does: OWNER agrees to what they write into the binding. */
  bind(connectorId: string, fields?: ConnectorBindingFields): Promise<void>;
  rebind(at: BindingPlace, fields: ConnectorBindingFields): Promise<void>;
  /** A run for the profile; by STRANGER it is one of the team. */
  run(by: string, connectors: Record<string, string>): Promise<string>;
  /** Calls `source.endpoint` as a step of the run does. */
  call(by: string, runId: string, connectors: Record<string, string>, endpoint?: string): Promise<Json>;
  /** Events that the calls have noted. */
  notes: { type: string; payload: JsonObject }[];
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

export async function teamRunBench(): Promise<TeamRunBench> {
  const db = await testDatabase();
  const { database } = db;
  const echo = () =>
    startHttpSource((request, response) => sendJson(response, [{ path: request.url, ...request.headers }]));
  const [api, elsewhere] = [await echo(), await echo()];
  const keys = openKeys({ home: '/nowhere', masterKeys: TEST_MASTER_KEYS, masterKeysFile: undefined });
  const vault = openVault({ home: '/nowhere' }, database, keys);
  const deps = connectorDeps({ allow: [api, elsewhere].map(({ port }) => ({ host: HOST, port })) });
  const connectors = new ConnectorsStore<ConnectorDefinition>(database);
  const profiles = new ProfilesStore(database);
  const shares = new SharesStore(database);
  const bindings = new ProfileConnectorsStore(database);
  const places = new ConnectorBindingsStore(database);
  const agree = async ({ connector_id, ...binding }: ConnectorBindingRow): Promise<void> =>
    confirmBinding(places, OWNER, await connectors.resolve(OWNER, connector_id), binding);
  const runs = new RunsStore(database);
  const runtime = testRuntime(database, randomUUID());
  const action = createConnectorActions({
    ...stepDeps(deps, connectors, runtime),
    secrets: vault,
    bindings: new RunBindingsStore(database),
  })['call_connector']!;

  const playbook = await seedPlaybook(database);
  const profile = await profiles.create(OWNER, { handle: 'agent', name: 'Agent' });
  await new ProfileSkillsStore(database).bind(OWNER, profile.id, { playbook: playbook.playbookId });
  const team = await new TeamsStore(database).create(OWNER, { name: 'Unit' });
  await joinTeam(database, { by: OWNER, teamId: team.id, user: STRANGER, role: 'member' });
  const place = { profileId: profile.id, teamId: team.id };
  const notes: TeamRunBench['notes'] = [];
  await shares.share(OWNER, place, {});

  return {
    db,
    vault,
    api,
    elsewhere,
    place,
    playbook,
    shares,
    profiles,
    bindings,
    runs,
    notes,
    connector: async (ownerId, url) => {
      const source = definitionOf(url);
      const { definition } = await connectors.save(ownerId, {
        slug: 'source',
        name: 'Source',
        kind: 'rest_api',
        content_hash: randomUUID(),
        source_format: 'yaml',
        source,
        body: readConnector(source).definition!,
      });
      return { id: definition.id, versionId: definition.latest_version_id };
    },
    bind: async (connectorId, fields = {}) => {
      await agree(await bindings.bind(OWNER, place.profileId, connectorId, fields));
    },
    rebind: async (at, fields) => {
      await agree(await bindings.update(OWNER, at, fields, 'any'));
    },
    run: async (by, pinned) => {
      const profileOf = { id: place.profileId, team_id: by === OWNER ? null : place.teamId };
      return (await runs.create(by, newRun(playbook, { connectors: pinned, profile: profileOf }))).run.id;
    },
    call: async (by, runId, pinned, endpoint = 'read') => {
      const params: JsonObject = { connector: 'source', endpoint };
      const note: ActionContext['note'] = (type, payload) => notes.push({ type, payload });
      const context = { ...contextOf(by, runId, pinned), note };
      const outcome = await action({ action: 'call_connector', inputs: {}, params }, context);
      return 'output' in outcome ? outcome.output : null;
    },
    close: async () => {
      await deps.egress.close();
      await Promise.all([api.close(), elsewhere.close()]);
      await db.close();
    },
  };
}

const definitionOf = (url: string): string => `
id: source
type: rest_api
connection: {base_url: "${url}", auth: {type: bearer_token, secret: {secret: api_key}}}
endpoints:
  read: {path: /read}
  write: {method: POST, path: /write, effect: none}
`;

function contextOf(ownerId: string, runId: string, connectors: Record<string, string>): ActionContext {
  return {
    ...testContext({ ownerId }),
    runId,
    playbookId: 'p',
    stepPath: 's',
    stepName: 's',
    tryNo: 1,
    clock: { now: '2026-01-01T00:00:00Z', today: '2026-01-01', time_zone: 'UTC' },
    connectors,
    note: () => undefined,
  };
}
