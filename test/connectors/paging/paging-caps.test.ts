import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../core/base/json';
import { sendJson, startHttpSource } from '../../support/http-source';
import type { HttpSource } from '../../support/http-source';
import { callRest, paging, parameter, restEndpoint, results } from '../http-definitions';

/** Pages of three records each; the last one may be shorter. */
const SIZE = 3;
let total = 0;
let source: HttpSource;
beforeAll(async () => {
  source = await startHttpSource((request, response) => {
    const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('page'));
    const from = (page - 1) * SIZE;
    const items = Array.from({ length: Math.max(0, Math.min(SIZE, total - from)) }, (_unused, at) => ({
      id: from + at,
    }));
    sendJson(response, { items });
  });
});
afterAll(() => source.close());
beforeEach(() => void source.seen.splice(0));

async function read(
  records: number,
  most: number,
  more: { size?: number } = {},
): Promise<JsonObject & { requests: number }> {
  total = records;
  const endpoint = restEndpoint({
    pagination: paging({ type: 'page', param: 'page', max_items: most, ...more }),
    response_mapping: results('items', { n: 'id' }),
    parameters: [parameter('page', { type: 'integer' })],
  });
  const { count, stopped_by, truncated, results: found } = await callRest(endpoint, { source });
  expect(found).toEqual(Array.from({ length: Number(count) }, (_unused, n) => ({ n })));
  return { count, stopped_by, truncated, requests: source.seen.length } as JsonObject & { requests: number };
}

describe('max_items', () => {
  it('is never exceeded, also by one record of a page', async () => {
    expect(await read(9, 5)).toEqual({ count: 5, stopped_by: 'max_items', truncated: true, requests: 2 });
  });

  it('that the last page exceeds by one cuts that one, and says so', async () => {
    expect(await read(5, 4)).toEqual({ count: 4, stopped_by: 'max_items', truncated: true, requests: 2 });
  });

  it('cuts a short last page that has one too many, which a source without a further page would end with', async () => {
    const short = await read(5, 4, { size: SIZE });
    expect(short).toEqual({ count: 4, stopped_by: 'max_items', truncated: true, requests: 2 });
  });

  it('that is reached with a full page asks for no further one', async () => {
    expect(await read(9, 6)).toEqual({ count: 6, stopped_by: 'max_items', truncated: 'unknown', requests: 2 });
  });

  it('that leaves room for one more reads on to the end', async () => {
    expect(await read(6, 7)).toEqual({ count: 6, stopped_by: 'end', truncated: false, requests: 3 });
  });
});
