import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { callApi, PREFIX, startApi, type Answer, type TestApi } from './api-fixture';

const LATER = 'Later9764288000099';
let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
afterEach(async () => {
  await api.admin.query('delete from migrations where name = $1', [LATER]);
});

const ready = (): Promise<Answer> => callApi(api.url, { method: 'GET', path: '/health/ready' });
const migrated = (): Promise<unknown> =>
  api.admin.query('insert into migrations (timestamp, name) values (9764288000099, $1)', [LATER]);

describe('a process that runs while a later version migrates the database', () => {
  it('is not ready, and says why; it is again when that is taken back', async () => {
    expect(await ready()).toMatchObject({ status: 200 });
    await migrated();
    const { status, body } = await ready();
    expect({ status, body }).toMatchObject({
      status: 503,
      body: { status: 'unavailable', checks: { database: { status: 'down', code: 'schema_newer' } } },
    });
    expect(JSON.stringify(body)).toContain(LATER);
    await api.admin.query('delete from migrations where name = $1', [LATER]);
    expect(await ready()).toMatchObject({ status: 200 });
  });

  it('answers 503 where the schema does not fit any more, and goes on where it does', async () => {
    await api.admin.query('alter table folders rename column name to title');
    try {
      // A defect of ours stays one.
      const defect = await fetch(`${api.url}${PREFIX}/folders`, { headers: api.headers });
      expect([defect.status, await defect.json()]).toEqual([500, expect.objectContaining({ code: 'internal_error' })]);
      await migrated();
      for (const [method, path, body] of [
        ['GET', '/folders', undefined],
        ['POST', '/folders', { name: 'a' }],
      ] as const) {
        const answer = await api.call(method, path, body);
        expect(answer).toMatchObject({
          status: 503,
          body: { code: 'schema_newer', details: { unknown: [LATER] } },
        });
        expect(answer.headers.get('retry-after')).toBeTruthy();
      }
      expect((await api.call('GET', '/playbooks')).status).toBe(200);
      // Faults of a request are reported as always.
      expect((await api.call('GET', '/folders?limit=x')).status).toBe(400);
    } finally {
      await api.admin.query('alter table folders rename column title to name');
    }
    expect((await api.call('GET', '/folders')).status).toBe(200);
  });

  it('that cannot ask who calls says so as well', async () => {
    await migrated();
    await api.admin.query('alter function af_identify(text, text, uuid) rename to af_identify_once');
    try {
      const { status, body } = await api.call('POST', '/folders', { name: 'b' });
      expect({ status, code: body.code }).toEqual({ status: 503, code: 'schema_newer' });
    } finally {
      await api.admin.query('alter function af_identify_once(text, text, uuid) rename to af_identify');
    }
  });
});
