import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PlaybooksStore } from '../../infra/db/stores/definitions.store';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { af } from '../support/af';
import { startApi, TWO_STEPS, type TestApi } from './api-fixture';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  for (const source of [KEYED, OPEN, PLAIN]) await saved('/connectors', source);
  for (const source of [DEEP, TWO_STEPS]) await saved('/playbooks', source);
});
afterAll(() => api.close());

const connector = (head: string, auth = ''): string =>
  `${head}\ntype: rest_api\nconnection: {base_url: https://a.example${auth}}\nendpoints: {all: {path: /all}}\n`;
const KEYED = connector(
  'id: keyed\nicon: "🗳️"\ncategory: government\ntags: [us, elections]',
  ', auth: {type: api_key, secret: {secret: FEC_API_KEY}}',
);
const OPEN = connector('id: open\ncategory: government\ntags: [us]');
const PLAIN = connector('id: plain');
/** Connectors in a step inside of steps, as a tool of a model, as what undoes a step, and by name. */
const DEEP = `
id: deep
category: investigation
tags: [us, officers]
required_connectors: [file_parser]
triggers: [{pattern: who sits where}, {pattern: "^who", type: regex, priority: 2}]
steps:
  - name: each
    for_each:
      items: [1, 2]
      as: one
      steps:
        - {name: read, step_type: tool, action: call_connector, connector: plain, endpoint: all}
  - name: think
    step_type: llm_task
    action: research_with_tools
    params: {tools: [keyed.all]}
    output_schema: {fields: [{name: x, type: string}]}
`;

async function saved(path: string, source: string | object): Promise<Record<string, unknown>> {
  const { status, body } = await api.call('POST', path, { source });
  expect({ status, problems: body.problems }).toEqual({ status: 201, problems: undefined });
  return body;
}
const listed = async (path: string): Promise<string[]> => {
  const { status, body } = await api.call('GET', path);
  expect({ status, detail: body.detail }).toMatchObject({ status: 200 });
  return (body.items ?? []).map((item) => String(item['slug'])).toSorted();
};

describe('what a connector says of itself', () => {
  const about = {
    icon: '🗳️',
    category: 'government',
    tags: ['us', 'elections'],
    requires_auth: true,
    auth_fields: [{ name: 'api_key', label: 'API key', type: 'password', secret: 'FEC_API_KEY' }],
  };

  it('is in the list and in the view', async () => {
    const { body } = await api.call('GET', '/connectors?sort=name');
    expect(body.items?.find((item) => item['slug'] === 'keyed')).toMatchObject(about);
    expect((await api.call('GET', '/connectors/keyed')).body).toMatchObject(about);
    const plain = (await api.call('GET', '/connectors/plain')).body;
    expect(plain).toMatchObject({ tags: [], requires_auth: false, auth_fields: [] });
    expect(['icon', 'category'].filter((name) => name in plain)).toEqual([]);
  });

  it.each([
    ['tag=us', ['keyed', 'open']],
    ['tag=elections', ['keyed']],
    ['tag=nothing', []],
    ['category=government', ['keyed', 'open']],
    ['type=rest_api', ['keyed', 'open', 'plain']],
    ['type=database', []],
    ['requires_auth=true', ['keyed']],
    ['requires_auth=false', ['open', 'plain']],
    ['tag=us&requires_auth=false&category=government', ['open']],
    ['tag=us&category=finance', []],
  ])('filters: %s', async (query, slugs) => {
    expect(await listed(`/connectors?${query}`)).toEqual(slugs);
  });

  it('is that of the version that counts, whichever that is', async () => {
    const old = connector('id: turns\ntags: [first]');
    const now = connector('id: turns\ntags: [second]', ', auth: {type: bearer_token, secret: {secret: T}}');
    await saved('/connectors', old);
    expect(await saved('/connectors', now)).toMatchObject({ tags: ['second'], requires_auth: true });
    expect(await listed('/connectors?tag=first')).toEqual([]);
    expect(await saved('/connectors', old)).toMatchObject({ tags: ['first'], requires_auth: false, auth_fields: [] });
    expect(await listed('/connectors?tag=second')).toEqual([]);
    const put = await api.call('PUT', '/connectors/turns', { source: now }, { 'if-match': '*' });
    expect(put).toMatchObject({ status: 200, body: { tags: ['second'], requires_auth: true } });
    await api.call('DELETE', '/connectors/turns', undefined, { 'if-match': '*' });
    expect(await listed('/connectors?tag=second')).toEqual([]);
  });

  it('pages with a filter follow each other; a cursor of another filter is refused', async () => {
    const first = await api.call('GET', '/connectors?tag=us&sort=name&limit=1');
    expect(first.body.items?.map((item) => item['slug'])).toEqual(['keyed']);
    const cursor = encodeURIComponent(String(first.body['next_cursor']));
    const rest = await api.call('GET', `/connectors?tag=us&sort=name&limit=1&cursor=${cursor}`);
    expect(rest.body.items?.map((item) => item['slug'])).toEqual(['open']);
    expect(rest.body['next_cursor']).toBeUndefined();
    const other = await api.call('GET', `/connectors?tag=elections&sort=name&limit=1&cursor=${cursor}`);
    expect([other.status, other.body.code]).toEqual([400, 'invalid_cursor']);
  });
});

