import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PREFIX, startApi, type Answer, type TestApi } from './api-fixture';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const ID = '0f8fad5b-d9cb-469f-a165-70867728950e';
const accepting = (path: string, accept: string): Promise<Answer> => api.call('GET', path, undefined, { accept });

function expectProblem(answer: Answer, status: number, code: string): void {
  expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
  expect(answer.headers.get('content-type')).toContain('application/problem+json');
}

describe('methods', () => {
  it.each([
    ['DELETE', '/runs', 'GET, POST'],
    ['PATCH', '/playbooks/two-steps', 'DELETE, GET, PUT'],
    ['GET', `/runs/${ID}/cancel`, 'POST'],
  ])('%s is none that %s takes', async (method, path, allow) => {
    const answer = await api.call(method, path);
    expectProblem(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('allow')).toBe(allow);
  });
});

describe('types', () => {
  it.each(['text/html', 'application/xml, text/*', 'application/json;q=0', 'application/problem+json'])(
    'answers none of %s',
    async (accept) => {
      expectProblem(await accepting('/runs', accept), 406, 'not_acceptable');
    },
  );

  it.each(['*/*', 'application/*', 'text/html, application/json;q=0.1', 'Application/JSON; charset=utf-8'])(
    'answers %s',
    async (accept) => {
      expect((await accepting('/runs', accept)).status).toBe(200);
    },
  );

  it('are those of the route', async () => {
    const accept = 'application/x-ndjson';
    expect((await fetch(`${api.url}${PREFIX}/decisions/export`, { headers: { ...api.headers, accept } })).status).toBe(
      200,
    );
    expectProblem(await accepting('/runs', accept), 406, 'not_acceptable');
    expectProblem(await accepting(`/runs/${ID}/events`, 'text/event-stream'), 404, 'run_not_found');
  });

  it('of bodies are JSON where it wants JSON, and bytes where it wants bytes', async () => {
    const bytes = { 'content-type': 'application/octet-stream' };
    expectProblem(await api.call('POST', '/runs', { playbook: 'x' }, bytes), 415, 'unsupported_media_type');
    const json = await api.call('POST', '/documents?name=a.txt', { playbook: 'x' });
    expectProblem(json, 415, 'unsupported_media_type');
  });
});

describe('problems', () => {
  it('point at the field in the body that was sent', async () => {
    const wrong = await api.call('POST', '/runs', { playbook: 'two-steps', inputs: {}, 'own/er~': 1 });
    expect(wrong.body.problems).toMatchObject([{ field: 'own/er~', pointer: '/own~1er~0' }]);
    const hosts = { name: 'a', value: 'a value', allowed_hosts: ['no host'] };
    expect((await api.call('POST', '/secrets', hosts)).body.problems).toMatchObject([{ pointer: '/allowed_hosts' }]);
    const query = await api.call('GET', '/runs?limit=0');
    expect(query.body.problems?.map((problem) => Object.keys(problem).includes('pointer'))).toEqual([false]);
  });
});
