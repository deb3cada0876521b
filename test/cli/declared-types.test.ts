import { afterEach, describe, expect, it } from '@jest/globals';
import { endpointTypes, playbookTypes, savedEndpointTypes, stepTypes } from '../../cli/declared-types';
import type { Api } from '../../cli/http/api';
import type { Run } from '../../cli/http/types';
import { readInputs } from '../../cli/inputs';
import { serveApi, type ServedApi } from './served-api';

const CONNECTOR = `
id: irs
endpoints:
  one:
    path: /one
    parameters: [{name: ein}, {name: since, type: date}, {name: n, type: integer}, {name: more, type: any}]
`;
const GIVEN = { input: ['ein=007', 'since=20251231', 'n=7', 'more=[1]', 'other=8'] };
const READ = { ein: '007', since: '20251231', n: 7, more: [1], other: 8 };

const PLAN = {
  inputs: [{ name: 'ein', type: 'string' }],
  steps: [
    { name: 'read', kind: 'tool', action: 'call_connector', inputs: {}, params: { connector: 'irs', endpoint: 'one' } },
    { name: 'note', kind: 'tool', action: 'write_journal_entry', inputs: {}, params: {} },
    { name: 'sub', kind: 'run_playbook', playbook: 'inner', inputs: {} },
    { name: 'ask', kind: 'approval', prompt: '?' },
  ],
};
const ANSWERS: Record<string, object> = {
  '/connectors/irs': { source: CONNECTOR },
  '/playbooks/outer/versions/2': { plan: PLAN },
  '/playbooks/inner': { version: { plan: PLAN } },
};

let served: ServedApi | undefined;
afterEach(() => served?.close());

async function api(): Promise<Api> {
  served = await serveApi((request, response) => {
    const found = ANSWERS[(request.url ?? '').replace('/api/agent-factory', '')];
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? { code: 'playbook_not_found', detail: 'There is none.' }));
  });
  return served.api;
}

describe('inputs of an endpoint', () => {
  it('are of the types that its connector declares, in a file and as it is saved; one without a type is text', async () => {
    expect(readInputs(GIVEN, endpointTypes(CONNECTOR, 'one'))).toEqual(READ);
    expect(readInputs(GIVEN, await savedEndpointTypes(await api(), 'irs', 'one'))).toEqual(READ);
  });

  it.each([['two'], ['toString']])('of an endpoint that there is not (%s) are of no known type', (endpoint) => {
    expect(endpointTypes(CONNECTOR, endpoint).size).toBe(0);
  });

  it.each([[': ['], [''], ['a'], ['endpoints: {one: null}']])('of a text that is no connector (%j) neither', (text) => {
    expect(endpointTypes(text, 'one').size).toBe(0);
  });
});

describe('inputs of the step that a retry begins with', () => {
  const run = (...bad: string[]): Run =>
    ({
      playbook: { slug: 'outer', version_no: 2 },
      steps: PLAN.steps.map(({ name }) => ({ step: name, status: bad.includes(name) ? 'failed' : 'ok' })),
    }) as unknown as Run;

  it.each([
    ['the endpoint that it calls', 'read', READ],
    ['the contract of its action', 'note', { ...READ, since: 20251231, ein: '007' }],
    ['the sub-playbook', 'sub', { ...READ, since: 20251231 }],
    ['nothing: a gate has none', 'ask', { ...READ, since: 20251231 }],
    ['nothing: there is no such step', 'raed', { ...READ, since: 20251231 }],
  ])('are of the types of %s', async (_what, step, expected) => {
    expect(readInputs(GIVEN, await stepTypes(await api(), run(), step))).toEqual(expected);
  });

  it('are those of the first step that did not succeed, where none is named', async () => {
    expect(await stepTypes(await api(), run('sub', 'read'))).toEqual(endpointTypes(CONNECTOR, 'one'));
    expect([...(await stepTypes(await api(), run('note', 'sub'))).keys()]).toContain('summary');
  });
});

it('inputs of a playbook that there is not are of no known type: its start says so', async () => {
  expect((await playbookTypes(await api(), 'none')).size).toBe(0);
});
