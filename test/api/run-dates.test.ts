import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startApi, startRun, type TestApi } from './api-fixture';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

it('lists the runs of a stretch of time, whose first moment belongs to it', async () => {
  const times = ['2020-01-01T00:00:00Z', '2020-01-02T00:00:00Z', '2020-01-03T00:00:00Z'];
  const ids: string[] = [];
  for (const time of times) {
    const id = await startRun(api);
    await api.admin.query('update runs set created_at = $2 where id = $1', [id, time]);
    ids.push(id);
  }
  const [first, second, third] = ids;
  const list = async (query: string) =>
    ((await api.call('GET', `/runs?${query}`)).body.items ?? []).map((run) => run['runId']);
  const [, from, until] = times;
  expect(await list(`created_before=${until}`)).toEqual([second, first]);
  expect(await list(`created_after=${from}&created_before=${until}`)).toEqual([second]);
  expect(await list(`created_after=2020-01-02T01:00:00%2B01:00&created_before=2020-01-04T00:00:00Z`)).toEqual([
    third,
    second,
  ]);
  expect(await list(`created_after=${until}&created_before=${from}`)).toEqual([]);
  expect(await list(`created_before=${until}&status=pending&playbook=two-steps&sort=created_at`)).toEqual([
    first,
    second,
  ]);
  const page = await api.call('GET', `/runs?created_before=${until}&limit=1`);
  expect(await list(`created_before=${until}&limit=1&cursor=${String(page.body['next_cursor'])}`)).toEqual([first]);
});

it.each(['2020-01-01', '2020-02-30T00:00:00Z', '2020-01-01T00:00:00 01:00', '0000-01-01T00:00:00Z', 'yesterday', ''])(
  'refuses %j as a time, and says what one is',
  async (time) => {
    for (const field of ['created_after', 'created_before']) {
      const { status, body } = await api.call('GET', `/runs?${field}=${encodeURIComponent(time)}`);
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_request' });
      expect(JSON.stringify(body)).toMatch(new RegExp(`${field} must be a (time with its zone|day of the calendar)`));
    }
  },
);