describe('what a playbook says of itself', () => {
  it('is in the list and in the view', async () => {
    const about = {
      category: 'investigation',
      tags: ['us', 'officers'],
      triggers: [
        { pattern: 'who sits where', type: 'keyword', priority: 0 },
        { pattern: '^who', type: 'regex', priority: 2 },
      ],
      required_connectors: ['file_parser', 'keyed', 'plain'],
    };
    expect((await api.call('GET', '/playbooks')).body.items?.find((item) => item['slug'] === 'deep')).toMatchObject(
      about,
    );
    expect((await api.call('GET', '/playbooks/deep')).body).toMatchObject(about);
    const bare = (await api.call('GET', '/playbooks/two-steps')).body;
    expect(bare).toMatchObject({ tags: [], triggers: [], required_connectors: [] });
  });

  it.each([
    ['tag=officers', ['deep']],
    ['category=investigation', ['deep']],
    ['connector=plain', ['deep']],
    ['connector=keyed', ['deep']],
    ['connector=file_parser', ['deep']],
    ['connector=open', []],
    ['trigger=regex', ['deep']],
    ['trigger=semantic', []],
    ['tag=us&connector=plain&trigger=keyword', ['deep']],
    ['tag=eu&connector=plain', []],
    ['', ['deep', 'two-steps']],
  ])('filters: %s', async (query, slugs) => {
    expect(await listed(`/playbooks?${query}`)).toEqual(slugs);
  });

  it('is read again when a text is saved again that was read by an earlier version', async () => {
    await api.admin.query(
      `update playbooks set category = null, tags = '{}', triggers = '[]', required_connectors = '{}' where slug = 'deep'`,
    );
    expect(await listed('/playbooks?tag=us')).toEqual([]);
    const again = await saved('/playbooks', DEEP);
    expect(again).toMatchObject({ created: false, latest_version_no: 1, category: 'investigation' });
    expect(await listed('/playbooks?tag=us&trigger=regex&connector=plain')).toEqual(['deep']);
    const tag = (await api.call('GET', '/playbooks/deep')).headers.get('etag');
    await saved('/playbooks', DEEP);
    expect((await api.call('GET', '/playbooks/deep')).headers.get('etag')).toBe(tag);
  });

  it('texts that JSON has and PostgreSQL has not are kept as far as they can be', async () => {
    await saved('/playbooks', { id: 'odd', triggers: [{ pattern: 'a\u0000b' }], steps: [gate] });
    expect((await new PlaybooksStore(api.database).get(LOCAL_USER_ID, 'odd'))?.triggers).toEqual([
      { pattern: 'a\ufffdb', type: 'keyword', priority: 0 },
    ]);
  });
});
const gate = { name: 'ask', step_type: 'approval', prompt: 'Go?' };

describe('a filter that means nothing', () => {
  it.each([
    ['/connectors?tag=US', 'tag must be one tag: lower-case words and digits joined by -'],
    ['/connectors?tag=', 'tag must be one tag: lower-case words and digits joined by -'],
    ['/connectors?tag=a&tag=b', 'tag must be'],
    ['/connectors?requires_auth=yes', 'requires_auth must be true or false'],
    [`/connectors?category=${'x'.repeat(101)}`, 'category must have at most 100 characters'],
    ['/connectors?type=soap', 'type must be one of'],
    ['/connectors?trigger=keyword', '\\"trigger\\" is not a field of this request'],
    ['/playbooks?trigger=sometimes', 'trigger must be one of'],
    ['/playbooks?connector=a%20b', 'connector must be the slug or the type of a connector'],
    ['/playbooks?requires_auth=true', '\\"requires_auth\\" is not a field of this request'],
    ['/connectors/templates?tag=US', 'tag must be one tag'],
  ])('%s', async (path, says) => {
    const { status, body } = await api.call('GET', path);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(says);
  });
});

describe('templates', () => {
  it('say the same of themselves, and are filtered by it', async () => {
    const all = (await api.call('GET', '/connectors/templates')).body.items ?? [];
    expect(all.filter(({ icon, category, tags }) => !icon || !category || (tags as []).length === 0)).toEqual([]);
    const found = await api.call('GET', '/connectors/templates?tag=elections&category=government&requires_auth=true');
    expect(found.body.items?.map((item) => item['template'])).toEqual(
      all
        .filter(({ tags, requires_auth: secret }) => (tags as string[]).includes('elections') && secret === true)
        .map((item) => item['template']),
    );
    expect(found.body.items?.find((item) => item['template'] === 'fec-contributions')).toMatchObject({
      auth_fields: [{ name: 'api_key', secret: 'FEC_API_KEY' }],
    });
  });
});

describe('af list', () => {
  const said = async (...args: string[]): Promise<string[][]> => {
    const { code, stdout, stderr } = await af(['list', ...args], { env: { AF_URL: api.url, AF_API_KEY: api.key } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
  };

  it('shows what there is, filtered as the API filters', async () => {
    expect(await said('connectors', '--tag', 'us')).toEqual([
      ['keyed', 'keyed', 'rest_api', 'government', 'us elections', 'needs FEC_API_KEY'],
      ['open', 'open', 'rest_api', 'government', 'us'],
    ]);
    expect(await said('connectors', '--requires-auth', 'true', '--limit', '1')).toHaveLength(1);
    expect(await said('playbooks', '--connector', 'plain', '--trigger', 'regex')).toEqual([
      ['deep', 'deep', 'investigation', 'us officers', 'needs file_parser, keyed, plain'],
    ]);
    expect(await said('playbooks', '--tag', 'nowhere')).toEqual([['No playbooks.']]);
  });

  it('says what is wrong with a filter', async () => {
    const { code, stderr } = await af(['list', 'connectors', '--tag', 'US'], {
      env: { AF_URL: api.url, AF_API_KEY: api.key },
    });
    expect(code).toBe(2);
    expect(stderr).toContain('tag must be one tag');
  });
});
