import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Lexer } from 'yaml';
import { rowCounts, startApi, TWO_STEPS, type TestApi } from './api-fixture';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const CONNECTOR = `
id: registry
name: Registry
type: rest_api
connection:
  base_url: https://registry.example
endpoints:
  find:
    method: GET
    path: /companies/{number}
    parameters:
      - {name: number, in: path, type: string, required: true}
    response_mapping:
      fields: {name: company.name}
`;

/** A playbook of one step that reads `reference`. */
const reading = (reference: string): string =>
  TWO_STEPS.replace('{sort_rows.data}', reference).replace('two-steps', 'reading');

describe('playbooks', () => {
  it('are made, versioned by their text, listed and read', async () => {
    const first = await api.call('POST', '/playbooks', { source: TWO_STEPS });
    expect(first).toMatchObject({
      status: 201,
      body: { slug: 'two-steps', created: true, latest_version_no: 1, origin: 'user' },
    });
    const same = await api.call('POST', '/playbooks', { source: TWO_STEPS });
    expect(same).toMatchObject({ status: 201, body: { created: false, latest_version_no: 1, id: first.body['id'] } });
    const changed = await api.call('POST', '/playbooks', {
      source: TWO_STEPS.replace('count: 2', 'count: 5').replace('"1.0"', '"1.1"'),
    });
    expect(changed).toMatchObject({
      body: { created: true, latest_version_no: 2, version: { declared_version: '1.1' } },
    });
    const versions = await api.call('GET', '/playbooks/two-steps/versions');
    expect(versions.body.items).toMatchObject([
      { version_no: 2, declared_version: '1.1' },
      { version_no: 1, declared_version: '1.0' },
    ]);
    const bySlug = await api.call('GET', '/playbooks/two-steps');
    const byId = await api.call('GET', `/playbooks/${String(first.body['id'])}`);
    expect(bySlug.body).toEqual(byId.body);
    expect((await api.call('GET', '/playbooks')).body.items).toHaveLength(1);
  });

  it('are read once for each check, however long they are', async () => {
    const reads = jest.spyOn(Lexer.prototype, 'lex');
    try {
      await api.call('POST', '/playbooks/validate', { source: TWO_STEPS });
      expect(reads).toHaveBeenCalledTimes(1);
    } finally {
      reads.mockRestore();
    }
  });

  it('are the same language as JSON objects', async () => {
    const source = {
      id: 'as-json',
      steps: [
        {
          name: 'limit',
          step_type: 'tool',
          action: 'transform_data',
          inputs: { data: [] },
          params: { operations: [{ type: 'limit', count: 1 }] },
        },
      ],
    };
    const { status, body } = await api.call('POST', '/playbooks', { source });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { slug: 'as-json', version: { source_format: 'json' } },
    });
  });

  it('are refused with every problem and its place', async () => {
    const before = await rowCounts(api);
    const source = TWO_STEPS.replace('{sort_rows.data}', '{sort_row.data}').replace(
      'action: transform_data',
      'action: transform_dat',
    );
    const { status, body } = await api.call('POST', '/playbooks', { source });
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'invalid_playbook' });
    expect(body.problems?.length).toBeGreaterThanOrEqual(2);
    for (const problem of body.problems ?? []) {
      expect(problem).toMatchObject({
        line: expect.any(Number),
        column: expect.any(Number),
        message: expect.any(String),
      });
    }
    const report = await api.call('POST', '/playbooks/validate', { source });
    expect(report).toMatchObject({ status: 200, body: { valid: false, problems: body.problems } });
    expect(await rowCounts(api)).toEqual(before);
  });

  it('that are there are checked again, with the connectors of today', async () => {
    const connector = `
id: leaves
name: Leaves
type: rest_api
version: "1.0"
connection: {base_url: https://example.org}
endpoints:
  all: {path: /all, output_schema: {type: object, fields: [{name: x, type: any}]}}
`;
    const source = `
id: leans
name: Leans
steps:
  - {name: ask, step_type: tool, action: call_connector, params: {connector: leaves, endpoint: all}}
`;
    await api.call('POST', '/connectors', { source: connector });
    expect(await api.call('POST', '/playbooks', { source })).toMatchObject({ status: 201 });
    const good = await api.call('POST', '/playbooks/leans/validate');
    expect(good).toMatchObject({ status: 200, body: { valid: true, steps: [{ step_name: 'ask', is_valid: true }] } });
    await api.call('DELETE', '/connectors/leaves', undefined, { 'if-match': '*' });
    const before = await rowCounts(api);
    const bad = await api.call('POST', '/playbooks/leans/validate');
    const expected = await api.call('POST', '/playbooks/validate', { source });
    expect(bad).toMatchObject({ status: 200, body: { valid: false } });
    expect(bad.body).toEqual(expected.body);
    expect((await api.call('POST', '/playbooks/absent/validate')).body.code).toBe('playbook_not_found');
    expect(await rowCounts(api)).toEqual(before);
  });

  it('are drawn as a graph with types', async () => {
    const { body } = await api.call('GET', '/playbooks/two-steps/graph?version=1.0');
    expect(body).toMatchObject({
      nodes: [
        { step: 'sort_rows', kind: 'tool' },
        { step: 'first_rows', kind: 'tool' },
      ],
      edges: expect.arrayContaining([
        { from: 'sort_rows', to: 'first_rows', via: 'reference', reference: 'sort_rows.data', type: 'record[]' },
      ]),
    });
    expect(await api.call('GET', '/playbooks/two-steps/graph?version=9')).toMatchObject({
      status: 404,
      body: { code: 'version_not_found' },
    });
  });

  it.each([
    '{step.constructor.constructor("return process")()}',
    '{__proto__.polluted}',
    '{sort_rows.data.__proto__}',
    '{{7*7}}',
  ])('do not reach the host through %s (X01)', async (reference) => {
    const { status, body } = await api.call('POST', '/playbooks', { source: reading(reference) });
    expect(status).toBe(422);
    expect(body.problems?.length).toBeGreaterThan(0);
  });

  it.each([
    [
      'an alias bomb',
      `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\nid: [*d,*d,*d,*d,*d,*d,*d,*d,*d]\n`,
    ],
    ['5 MB', `id: long\ndescription: "${'x'.repeat(5_000_000)}"\n`],
    ['depth 10,000', `id: ${'['.repeat(10_000)}${']'.repeat(10_000)}`],
    ['duplicate keys', 'id: a\nid: b\nsteps: []\n'],
    ['a function', 'id: !!js/function "function () { return process }"\n'],
  ])('are refused when they are %s (P07)', async (_what, source) => {
    const before = await rowCounts(api);
    const { status, body } = await api.call('POST', '/playbooks', { source });
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'invalid_playbook' });
    expect(await rowCounts(api)).toEqual(before);
  });

  it('with 10,000 steps or a cycle are refused (R03)', async () => {
    const step = (index: number): string =>
      `  - {name: s${index}, step_type: tool, action: transform_data, inputs: {data: []}, params: {operations: [{type: limit, count: 1}]}}\n`;
    const many = `id: many\nsteps:\n${Array.from({ length: 10_000 }, (_, index) => step(index)).join('')}`;
    expect(await api.call('POST', '/playbooks', { source: many })).toMatchObject({
      status: 422,
      body: { code: 'invalid_playbook' },
    });
    const cycle = TWO_STEPS.replace('name: sort_rows\n', 'name: sort_rows\n    depends_on: [first_rows]\n').replace(
      'name: first_rows\n',
      'name: first_rows\n    depends_on: [sort_rows]\n',
    );
    const { status, body } = await api.call('POST', '/playbooks', { source: cycle });
    expect(status).toBe(422);
    expect(body.problems?.some((problem) => problem.code.includes('cycle'))).toBe(true);
  });
});

