import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OPENAPI } from './conformance';
import { PREFIX, startApi, startRun, TWO_STEPS, type TestApi } from './api-fixture';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  for (const name of ['C', 'A', 'B', 'A']) {
    const n = Math.random().toString(36).slice(2, 10);
    await api.call('POST', '/playbooks', {
      source: TWO_STEPS.replace('two-steps', `p-${n}`).replace('Two steps', name),
    });
  }
  for (const name of ['b', 'a', 'c']) {
    await api.call('POST', '/secrets', { name, value: 'a value', allowed_hosts: ['*'] });
  }
  for (let run = 0; run < 3; run += 1) await startRun(api);
});
afterAll(() => api.close());

/** Reads a whole list, page by page. */
async function walk(path: string, limit = 1): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  for (let cursor = '', more = true; more;) {
    const { status, body } = await api.call('GET', `${path}${path.includes('?') ? '&' : '?'}limit=${limit}${cursor}`);
    expect(status).toBe(200);
    items.push(...(body.items ?? []));
    more = body['next_cursor'] !== undefined;
    cursor = `&cursor=${String(body['next_cursor'])}`;
  }
  return items;
}
const cursorOf = async (path: string): Promise<string> =>
  String((await api.call('GET', `${path}${path.includes('?') ? '&' : '?'}limit=1`)).body['next_cursor']);

describe('pages', () => {
  it.each([
    ['/playbooks?sort=name', 'name'],
    ['/playbooks?sort=-name', 'name'],
    ['/playbooks?sort=created_at', 'created_at'],
    ['/playbooks', 'created_at'],
    ['/secrets?sort=-name', 'name'],
    ['/runs?sort=created_at', 'created_at'],
    ['/runs', 'created_at'],
  ])('of %s are in order, each thing once', async (path, field) => {
    const items = await walk(path);
    const ids = items.map((item) => String(item['id'] ?? item['runId'] ?? item['name']));
    expect(new Set(ids).size).toBe(items.length);
    expect(items.length).toBeGreaterThanOrEqual(3);
    const values = items.map((item) => String(item[field]));
    const sorted = values.toSorted();
    const upwards = /sort=[^-]/.test(path);
    expect(values).toEqual(upwards ? sorted : sorted.toReversed());
    expect(await walk(path, 2)).toEqual(items);
  });

  it('begin where a page of the same list ended, and of no other', async () => {
    const cursor = await cursorOf('/playbooks');
    const refused = async (path: string): Promise<void> => {
      const answer = await api.call('GET', path);
      expect({ path, status: answer.status, code: answer.body.code }).toEqual({
        path,
        status: 400,
        code: 'invalid_cursor',
      });
    };
    expect((await api.call('GET', `/playbooks?cursor=${cursor}&limit=7`)).status).toBe(200);
    await refused(`/connectors?cursor=${cursor}`);
    await refused(`/runs?cursor=${cursor}`);
    await refused(`/playbooks?sort=name&cursor=${cursor}`);
    await refused(`/playbooks?sort=created_at&cursor=${cursor}`);
    await refused(`/runs?status=failed&cursor=${await cursorOf('/runs')}`);
    const [digest, at] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [string, string];
    const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
    const forged = [
      [digest, at],
      [digest, 'now', id],
      [digest, '2026-99-01T00:00:00Z', id],
      [digest, at, 'x'],
      ['', at, id],
      { 0: digest },
      3,
    ];
    for (const each of [...forged.map((parts) => Buffer.from(JSON.stringify(parts)).toString('base64url')), 'x']) {
      await refused(`/playbooks?cursor=${each}`);
    }
  });

  it('are sorted by what the list allows', async () => {
    for (const path of ['/playbooks?sort=slug', '/runs?sort=name', '/secrets?sort=value', '/runs?sort=created_at;--']) {
      expect(await api.call('GET', path)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    }
  });
});

it('every list of the API has limit and cursor', () => {
  /** Bounded by themselves; `/available-agents` and `/people` complete what somebody types. */
  const whole = [
    '/settings/import-dirs',
    '/available-agents',
    '/people',
    '/plugins',
    '/plugins/{name}/tools',
    '/profiles/{id}/connectors',
    '/profiles/{id}/skills',
    '/actions',
    '/connectors/templates',
    '/profiles/templates',
    '/keys',
    '/runs/{runId}/tries',
    '/runs/{runId}/outputs',
    '/search',
    '/people',
  ];
  const lists = Object.entries(OPENAPI.paths).flatMap(([path, { get }]) => {
    const schema = get?.responses['200']?.content?.['application/json']?.schema;
    const name = schema?.$ref?.split('/').at(-1) ?? '';
    const items =
      OPENAPI.components.schemas[name]?.properties !== undefined &&
      'items' in (OPENAPI.components.schemas[name]?.properties ?? {});
    return items ? [{ path: path.replace(PREFIX, ''), get }] : [];
  });
  expect(lists.length).toBeGreaterThan(5);
  for (const { path, get } of lists.filter((list) => !whole.includes(list.path))) {
    const names = (get as unknown as { parameters?: { name: string }[] }).parameters?.map((each) => each.name);
    expect({ path, names }).toEqual({ path, names: expect.arrayContaining(['limit', 'cursor']) });
  }
});
