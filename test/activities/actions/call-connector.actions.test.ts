import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ActionContext } from '../../../activities/actions/types';
import { createConnectorActions } from '../../../activities/actions/call-connector.actions';
import type { ConnectorVersions } from '../../../activities/actions/connector-versions';
import type { Confirmations } from '../../../connectors/auth/confirmation';
import { readConnector } from '../../../connectors/definition/read-connector';
import { sendJson, startHttpSource } from '../../support/http-source';
import type { HttpSource } from '../../support/http-source';
import { connectorDeps, testContext, writtenAsTheyAre, type ConnectorDeps } from '../../support/connector-deps';
import { stepDeps } from '../step-deps';

const OWNER = '00000000-0000-4000-8000-000000000001';
let source: HttpSource;
beforeAll(async () => {
  source = await startHttpSource((request, response) => sendJson(response, [{ path: request.url }]));
});
afterAll(() => source.close());

/** Versions of one connector: v1 calls /old, v2 calls /new. */
function versionsOf(): ConnectorVersions {
  const body = (path: string) =>
    readConnector(`{id: c, type: rest_api, connection: {base_url: "${source.url}"}, endpoints: {e: {path: ${path}}}}`)
      .definition!;
  const rows = new Map([
    ['v1', { body: body('/old') }],
    ['v2', { body: body('/new') }],
  ]);
  return { version: (ownerId, id) => Promise.resolve(ownerId === OWNER ? (rows.get(id) ?? null) : null) };
}

function context(connectors: Record<string, string>, ownerId = OWNER): ActionContext {
  return {
    ...testContext({ ownerId }),
    runId: 'r',
    playbookId: 'p',
    stepPath: 's',
    stepName: 's',
    tryNo: 1,
    clock: { now: '2026-01-01T00:00:00Z', today: '2026-01-01', time_zone: 'UTC' },
    connectors,
    note: () => undefined,
  };
}

describe('call_connector', () => {
  const call = { action: 'call_connector', inputs: {}, params: { connector: 'c', endpoint: 'e' } };
  let deps: ConnectorDeps;
  beforeAll(() => {
    deps = connectorDeps({ allow: [{ host: '127.0.0.1', port: source.port }], secretValues: { k: 'canary' } });
  });
  afterAll(() => deps.egress.close());
  const action = () => createConnectorActions(stepDeps(deps, versionsOf()))['call_connector']!;

  it('calls the version that the run pinned', async () => {
    await expect(action()(call, context({ c: 'v1' }))).resolves.toEqual({
      output: { results: [{ path: '/old' }], count: 1, status: 200 },
    });
    await expect(action()(call, context({ c: 'v2' }))).resolves.toMatchObject({
      output: { results: [{ path: '/new' }] },
    });
  });

  it.each([
    ['a connector that is not pinned', { connector: 'other', endpoint: 'e' }, OWNER, 'connector_not_found'],
    ['a name of the prototype', { connector: 'constructor', endpoint: 'e' }, OWNER, 'connector_not_found'],
    [
      'the connector of another owner',
      { connector: 'c', endpoint: 'e' },
      OWNER.replace('1', '2'),
      'connector_not_found',
    ],
    ['an endpoint that is not there', { connector: 'c', endpoint: 'f' }, OWNER, 'endpoint_not_found'],
    ['no endpoint', { connector: 'c' }, OWNER, 'invalid_input'],
  ] as [string, Record<string, string>, string, string][])('refuses %s', async (_name, params, ownerId, code) => {
    await expect(action()({ ...call, params }, context({ c: 'v1' }, ownerId))).rejects.toMatchObject({ code });
  });

  it('sends no secret anywhere before its owner has agreed to the place', async () => {
    const before = source.seen.length;
    const keyed = readConnector(
      `{id: c, type: rest_api, connection: {base_url: "${source.url}", auth: {type: bearer_token, secret: {secret: k}}}, endpoints: {e: {path: /}}}`,
    ).definition!;
    const connectors = { version: () => Promise.resolve({ body: keyed }) };
    const act = (agreed: Confirmations) =>
      createConnectorActions({ ...stepDeps(deps, connectors), confirmations: agreed })['call_connector']!;
    const nobody: Confirmations = { confirmations: () => Promise.resolve(undefined) };
    await expect(act(nobody)(call, context({ c: 'v1' }))).rejects.toMatchObject({ code: 'needs_confirmation' });
    expect(source.seen).toHaveLength(before);
    await expect(act(writtenAsTheyAre(connectors))(call, context({ c: 'v1' }))).resolves.toHaveProperty('output');
  });
});