describe('connectors', () => {
  it('are made, versioned and describe their endpoints', async () => {
    expect(await api.call('POST', '/connectors', { source: CONNECTOR })).toMatchObject({
      status: 201,
      body: { slug: 'registry', type: 'rest_api', created: true },
    });
    expect(await api.call('POST', '/connectors', { source: CONNECTOR })).toMatchObject({
      status: 201,
      body: { created: false },
    });
    const { body } = await api.call('GET', '/connectors/registry/schema');
    expect(body).toMatchObject({
      connector: 'registry',
      endpoints: [{ name: 'find', effect: 'none', inputs: [{ name: 'number', required: true }] }],
    });
    expect((await api.call('GET', '/connectors')).body.items).toMatchObject([{ slug: 'registry' }]);
  });

  it('are refused with places', async () => {
    const { status, body } = await api.call('POST', '/connectors', {
      source: CONNECTOR.replace('rest_api', 'rest_apo'),
    });
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'invalid_connector' });
    expect(body.problems?.[0]).toMatchObject({ line: 4, field: 'type' });
  });
});

describe('actions', () => {
  it('have contracts, those that cannot run yet too', async () => {
    const { body } = await api.call('GET', '/actions');
    expect(body.items?.length).toBeGreaterThan(20);
    expect(body.items?.some((action) => action['available'] === false)).toBe(true);
    expect((await api.call('GET', '/actions/transform_data')).body).toMatchObject({
      name: 'transform_data',
      pure: true,
    });
    const near = await api.call('GET', '/actions/transform_dat');
    expect(near).toMatchObject({
      status: 404,
      body: { code: 'action_not_found', detail: expect.stringContaining('transform_data') },
    });
  });
});

