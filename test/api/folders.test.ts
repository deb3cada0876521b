import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { startApi, type Answer, type TestApi } from './api-fixture';
import { pagesOf, stranger } from './pages';

const ANY = { 'if-match': '*' };
let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

async function folder(name: string, parent_id?: string): Promise<string> {
  const { status, body } = await api.call('POST', '/folders', {
    name,
    ...(parent_id === undefined ? {} : { parent_id }),
  });
  expect({ status, body }).toMatchObject({ status: 201, body: { name } });
  return String(body['id']);
}

/** Whatever version there is. */
const change = (path: string, body: unknown): Promise<Answer> => api.call('PATCH', path, body, ANY);
const remove = (path: string): Promise<Answer> => api.call('DELETE', path, undefined, ANY);

async function upload(name: string, query = ''): Promise<{ status: number; body: Answer['body'] }> {
  const answer = await fetch(`${api.url}/api/agent-factory/documents?name=${name}${query}`, {
    method: 'POST',
    headers: { ...api.headers, 'content-type': 'application/octet-stream' },
    body: 'text',
  });
  return { status: answer.status, body: (await answer.json()) as Answer['body'] };
}

describe('folders', () => {
  it('lie in one another, and are listed by name, page by page', async () => {
    const top = await folder('top');
    for (const name of ['c', 'a', 'b']) await folder(name, top);
    expect(await pagesOf(api, `/folders?parent=${top}&limit=2`, (row) => row['name'])).toEqual(['a', 'b', 'c']);
    expect((await api.call('GET', '/folders')).body.items).toContainEqual(expect.objectContaining({ id: top }));
    expect((await api.call('GET', `/folders/${top}`)).body).toMatchObject({ id: top, name: 'top' });
  });

  it('are renamed and moved, and never into themselves', async () => {
    const [a, b] = [await folder('one'), await folder('two')];
    const inner = await folder('inner', a);
    expect((await change(`/folders/${inner}`, { name: 'renamed', parent_id: b })).body).toMatchObject({
      name: 'renamed',
      parent_id: b,
    });
    const { body: up } = await change(`/folders/${inner}`, { parent_id: null });
    expect(up).not.toHaveProperty('parent_id');
    await change(`/folders/${b}`, { parent_id: a });
    for (const parent_id of [a, b]) {
      expect(await change(`/folders/${a}`, { parent_id })).toMatchObject({
        status: 409,
        body: { code: 'folder_cycle' },
      });
    }
    const both = await Promise.all([
      change(`/folders/${inner}`, { parent_id: b }),
      change(`/folders/${b}`, { parent_id: inner }),
    ]);
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
  });

  it('have names of their own in one place', async () => {
    const [a] = [await folder('twin'), await folder('other')];
    expect(await api.call('POST', '/folders', { name: 'twin' })).toMatchObject({
      status: 409,
      body: { code: 'folder_exists' },
    });
    expect(await change(`/folders/${a}`, { name: 'other' })).toMatchObject({
      status: 409,
      body: { code: 'folder_exists' },
    });
    await folder('twin', a);
    expect(await api.call('POST', '/folders', { name: 'a/b' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_name' },
    });
    expect(await change(`/folders/${a}`, {})).toMatchObject({
      status: 400,
      body: { code: 'nothing_to_change' },
    });
    expect(await api.call('POST', '/folders', { name: 'x', parent_id: randomUUID() })).toMatchObject({
      status: 404,
      body: { code: 'folder_not_found' },
    });
  });

  it('do not lie deeper than 20', async () => {
    let parent: string | undefined;
    for (let level = 0; level < 20; level += 1) parent = await folder('deep', parent);
    expect(await api.call('POST', '/folders', { name: 'deep', parent_id: parent })).toMatchObject({
      status: 409,
      body: { code: 'folder_too_deep' },
    });
  });

  it('are deleted when they hold nothing; then their name is free', async () => {
    const id = await folder('gone');
    const { body: document } = await upload('in.txt', `&folder=${id}`);
    expect(await remove(`/folders/${id}`)).toMatchObject({
      status: 409,
      body: { code: 'folder_not_empty' },
    });
    await remove(`/documents/${String(document['id'])}`);
    expect((await remove(`/folders/${id}`)).status).toBe(204);
    expect(await remove(`/folders/${id}`)).toMatchObject({
      status: 404,
      body: { code: 'folder_not_found' },
    });
    await folder('gone');
  });
});

describe('documents', () => {
  it('go into a folder, move and take another name', async () => {
    const [a, b] = [await folder('docs'), await folder('archive')];
    const { status, body } = await upload('first.txt', `&folder=${a}`);
    expect({ status, body }).toMatchObject({ status: 201, body: { folder_id: a } });
    const path = `/documents/${String(body['id'])}`;
    expect((await change(path, { name: 'second.txt', folder_id: b })).body).toMatchObject({
      name: 'second.txt',
      folder_id: b,
    });
    expect((await api.call('GET', `/documents?folder=${a}`)).body.items).toEqual([]);
    expect((await api.call('GET', `/documents?folder=${b}`)).body.items).toMatchObject([{ name: 'second.txt' }]);
    expect((await change(path, { folder_id: null })).body).not.toHaveProperty('folder_id');
    expect(await change(path, { folder_id: randomUUID() })).toMatchObject({
      status: 404,
      body: { code: 'folder_not_found' },
    });
    expect(await change(path, { name: 'a/b' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_name' },
    });
    expect((await remove(path)).status).toBe(204);
    const gone = { status: 404, body: { code: 'document_not_found' } };
    expect(await api.call('GET', path)).toMatchObject(gone);
    expect(await remove(path)).toMatchObject(gone);
    expect(await upload('x.txt', `&folder=${randomUUID()}`)).toMatchObject({
      status: 404,
      body: { code: 'folder_not_found' },
    });
  });
});

describe('a change', () => {
  it.each(['/folders', '/documents'])('of %s names the version that was seen', async (list) => {
    const id = list === '/folders' ? await folder(randomUUID()) : String((await upload('seen.txt')).body['id']);
    const path = `${list}/${id}`;
    const seen = (await api.call('GET', path)).headers.get('etag') ?? '';
    const name = `${randomUUID()}.txt`;
    for (const method of ['PATCH', 'DELETE']) {
      expect(await api.call(method, path, { name })).toMatchObject({ status: 428 });
    }
    const changed = await api.call('PATCH', path, { name }, { 'if-match': seen });
    expect(changed).toMatchObject({ status: 200, body: { name } });
    for (const method of ['PATCH', 'DELETE']) {
      expect(await api.call(method, path, { name: 'other' }, { 'if-match': seen })).toMatchObject({ status: 412 });
    }
    const now = changed.headers.get('etag') ?? '';
    expect(now).not.toBe(seen);
    expect((await api.call('GET', path)).headers.get('etag')).toBe(now);
    expect((await api.call('DELETE', path, undefined, { 'if-match': now })).status).toBe(204);
  });

  it('is made once for a key', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const [first, again] = [
      await api.call('POST', '/folders', { name: 'once' }, key),
      await api.call('POST', '/folders', { name: 'once' }, key),
    ];
    expect(first.status).toBe(201);
    expect({ status: again.status, body: again.body }).toEqual({ status: 201, body: first.body });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });
});

it('shows and changes nothing of a stranger', async () => {
  const id = await folder('theirs');
  await stranger(api, 'folders', id);
  const { body } = await upload('theirs.txt');
  const document = String(body['id']);
  await stranger(api, 'documents', document);
  const noFolder = { status: 404, body: { code: 'folder_not_found' } };
  expect(await api.call('GET', `/folders/${id}`)).toMatchObject(noFolder);
  expect(await api.call('GET', `/folders?parent=${id}`)).toMatchObject(noFolder);
  expect(await change(`/folders/${id}`, { name: 'mine' })).toMatchObject(noFolder);
  expect(await remove(`/folders/${id}`)).toMatchObject(noFolder);
  expect(await api.call('POST', '/folders', { name: 'x', parent_id: id })).toMatchObject(noFolder);
  const noDocument = { status: 404, body: { code: 'document_not_found' } };
  expect(await change(`/documents/${document}`, { name: 'mine' })).toMatchObject(noDocument);
  expect(await remove(`/documents/${document}`)).toMatchObject(noDocument);
  const mine = String((await upload('mine.txt')).body['id']);
  expect(await change(`/documents/${mine}`, { folder_id: id })).toMatchObject(noFolder);
});
