import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LOCAL_USER_ID as OWNER } from '../../core/base/run-status';
import { PlaybooksStore } from '../../infra/db/stores/definitions.store';
import { startApi, startRun, TWO_STEPS, type Answer, type TestApi } from './api-fixture';

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
    path: /companies
`;
const etagOf = (answer: Answer): string => answer.headers.get('etag') ?? '';
const changed = (count: number): string => TWO_STEPS.replace('count: 2', `count: ${count}`);
const put = (source: string, seen?: string, path = '/playbooks/two-steps'): Promise<Answer> =>
  api.call('PUT', path, { source }, seen === undefined ? {} : { 'if-match': seen });
const remove = (path: string, seen?: string): Promise<Answer> =>
  api.call('DELETE', path, undefined, seen === undefined ? {} : { 'if-match': seen });

describe('versions of a row', () => {
  it('are in the ETag of what makes, shows and changes it', async () => {
    const made = await api.call('POST', '/playbooks', { source: TWO_STEPS });
    expect(etagOf(made)).toMatch(/^"\d+-[0-9a-f-]{36}"$/);
    const read = await api.call('GET', '/playbooks/two-steps');
    expect(etagOf(read)).toBe(etagOf(made));
    const same = await api.call('POST', '/playbooks', { source: TWO_STEPS });
    expect(etagOf(same)).toBe(etagOf(made));
    const next = await put(changed(7), etagOf(read));
    expect(next).toMatchObject({ status: 200, body: { created: true, latest_version_no: 2 } });
    expect(etagOf(next)).not.toBe(etagOf(made));
    expect(etagOf(await api.call('GET', '/playbooks/two-steps'))).toBe(etagOf(next));
    const unchanged = await put(changed(7), etagOf(next));
    expect(unchanged).toMatchObject({ status: 200, body: { created: false, latest_version_no: 2 } });
    expect(etagOf(unchanged)).toBe(etagOf(next));
  });

  it('have to be named by who changes it: 404, then 428, then 412', async () => {
    const current = etagOf(await api.call('GET', '/playbooks/two-steps'));
    for (const call of [put, (_: string, seen?: string) => remove('/playbooks/two-steps', seen)]) {
      expect(await call(changed(8))).toMatchObject({ status: 428, body: { code: 'precondition_required' } });
      for (const stale of ['"1-0f8fad5b-d9cb-469f-a165-70867728950e"', `W/${current}`, '""']) {
        expect(await call(changed(8), stale)).toMatchObject({ status: 412, body: { code: 'precondition_failed' } });
      }
      for (const wrong of ['two', '"a" "b"', `${'"a",'.repeat(30)}"a"`]) {
        expect(await call(changed(8), wrong)).toMatchObject({ status: 400, body: { code: 'invalid_precondition' } });
      }
    }
    expect((await put(changed(8), undefined, '/playbooks/nothing')).body.code).toBe('playbook_not_found');
    expect((await remove('/playbooks/nothing', '*')).body.code).toBe('playbook_not_found');
    expect(etagOf(await api.call('GET', '/playbooks/two-steps'))).toBe(current);
    expect((await put(changed(9), `"x", ${current}`)).status).toBe(200);
    expect((await put(changed(10), '*')).status).toBe(200);
  });

  it('let one of two writers through who saw the same', async () => {
    const seen = etagOf(await api.call('GET', '/playbooks/two-steps'));
    const answers = await Promise.all([20, 21, 22, 23].map((count) => put(changed(count), seen)));
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 412, 412, 412]);
  });

  it('a text of another slug replaces nothing', async () => {
    const other = await put(TWO_STEPS.replace('id: two-steps', 'id: three-steps'), '*');
    expect(other).toMatchObject({ status: 422, body: { code: 'slug_mismatch' } });
    expect(await put('id: [', '*')).toMatchObject({ status: 422, body: { code: 'invalid_playbook' } });
  });
});

describe('304', () => {
  it('is for who has the answer already', async () => {
    const run = await startRun(api);
    for (const path of ['/playbooks/two-steps', `/runs/${run}`, '/actions/transform_data']) {
      const first = await api.call('GET', path);
      const again = await api.call('GET', path, undefined, { 'if-none-match': `"other", W/${etagOf(first)}` });
      expect({ path, status: again.status, etag: etagOf(again) }).toEqual({ path, status: 304, etag: etagOf(first) });
      expect(again.headers.get('content-type')).toBeNull();
      const other = await api.call('GET', path, undefined, { 'if-none-match': '"other"' });
      expect(other.status).toBe(200);
      expect(other.headers.get('cache-control')).toBe('private, no-cache');
    }
  });

  it('is not for a run that has moved since', async () => {
    const run = await startRun(api);
    const before = await api.call('GET', `/runs/${run}`);
    await api.call('POST', `/runs/${run}/pause`);
    const after = await api.call('GET', `/runs/${run}`, undefined, { 'if-none-match': etagOf(before) });
    expect(after.status).toBe(200);
  });
});

describe('what is deleted', () => {
  it('is gone under its name, stays for its runs, and frees its slug', async () => {
    const run = await startRun(api);
    const old = await api.call('GET', '/playbooks/two-steps');
    expect((await remove('/playbooks/two-steps', etagOf(old))).status).toBe(204);
    for (const id of ['two-steps', String(old.body['id'])]) {
      expect((await api.call('GET', `/playbooks/${id}`)).body.code).toBe('playbook_not_found');
      expect((await remove(`/playbooks/${id}`, '*')).body.code).toBe('playbook_not_found');
      expect((await put(TWO_STEPS, etagOf(old), `/playbooks/${id}`)).body.code).toBe('playbook_not_found');
    }
    expect((await api.call('POST', '/runs', { playbook: 'two-steps', inputs: { rows: [] } })).status).toBe(404);
    expect((await api.call('GET', `/runs/${run}`)).status).toBe(200);
    const anew = await api.call('POST', '/playbooks', { source: TWO_STEPS });
    expect(anew).toMatchObject({ status: 201, body: { latest_version_no: 1 } });
    expect(anew.body['id']).not.toBe(old.body['id']);
    // Recreated playbook: its versions count from 1 again, and its ETag differs.
    expect((await put(changed(3), etagOf(old))).status).toBe(412);
    await api.call('POST', `/runs/${run}/cancel`);
  });

  it('holds for connectors alike', async () => {
    const made = await api.call('POST', '/connectors', { source: CONNECTOR });
    const text = CONNECTOR.replace('name: Registry', 'name: Companies');
    const next = await put(text, etagOf(made), '/connectors/registry');
    expect(next).toMatchObject({ status: 200, body: { name: 'Companies', latest_version_no: 2 } });
    expect((await remove('/connectors/registry', etagOf(made))).status).toBe(412);
    expect((await remove('/connectors/registry', etagOf(next))).status).toBe(204);
    expect((await api.call('GET', '/connectors/registry')).status).toBe(404);
  });

  it('does not come back with the next start, when it shipped with the product', async () => {
    const store = new PlaybooksStore(api.database);
    const { body: plan } = await store.resolve(OWNER, 'two-steps');
    const shipped = {
      slug: 'shipped',
      name: 'Shipped',
      content_hash: 'a',
      source_format: 'yaml',
      source: 'x',
      body: plan,
    } as const;
    expect(await store.saveCatalog(OWNER, shipped)).toMatchObject({ created: true });
    await store.remove(OWNER, 'shipped', 'any');
    expect(await store.saveCatalog(OWNER, shipped)).toBeNull();
    expect(await store.get(OWNER, 'shipped')).toBeNull();
  });
});