describe('documents', () => {
  const upload = (name: string, bytes: Uint8Array | string): Promise<Response> =>
    fetch(`${api.url}/api/agent-factory/documents?name=${encodeURIComponent(name)}`, {
      method: 'POST',
      headers: { ...api.headers, 'content-type': 'application/octet-stream' },
      body: bytes as BodyInit,
    });

  it('come back as they went in, as an attachment that no browser opens (P12)', async () => {
    const page = '<script>alert(1)</script>';
    const answer = await upload('Bericht "é" <b>.html', page);
    expect(answer.status).toBe(201);
    const document = (await answer.json()) as { id: string; sha256: string; links: { download: string } };
    const listed = await api.call('GET', '/documents');
    expect(listed.body.items?.[0]).toEqual((await api.call('GET', `/documents/${document.id}`)).body);
    const download = await fetch(api.url + document.links.download, { headers: api.headers });
    expect(await download.text()).toBe(page);
    expect(download.headers.get('content-disposition')).toBe(
      `attachment; filename="Bericht ___ <b>.html"; filename*=UTF-8''Bericht%20%22%C3%A9%22%20%3Cb%3E.html`,
    );
    expect(download.headers.get('x-content-type-options')).toBe('nosniff');
    expect(download.headers.get('content-security-policy')).toContain('sandbox');
    expect(download.headers.get('content-type')).toBe('application/octet-stream');
  });

  it.each([
    '../../etc/passwd',
    '/etc/passwd',
    'C:\\x',
    '..',
    '.',
    'a\u0000b',
    'a\r\nSet-Cookie: x',
    'CON',
    'nul.txt',
    'a\u202egpj.exe',
  ])('have plain names: not %j (P01)', async (name) => {
    const before = await rowCounts(api);
    const answer = await upload(name, 'x');
    expect(answer.status).toBe(400);
    expect(await rowCounts(api)).toEqual(before);
  });

  it('are refused empty, as JSON and above the cap', async () => {
    expect(await (await upload('a.txt', '')).json()).toMatchObject({ status: 400, code: 'empty_document' });
    const { status, body } = await api.call('POST', '/documents?name=a.txt', { a: 1 });
    expect({ status, code: body.code }).toEqual({ status: 415, code: 'unsupported_media_type' });
    const small = await startApi({ env: { AF_MAX_UPLOAD_MB: '1' } });
    const answer = await fetch(`${small.url}/api/agent-factory/documents?name=a.bin`, {
      method: 'POST',
      headers: { ...small.headers, 'content-type': 'application/octet-stream' },
      body: Buffer.alloc(1024 * 1024 + 1),
    });
    expect(await answer.json()).toMatchObject({ status: 413, code: 'payload_too_large' });
    await small.close();
  });
});

it('the journal of somebody who did nothing is empty', async () => {
  expect(await api.call('GET', '/journal?kind=run')).toMatchObject({ status: 200, body: { items: [] } });
});
