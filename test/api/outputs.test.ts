import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import type { BlobPart, StoredValue } from '../../core/engine/values';
import type { Json } from '../../core/base/json';
import { TransitionsStore } from '../../infra/db/stores/transitions.store';
import { startApi, startRun, type TestApi } from './api-fixture';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

async function part(kind: BlobPart['kind'], value: Json, owner = LOCAL_USER_ID): Promise<BlobPart> {
  return { ...(await api.deps.blobs.put(owner, Buffer.from(JSON.stringify(value)))), kind };
}
const handle = (...parts: BlobPart[]) => ({ parts, size: parts.reduce((sum, each) => sum + each.size, 0) });

async function runWith(result: { [key: string]: StoredValue }): Promise<string> {
  const runId = await startRun(api);
  await new TransitionsStore(api.database).finish(runId, { status: 'complete', events: [], result });
  return runId;
}

describe('one output of a run', () => {
  it('is whole, wherever its parts lie', async () => {
    const rows = Array.from({ length: 20_000 }, (_, n) => ({ n, text: `ä"\\ ${n}` }));
    const stored: { [key: string]: StoredValue } = {
      small: { value: { a: [1, null, 'x'] } },
      nothing: { value: null },
      whole: { value: null, handles: { '': handle(await part('whole', rows)) } },
      fields: {
        value: { count: 2, rows: null, none: null, 'odd "field"': null },
        handles: {
          rows: handle(await part('whole', rows)),
          'odd "field"': handle(await part('element', { e: 1 })),
        },
      },
      list: {
        value: { results: null },
        handles: {
          results: handle(
            await part('slice', [1, [2]]),
            await part('slice', []),
            await part('element', [3]),
            await part('slice', [4]),
          ),
        },
      },
      empty: { value: { results: null }, handles: { results: handle(await part('slice', [])) } },
    };
    const runId = await runWith(stored);
    const { body: run } = await api.call('GET', `/runs/${runId}`);
    expect(run['outputs_omitted']).toEqual([
      'whole',
      'fields.rows',
      'fields.odd "field"',
      'list.results',
      'empty.results',
    ]);
    const expected: Record<string, Json> = {
      small: { a: [1, null, 'x'] },
      nothing: null,
      whole: rows,
      fields: { count: 2, rows, none: null, 'odd "field"': [{ e: 1 }] },
      list: { results: [1, [2], [3], 4] },
      empty: { results: [] },
    };
    for (const [key, value] of Object.entries(expected)) {
      const { status, headers, body } = await api.call('GET', `/runs/${runId}/outputs/${key}`);
      expect({ status, type: headers.get('content-type') }).toEqual({
        status: 200,
        type: 'application/json; charset=utf-8',
      });
      expect(body).toEqual(value);
    }
  });

  it('is not there under another key, before the end, or of another run', async () => {
    const runId = await runWith({ small: { value: 1 } });
    for (const key of ['other', '__proto__', 'constructor', 'small.value', '%00']) {
      expect(await api.call('GET', `/runs/${runId}/outputs/${key}`)).toMatchObject({
        status: 404,
        body: { code: 'output_not_found', detail: expect.stringContaining('It has: small.') },
      });
    }
    const near = await api.call('GET', `/runs/${runId}/outputs/smal`);
    expect(near.body.detail).toContain('Did you mean "small"?');
    const open = await startRun(api);
    expect(await api.call('GET', `/runs/${open}/outputs/small`)).toMatchObject({
      status: 404,
      body: { code: 'output_not_found', detail: expect.stringContaining('once it has ended') },
    });
    expect(await api.call('GET', `/runs/${randomUUID()}/outputs/small`)).toMatchObject({
      status: 404,
      body: { code: 'run_not_found' },
    });
    expect(await api.call('GET', `/runs/x/outputs/small`)).toMatchObject({ status: 400, body: { code: 'invalid_id' } });
  });

  it('whose content is gone is a problem, not an empty answer, and other owners have none of it', async () => {
    const foreign = await part('whole', { secret: 1 }, randomUUID());
    const runId = await runWith({ gone: { value: null, handles: { '': handle(foreign) } } });
    const answer = await api.call('GET', `/runs/${runId}/outputs/gone`);
    expect(answer).toMatchObject({
      status: 410,
      body: { code: 'blob_not_found', detail: expect.stringContaining('backup') },
    });
    expect(JSON.stringify(answer.body)).not.toContain('secret');
  });

  it('with a damaged or missing part says so before anything of it leaves', async () => {
    const lost = await part('whole', { lost: 1 }, randomUUID());
    const [first, damaged] = [await part('slice', [1]), await part('whole', { kept: 'whole' })];
    const runId = await runWith({
      listed: { value: null, handles: { '': { parts: [first, lost], size: 2 } } },
      field: { value: { a: 1, b: null, c: 2 }, handles: { b: handle(damaged) } },
    });
    expect(await api.call('GET', `/runs/${runId}/outputs/field`)).toMatchObject({ status: 200, body: { a: 1, c: 2 } });
    await api.admin.query('update blob_chunks set data = $2 where sha256 = $1', [damaged.sha256, 'no gzip at all']);
    const said = { status: 410, body: { code: 'blob_damaged' } };
    expect(await api.call('GET', `/runs/${runId}/outputs/field`)).toMatchObject(said);
    expect(await api.call('GET', `/runs/${runId}/outputs/listed`)).toMatchObject({
      status: 410,
      body: { code: 'blob_not_found' },
    });
  });
});
