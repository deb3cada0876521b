import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { PREFIX, rowCounts, startApi, TWO_STEPS, type TestApi } from './api-fixture';

let api: TestApi;
let before: Record<string, number>;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  before = await rowCounts(api);
});
/** Whatever was refused here changed nothing. */
afterEach(async () => {
  expect(await rowCounts(api)).toEqual(before);
});

interface Raw {
  status: number;
  type: string;
  body: { code?: string; detail?: string; request_id?: string; status?: number };
  text: string;
}

/** node:http, because fetch hides Host, Origin and odd paths from us. */
function raw(
  method: string,
  path: string,
  options: { headers?: Record<string, string>; body?: string | Buffer } = {},
): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port: api.port,
        method,
        path,
        headers: { ...api.headers, ...options.headers },
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const type = response.headers['content-type'] ?? '';
          const body = (type.includes('json') && text !== '' ? JSON.parse(text) : {}) as Raw['body'];
          resolve({ status: response.statusCode ?? 0, type, body, text });
        });
      },
    );
    sent.on('error', reject);
    sent.end(options.body);
  });
}

/** Bytes as they are, for what no client would send. */
function bytes(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(api.port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString();
      socket.end();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

function expectProblem(answer: Raw, status: number, code: string): void {
  expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
  expect(answer.type).toContain('application/problem+json');
  expect(answer.body.detail).toBeTruthy();
  expect(answer.text).not.toMatch(/\bat .*\.(ts|js):\d+|node_modules|select |insert /);
}

const JSON_TYPE = { 'content-type': 'application/json' };
const RUN = JSON.stringify({ playbook: 'two-steps', inputs: {} });

describe('problem details', () => {
  it('say what, in the form of RFC 9457, with the request id of the header', async () => {
    const answer = await api.call('GET', '/runs/0f8fad5b-d9cb-469f-a165-70867728950e', undefined, {
      'x-request-id': 'my-id.7',
    });
    expect(answer.body).toEqual({
      type: 'urn:agent-factory:error:run_not_found',
      title: 'Not Found',
      status: 404,
      detail: 'There is no run "0f8fad5b-d9cb-469f-a165-70867728950e". GET /runs lists them.',
      code: 'run_not_found',
      request_id: 'my-id.7',
    });
    expect(answer.headers.get('x-request-id')).toBe('my-id.7');
  });

  it('replace a request id that could break a log line (K04)', async () => {
    const answer = await raw('GET', `${PREFIX}/nothing`, { headers: { 'x-request-id': '{"level":"fatal"}' } });
    expect(answer.body.request_id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('list every field of a body that is not right', async () => {
    const { status, body } = await api.call('POST', '/runs', {
      playbook: ['x'],
      inputs: 'none',
      owner_id: 'me',
      time_zone: 3,
    });
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_request' });
    const found = body.problems?.map((problem) => `${problem.field} ${problem.code}`);
    expect(found).toEqual(
      expect.arrayContaining([
        'owner_id unknown_field',
        'playbook invalid_field',
        'inputs invalid_field',
        'time_zone invalid_field',
      ]),
    );
  });

  it('say of a field that is missing that it is missing, once', async () => {
    const { body } = await api.call('POST', '/runs', {});
    expect(body.problems).toEqual([
      expect.objectContaining({ field: 'playbook', code: 'invalid_field', message: 'playbook is missing' }),
    ]);
  });
});

describe('who may ask', () => {
  it.each([
    'evil.test',
    'evil.test:80',
    '127.0.0.1.evil.test',
    'localhost',
    '127.0.0.1:1',
    '0.0.0.0',
    '169.254.169.254',
    '[::1]x',
  ])('refuses the host %s on every route (A10)', async (host) => {
    for (const path of [`${PREFIX}/runs`, '/health/live', '/api/docs', '/api/docs-json', '/nothing']) {
      expectProblem(await raw('GET', path, { headers: { host } }), 403, 'foreign_host');
    }
  });

  it('answers loopback names with its own port', async () => {
    for (const name of ['localhost', '127.0.0.1', '127.1.2.3', 'LOCALHOST', '[::1]']) {
      expect((await raw('GET', '/health/live', { headers: { host: `${name}:${api.port}` } })).status).toBe(200);
    }
  });

  it('refuses a request without a host, and one that names its host twice', async () => {
    expect(await bytes(`GET ${PREFIX}/runs HTTP/1.1\r\n\r\n`)).toContain('foreign_host');
    const twice = `GET http://evil.test${PREFIX}/runs HTTP/1.1\r\nHost: 127.0.0.1:${api.port}\r\n\r\n`;
    expect(await bytes(twice)).toContain('invalid_url');
  });

  it.each(['https://evil.test', 'null', 'http://localhost:1', 'http://127.0.0.1.evil.test'])(
    'refuses the origin %s (A10)',
    async (origin) => {
      expectProblem(
        await raw('POST', `${PREFIX}/runs`, { headers: { origin, ...JSON_TYPE }, body: RUN }),
        403,
        'foreign_origin',
      );
      expectProblem(await raw('GET', `${PREFIX}/runs/x/events`, { headers: { origin } }), 403, 'foreign_origin');
    },
  );

  it('lets its own pages ask, and grants nothing to others', async () => {
    const own = await raw('GET', '/health/live', { headers: { origin: `http://127.0.0.1:${api.port}` } });
    expect(own.status).toBe(200);
    const preflight = await bytes(
      `OPTIONS ${PREFIX}/runs HTTP/1.1\r\nHost: 127.0.0.1:${api.port}\r\nOrigin: https://evil.test\r\nAccess-Control-Request-Method: POST\r\n\r\n`,
    );
    expect(preflight).toContain('403');
    expect(preflight.toLowerCase()).not.toContain('access-control-allow');
  });
});

describe('paths (A07)', () => {
  const FORMS =
    '/runs/ //runs /runs;x /RUNS /./runs /x/../runs /runs%2f /runs%00 ' +
    '/%72uns/ /%72uns /run%73 /%52UNS /%72%75%6e%73?limit=1 /run%73/%78 /all-events%2Fstream /api%2Dkeys /runs%3F';
  it.each(FORMS.split(' '))('has no second form for %s', async (path) => {
    const answer = await raw('GET', PREFIX + path);
    expectProblem(answer, 404, 'route_not_found');
  });

  it.each([
    '/../../x',
    '/..',
    '/../',
    '/../../package.json',
    '/%2e%2e/%2e%2e/x',
    '/%2e%2e%2f%2e%2e%2fpackage.json',
    '/..%2f..%2fx',
    '/..%5c..%5cx',
    '/%252e%252e/x',
    '/..;/x',
    '/....//x',
    '/x/../../../../etc/passwd',
    '//etc/passwd',
    '/%2fetc%2fpasswd',
    '/.',
    '/./x',
    '/.hidden',
    '/%00',
    '/x%00.css',
    '/nothing',
  ])('leads out of the documentation with %s no more than any unknown path', async (path) => {
    expectProblem(await raw('GET', `/api/docs${path}`), 404, 'route_not_found');
  });

  it('and none for an id or a name inside: what is allowed there is decided by one spelling', async () => {
    const id = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
    for (const written of [
      id.replace('6', '%36'),
      id.replace('ba', '%62a'),
      id.replace('-', '%2D'),
      'n%61me',
      'a%7Eb',
    ]) {
      for (const path of [`/runs/${written}`, `/playbooks/${written}`, `/runs/${id}/outputs/${written}`]) {
        expectProblem(await raw('GET', PREFIX + path), 404, 'route_not_found');
      }
    }
    // Encoded characters reach the route in every spelling of the encoding.
    for (const name of ['a%20b', 'a%2fb', 'a%2Fb', '%C3%A9']) {
      expectProblem(await raw('GET', `${PREFIX}/playbooks/${name}`), 400, 'invalid_id');
    }
  });

  it('keeps its hosts out of every form of a path', async () => {
    for (const path of ['/runs/', '//runs', '/RUNS', '/x/../runs', '/runs;x', '/%72uns']) {
      expectProblem(await raw('GET', PREFIX + path, { headers: { host: 'evil.test' } }), 403, 'foreign_host');
    }
  });

  it('refuses what is not a path', async () => {
    expectProblem(await raw('GET', `${PREFIX}/%zz`), 400, 'invalid_url');
    expectProblem(await raw('GET', `${PREFIX}/runs/${'a'.repeat(500)}`), 414, 'url_too_long');
  });

  it('has nothing of the platform beside its routes (K03)', async () => {
    for (const path of [
      '/metrics',
      '/.env',
      '/.git/config',
      '/src/main.ts',
      `${PREFIX}/health/live`,
      `${PREFIX}/docs`,
    ]) {
      expect((await raw('GET', path)).status).toBe(404);
    }
    for (const method of ['TRACE', 'OPTIONS', 'PUT', 'DELETE', 'PATCH']) {
      expectProblem(await raw(method, `${PREFIX}/runs`), 405, 'method_not_allowed');
    }
  });
});

describe('bodies', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'application/jsonx',
  ])('refuses %s for JSON', async (type) => {
    const answer = await raw('POST', `${PREFIX}/runs`, { headers: { 'content-type': type }, body: RUN });
    expectProblem(answer, 415, 'unsupported_media_type');
  });

  it('refuses a body without a type, and JSON in another charset', async () => {
    expectProblem(await raw('POST', `${PREFIX}/runs`, { body: RUN }), 415, 'unsupported_media_type');
    const utf16 = { 'content-type': 'application/json; charset=utf-16' };
    expectProblem(await raw('POST', `${PREFIX}/runs`, { headers: utf16, body: RUN }), 415, 'unsupported_charset');
  });

  it('says where JSON breaks, without repeating it', async () => {
    const comma = await raw('POST', `${PREFIX}/runs`, { headers: JSON_TYPE, body: '{\n "playbook": "x",}' });
    expectProblem(comma, 400, 'invalid_json');
    expect(comma.body.detail).toMatch(/line 2, column 18/);
    const answer = await raw('POST', `${PREFIX}/runs`, { headers: JSON_TYPE, body: '{\n "playbook": s3cret-value }' });
    expectProblem(answer, 400, 'invalid_json');
    expect(answer.text).not.toContain('s3cret');
    const broken = Buffer.from([0x22, 0xff, 0x22]);
    expectProblem(await raw('POST', `${PREFIX}/runs`, { headers: JSON_TYPE, body: broken }), 400, 'invalid_json');
  });

  it.each(['[]', 'null', '"text"', '3', 'true', ''])('refuses %p where an object is expected', async (body) => {
    expectProblem(await raw('POST', `${PREFIX}/runs`, { headers: JSON_TYPE, body }), 400, 'invalid_request');
  });

  it.each([
    '{"playbook":"two-steps","inputs":{"__proto__":{"isAdmin":true}}}',
    '{"__proto__":{"playbook":"two-steps"},"inputs":{}}',
    '{"playbook":"two-steps","inputs":{"constructor":{"prototype":{"x":1}}}}',
    '{"playbook":"two-steps","inputs":{"a":[{"b":{"__pro\\u0074o__":1}}]}}',
  ])('refuses keys that reach for a prototype: %s (D07)', async (body) => {
    expectProblem(await raw('POST', `${PREFIX}/runs`, { headers: JSON_TYPE, body }), 400, 'forbidden_key');
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
  });

  it.each([
    ['playbook', { playbook: { $gt: '' }, inputs: {} }],
    ['playbook', { playbook: ['two-steps'], inputs: {} }],
    ['inputs', { playbook: 'two-steps', inputs: [] }],
    ['approval_policy', { playbook: 'two-steps', inputs: {}, approval_policy: { $ne: 'require' } }],
    ['query', { playbook: 'two-steps', inputs: {}, query: 'a\u0000b' }],
  ])('refuses an object, a list or NUL in %s (D07, D03)', async (field, body) => {
    const { status, body: problem } = await api.call('POST', '/runs', body);
    expect({ status, code: problem.code, fields: problem.problems?.map((each) => each.field) }).toEqual({
      status: 400,
      code: 'invalid_request',
      fields: expect.arrayContaining([field]),
    });
  });

  it('refuses depth, length, headers and page sizes beyond reason, and lives (R01)', async () => {
    const deep = `{"playbook":"x","inputs":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
    expectProblem(await raw('POST', `${PREFIX}/runs`, { headers: JSON_TYPE, body: deep }), 400, 'json_too_deep');
    const objects = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    expectProblem(
      await raw('POST', `${PREFIX}/playbooks`, { headers: JSON_TYPE, body: objects }),
      400,
      'json_too_deep',
    );
    const long = Buffer.alloc(9 * 1024 * 1024, 'a');
    expectProblem(await raw('POST', `${PREFIX}/runs`, { headers: JSON_TYPE, body: long }), 413, 'payload_too_large');
    const head = `GET ${PREFIX}/runs HTTP/1.1\r\nHost: 127.0.0.1:${api.port}\r\n`;
    const headers = Array.from({ length: 10_000 }, (_, index) => `X-${index}: a\r\n`).join('');
    expect(await bytes(`${head}${headers}\r\n`)).toMatch(/^HTTP\/1\.1 431 .*headers_too_large/s);
    for (const query of [
      'limit=1e9',
      'limit=1000000000',
      'limit=0',
      'limit=-1',
      'a[99999999]=1',
      'cursor=x',
      'limit=5&limit=6',
    ]) {
      expect((await raw('GET', `${PREFIX}/runs?${query}`)).status).toBe(400);
    }
    expect((await raw('GET', '/health/live')).status).toBe(200);
  });

  it('answers what is not HTTP', async () => {
    expect(await bytes('garbage\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 .*malformed_request/s);
  });
});

describe('ids', () => {
  it.each(["x'); DROP TABLE runs;--", '../etc/passwd', '1', '0f8fad5b-d9cb-469f-a165-70867728950', '%00', '{"a":1}'])(
    'refuses %s (D03)',
    async (id) => {
      for (const path of ['/runs/', '/approvals/', '/documents/']) {
        const answer = await raw('GET', PREFIX + path + encodeURIComponent(id));
        expectProblem(answer, 400, 'invalid_id');
      }
      expect([400, 404]).toContain((await raw('GET', `${PREFIX}/playbooks/${encodeURIComponent(id)}`)).status);
    },
  );

  it('does not find what is not there', async () => {
    const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
    for (const what of ['run', 'approval', 'document', 'playbook', 'connector']) {
      expectProblem(await raw('GET', `${PREFIX}/${what}s/${id}`), 404, `${what}_not_found`);
    }
    for (const command of ['cancel', 'pause', 'resume']) {
      expectProblem(await raw('POST', `${PREFIX}/runs/${id}/${command}`), 404, 'run_not_found');
    }
    expectProblem(await raw('GET', `${PREFIX}/runs/${id}/events`), 404, 'run_not_found');
  });
});

it('checks a playbook that nobody saved without keeping it (X05)', async () => {
  const { status, body } = await api.call('POST', '/playbooks/validate', { source: TWO_STEPS });
  expect({ status, valid: body['valid'] }).toEqual({ status: 200, valid: true });
});

it('ends although a client holds a connection that it never used', async () => {
  const other = await startApi({ databaseUrl: api.databaseUrl });
  const accepted = once(other.api.app.getHttpServer(), 'connection');
  const unused = connect(other.port, '127.0.0.1').resume();
  await accepted;
  const closed = once(unused, 'close');
  await other.close();
  await closed;
});
