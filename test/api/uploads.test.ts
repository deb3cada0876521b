import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { PREFIX, rowCounts, startApi, type Answer, type TestApi } from './api-fixture';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ env: { AF_MAX_UPLOAD_MB: '1' } });
});
afterAll(() => api.close());

const MEGABYTE = 1024 * 1024;
const file = (content: string | Uint8Array<ArrayBuffer>, name?: string): [string, Blob, string?] => [
  'file',
  new Blob([content]),
  ...((name === undefined ? [] : [name]) as [string?]),
];

/** Fields of a form as they are appended: a text, or a file with its name. */
async function upload(
  fields: ([string, string] | [string, Blob, string?])[],
  query = '',
  headers: Record<string, string> = {},
): Promise<Answer> {
  const body = new FormData();
  for (const field of fields) body.append(...(field as [string, Blob, string?]));
  return post(query, headers, body);
}

/** A form as it is written here, with the boundary `b`. */
const send = (body: string): Promise<Answer> => post('', { 'content-type': 'multipart/form-data; boundary=b' }, body);

async function post(query: string, more: Record<string, string>, body: FormData | Blob | string): Promise<Answer> {
  const headers = { ...api.headers, ...more };
  const response = await fetch(`${api.url}${PREFIX}/documents${query}`, { method: 'POST', headers, body });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
}

async function download(id: unknown): Promise<Buffer> {
  const answer = await fetch(`${api.url}${PREFIX}/documents/${String(id)}/download`, { headers: api.headers });
  return Buffer.from(await answer.arrayBuffer());
}

const problemsOf = ({ status, body }: Answer): unknown => ({
  status,
  code: body.code,
  fields: body.problems?.map(({ field }) => field),
});

describe('a document in a form', () => {
  it('is what its bytes as the whole body would be', async () => {
    const bytes = new Uint8Array([0, 13, 10, 45, 45, 255, 0]);
    const form = await upload([file(bytes, 'naïve "1".xml')]);
    expect(form.status).toBe(201);
    expect(form.body).toMatchObject({ name: 'naïve "1".xml', media_type: 'application/xml', size: 7 });
    expect(form.headers.get('etag')).toMatch(/^"/);
    expect(await download(form.body['id'])).toEqual(Buffer.from(bytes));
    const whole = await fetch(`${api.url}${PREFIX}/documents?name=whole.xml`, {
      method: 'POST',
      headers: { ...api.headers, 'content-type': 'application/octet-stream' },
      body: bytes,
    });
    expect(await whole.json()).toMatchObject({ sha256: form.body['sha256'], size: 7 });
  });

  it('has its name from the query, the form or the file, and lies where either says', async () => {
    const folder = String((await api.call('POST', '/folders', { name: `f-${randomUUID()}` })).body['id']);
    expect((await upload([file('x', 'C:\\filings\\a.csv')])).body).toMatchObject({ name: 'a.csv' });
    expect((await upload([file('x', 'a.csv'), ['name', 'b.txt'], ['folder', folder]])).body).toMatchObject({
      name: 'b.txt',
      media_type: 'text/plain; charset=utf-8',
      folder_id: folder,
    });
    const query = `?name=c.json&folder=${folder}`;
    expect((await upload([file('{}', 'a.csv'), ['name', 'c.json']], query)).body).toMatchObject({
      name: 'c.json',
      folder_id: folder,
    });
  });

  it('is kept once for one key, although each form has a boundary of its own', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const first = await upload([file('one', 'a.txt')], '', key);
    const again = await upload([file('one', 'a.txt')], '', key);
    expect([again.status, again.body['id']]).toEqual([201, first.body['id']]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    for (const other of [file('two', 'a.txt'), file('one', 'b.txt')]) {
      expect((await upload([other], '', key)).body.code).toBe('idempotency_mismatch');
    }
  });

  it('is refused with all that is wrong, and nothing is kept of it', async () => {
    const before = await rowCounts(api);
    const refused = async (
      fields: Parameters<typeof upload>[0],
      status: number,
      code: string,
      names?: string[],
      query = '',
    ): Promise<void> => {
      expect(problemsOf(await upload(fields, query))).toEqual({ status, code, fields: names });
    };
    const invalid = [400, 'invalid_request'] as const;
    await refused([], ...invalid, ['file']);
    await refused([['name', 'a.txt']], ...invalid, ['file']);
    // A form of a page in which no file was chosen.
    const unchosen = '--b\r\nContent-Disposition: form-data; name="file"; filename=""\r\n\r\n\r\n--b--\r\n';
    expect(problemsOf(await send(unchosen))).toEqual({ status: 400, code: 'invalid_request', fields: ['file'] });
    await refused([file('1', 'a'), file('2', 'b')], ...invalid, ['file']);
    await refused([file('1', 'a'), ['files', new Blob(['2']), 'b'], ['folder', 'x']], ...invalid, ['files', 'folder']);
    await refused([file('1', 'a'), ['name', 'b']], ...invalid, ['name'], '?name=c');
    await refused([file('1', 'a'), ['name', '']], ...invalid, ['name']);
    await refused([['file', 'a text, without a name']], ...invalid, ['name']);
    // Names that every object has are fields like any other, and there are none of that name.
    for (const name of ['__proto__', 'constructor', 'toString']) {
      await refused([file('1', 'a'), [name, 'b']], ...invalid, [name]);
      await refused([file('1', 'a'), [name, new Blob(['b']), 'c']], ...invalid, [name]);
    }
    const latin1 = Buffer.from('--b\r\nContent-Disposition: form-data; name=name\r\n\r\n\xe9.txt\r\n', 'latin1');
    const named = Buffer.from('--b\r\nContent-Disposition: form-data; name=file; filename=a\r\n\r\n1\r\n--b--\r\n');
    const type = { 'content-type': 'multipart/form-data; boundary=b' };
    const unread = await post('', type, new Blob([latin1, named]));
    expect(problemsOf(unread)).toEqual({ status: 400, code: 'invalid_request', fields: ['name'] });
    await refused([file('', 'a.txt')], 400, 'empty_document');
    await refused([file('1', 'con.txt')], 400, 'invalid_name', ['name']);
    await refused([file('1', 'a'), ['folder', randomUUID()]], 404, 'folder_not_found');
    await refused([file(new Uint8Array(MEGABYTE + 1), 'a')], 413, 'payload_too_large');
    await refused([file(new Uint8Array(2 * MEGABYTE), 'a')], 413, 'payload_too_large');
    expect(await rowCounts(api)).toEqual(before);
    expect((await upload([file(new Uint8Array(MEGABYTE), 'a')])).status).toBe(201);
  });

  it('that breaks off on the way leaves nothing', async () => {
    const before = await rowCounts(api);
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="half.txt"\r\n\r\nhalf of it';
    const server = api.api.app.getHttpServer() as Server;
    const ended = once(server, 'connection').then(([socket]: Socket[]) => once(socket as Socket, 'close'));
    const sent = request({
      host: '127.0.0.1',
      port: api.port,
      method: 'POST',
      path: `${PREFIX}/documents`,
      headers: { ...api.headers, 'content-type': 'multipart/form-data; boundary=b', 'content-length': 1_000 },
      agent: false,
    });
    sent.on('error', () => undefined);
    sent.write(head, () => sent.destroy());
    await ended;
    expect(await rowCounts(api)).toEqual(before);
    // One that is whole by its length and not by its boundary is told so.
    expect(problemsOf(await send(head))).toMatchObject({ status: 400, code: 'invalid_multipart' });
    expect(await rowCounts(api)).toEqual(before);
  });
});
