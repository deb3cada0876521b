import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../core/base/json';
import type { Pagination } from '../../../core/connector/types';
import { sendJson, startHttpSource } from '../../support/http-source';
import type { Answer, HttpSource } from '../../support/http-source';
import { callRest, paging, parameter, restEndpoint, results } from '../http-definitions';

let source: HttpSource;
let answer: Answer;
beforeAll(async () => {
  source = await startHttpSource((request, response) => answer(request, response));
});
afterAll(() => source.close());
beforeEach(() => void source.seen.splice(0));

const query = (url: string): URLSearchParams => new URL(url, 'http://x').searchParams;
const rows = (from: number, count: number): JsonObject[] => Array.from({ length: count }, (_, i) => ({ id: from + i }));

function read(given: Partial<Pagination> & Pick<Pagination, 'type'>) {
  const endpoint = restEndpoint({
    pagination: paging(given),
    response_mapping: results('items', { n: 'id' }),
    parameters: [parameter('page', { type: 'integer' })],
  });
  return callRest(endpoint, { source });
}

describe('caps and guards', () => {
  const endless: Answer = ({ url }, response) => {
    const at = Number(query(url).get('page'));
    sendJson(response, { items: rows(at * 10, 10), next: at });
  };
  it.each([
    ['max_pages', { max_pages: 3 }, 30, 'unknown'],
    ['max_items', { max_items: 25 }, 25, true],
    ['max_items', { max_items: 20 }, 20, 'unknown'],
    ['max_bytes', { max_bytes: 200 }, 20, 'unknown'],
    ['max_seconds', { max_seconds: 0 }, 10, 'unknown'],
  ])('%s (%j): only records that were cut are known', async (stopped_by, caps, count, truncated) => {
    answer = endless;
    const result = await read({ type: 'page', param: 'page', ...caps });
    expect(result).toMatchObject({ count, stopped_by, truncated });
  });
  it.each([
    ['a total', { type: 'page', param: 'page', total_path: 'total' }, { total: 6 }, { total: 7 }],
    ['a flag', { type: 'page', param: 'page', more_path: 'more' }, { more: null }, { more: true }],
    ['an offset', { type: 'offset', param: 'page', total_path: 'total' }, { total: 'x' }, { total: 7 }],
  ] as const)('a cap knows of more where %s says so', async (_what, given, without, withMore) => {
    const told = (beside: object): void => {
      answer = ({ url }, response) => {
        const at = Number(query(url).get('page'));
        sendJson(response, { items: rows(at * 3, 3), ...beside });
      };
    };
    told(without);
    const silent = await read({ ...given, max_pages: 2 });
    told(withMore);
    const named = await read({ ...given, max_pages: 2 });
    expect(named).toMatchObject({ count: 6, stopped_by: 'max_pages', truncated: true });
    // A total that is reached is the end, whatever the cap.
    const isEnd = 'total' in without && without.total === 6;
    expect([silent['stopped_by'], silent['truncated']]).toEqual(isEnd ? ['end', false] : ['max_pages', 'unknown']);
  });
  it('a cap knows of more where the answer names the next place, and not where the last record gave the key', async () => {
    const capped = { max_pages: 2 };
    const known = { count: 2, stopped_by: 'max_pages', truncated: true };
    const next = (of: (at: string) => object): void => {
      let asked = 0;
      answer = (_request, response) => {
        asked += 1;
        sendJson(response, { items: [{ id: asked }], ...of(String(asked)) });
      };
    };
    next((at) => ({ next: at }));
    expect(await read({ type: 'cursor', param: 'c', cursor_path: 'next', ...capped })).toMatchObject(known);
    next((at) => ({ after: at }));
    expect(await read({ type: 'keyset', keys: { after: 'after' }, ...capped })).toMatchObject(known);
    next((at) => ({ next: `/rows?at=${at}` }));
    expect(await read({ type: 'next_url', next_path: 'next', ...capped })).toMatchObject(known);
    next(() => ({}));
    const own = await read({ type: 'keyset', keys: { after: 'id' }, ...capped });
    expect(own).toMatchObject({ ...known, truncated: 'unknown' });
  });
  it('a source that knows no pages sends its whole list again: unknown, unless it says that there is more', async () => {
    answer = (_request, response) => sendJson(response, { items: rows(0, 6), total: 9 });
    const again = { count: 6, pages: 2, stopped_by: 'repeated_page' };
    expect(await read({ type: 'page', param: 'page' })).toMatchObject({ ...again, truncated: 'unknown' });
    expect(await read({ type: 'page', param: 'page', total_path: 'total' })).toMatchObject({
      ...again,
      truncated: true,
    });
  });
  it('a list that ends above the cap on records is cut, and says so', async () => {
    answer = (_request, response) => sendJson(response, { items: rows(0, 10) });
    const result = await read({ type: 'cursor', param: 'c', cursor_path: 'next', max_items: 4 });
    expect(result).toMatchObject({ count: 4, pages: 1, stopped_by: 'max_items', truncated: true });
    const whole = await read({ type: 'cursor', param: 'c', cursor_path: 'next', max_items: 10 });
    expect(whole).toMatchObject({ count: 10, pages: 1, stopped_by: 'end', truncated: false });
  });
  it('stops on a repeated page, which is not added', async () => {
    answer = ({ url }, response) => {
      const at = Math.min(2, Number(query(url).get('page')));
      sendJson(response, { items: rows(at * 10, 10), page: query(url).get('page') });
    };
    const result = await read({ type: 'page', param: 'page' });
    expect(result).toMatchObject({ count: 20, pages: 3, stopped_by: 'repeated_page', truncated: 'unknown' });
  });
  it.each(['cursor', 'next_url'] as const)('stops on a repeated %s', async (type) => {
    let asked = 0;
    answer = (_request, response) => {
      asked += 1;
      sendJson(response, { items: rows(asked, 1), next: ['b', 'c', 'b'][asked - 1] });
    };
    const result = await read({ type, param: 'c', cursor_path: 'next', next_path: 'next' });
    expect(result).toMatchObject({ count: 3, pages: 3, stopped_by: 'repeated_cursor', truncated: 'unknown' });
  });
  it('empty pages with another cursor are gone through', async () => {
    answer = ({ url }, response) => {
      const at = Number(query(url).get('c') ?? 0);
      sendJson(response, { items: at === 3 ? rows(0, 1) : [], next: at < 3 ? at + 1 : null });
    };
    const result = await read({ type: 'cursor', param: 'c', cursor_path: 'next' });
    expect(result).toMatchObject({ count: 1, pages: 4, stopped_by: 'end' });
  });
});
