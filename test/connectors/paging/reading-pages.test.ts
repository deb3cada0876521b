import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import type { Pagination } from '../../../core/connector/types';
import { AppError } from '../../../core/errors/app-error';
import { readPages, type PageAnswer, type PageSource } from '../../../connectors/paging/read-pages';
import { paging } from '../http-definitions';

const rows = (count: number): JsonObject[] => Array.from({ length: count }, (_unused, id) => ({ id }));

describe('reading pages', () => {
  type Page = Partial<PageAnswer> | Error;

  /** Pages in the order in which they are asked for; what was asked. */
  function source(pages: Page[], given: Partial<PageSource> = {}): PageSource & { asked: unknown[] } {
    const asked: unknown[] = [];
    return {
      pagination: paging({ type: 'page', param: 'page' }),
      inputs: {},
      resume: undefined,
      follow: (link) => `followed:${link}`,
      asked,
      read: (placed, page) => {
        asked.push([...placed.values.map(([, value]) => value), placed.url, page]);
        const answer = pages[asked.length - 1] ?? {};
        if (answer instanceof Error) return Promise.reject(answer);
        const records = answer.records ?? [];
        const mapped = { records: [...records], missing: {}, warnings: [] };
        return Promise.resolve({
          data: {},
          records,
          mapped,
          status: 200,
          bytes: 1,
          link: undefined,
          notes: {},
          ...answer,
        });
      },
      ...given,
    };
  }
  const notFound = new AppError('upstream_not_found', 'x', { category: 'upstream' });
  const html = new AppError('bad_response', 'x', { category: 'upstream', details: { is_html: true } });

  it('joins what pages say of themselves: the oldest age, all errors, the last of the rest', async () => {
    const pages: Page[] = [
      { records: [1], status: 201, notes: { cache: 'stale', age_seconds: 90, errors: ['a'], from: 'x' } },
      { records: [2], status: 202, notes: { cache: 'fresh', age_seconds: 5, errors: ['b'], from: 'y' } },
      { records: [] },
    ];
    expect(await readPages(source(pages))).toEqual({
      results: [1, 2],
      count: 2,
      cache: 'stale',
      age_seconds: 90,
      errors: ['a', 'b'],
      from: 'y',
      status: 200,
      pages: 3,
      stopped_by: 'end',
      truncated: false,
    });
    const plain = await readPages(source([{ records: [1] }, {}]));
    expect(plain).not.toHaveProperty('errors');
    expect(plain).not.toHaveProperty('cache');
  });

  it('asks for one page without a number where there is no paging', async () => {
    const one = source([{ records: [1], status: 203, notes: { cache: 'fresh' } }], { pagination: undefined });
    expect(await readPages(one)).toEqual({ results: [1], count: 1, cache: 'fresh', status: 203 });
    expect(one.asked).toEqual([[undefined, undefined]]);
  });

  it('follows a link as an address that may be asked', async () => {
    const links = source(
      [
        { records: [1], data: { next: '/2' } },
        { records: [2], data: { next: null } },
      ],
      {
        pagination: paging({ type: 'next_url', next_path: 'next' }),
      },
    );
    expect(await readPages(links)).toMatchObject({ results: [1, 2], pages: 2, stopped_by: 'end' });
    expect(links.asked).toEqual([
      [undefined, 1],
      ['followed:/2', 2],
    ]);
  });

  it('ends behind the last numbered page as the definition says, and fails where there is no page at all', async () => {
    const ended = (sign: 'not_found' | 'html', last: Error, type: Pagination['type'] = 'page') =>
      readPages(source([{ records: [1] }, last], { pagination: paging({ type, param: 'page', ends_with: [sign] }) }));
    expect(await ended('not_found', notFound)).toMatchObject({ results: [1], pages: 1, stopped_by: 'end' });
    expect(await ended('html', notFound)).toMatchObject({ results: [1], stopped_by: 'not_found' });
    expect(await ended('html', html)).toMatchObject({ results: [1], stopped_by: 'end' });
    await expect(ended('not_found', html)).rejects.toBe(html);
    const broken = new AppError('bad_response', 'x', { category: 'upstream' });
    await expect(ended('html', broken)).rejects.toBe(broken);
    const defect = new TypeError('x');
    await expect(ended('not_found', defect)).rejects.toBe(defect);
    await expect(readPages(source([notFound]))).rejects.toBe(notFound);
    const cursor = paging({ type: 'cursor', param: 'c', cursor_path: 'next', ends_with: ['not_found', 'html'] });
    const links = source([{ records: [1], data: { next: 'x' } }, notFound], { pagination: cursor });
    await expect(readPages(links)).rejects.toBe(notFound);
  });

  it('counts what lies in front of where the caller begins towards the total', async () => {
    const total = (type: 'page' | 'offset', inputs: JsonObject, size?: number) => {
      const pagination = paging({ type, param: 'at', total_path: 'total', ...(size === undefined ? {} : { size }) });
      const page = { records: rows(3), data: { total: 9 } };
      return readPages(source([page, { ...page, records: [{ id: 9 }] }, {}], { pagination, inputs }));
    };
    expect(await total('offset', { at: 6 })).toMatchObject({ pages: 1, stopped_by: 'end' });
    expect(await total('offset', { at: 5 })).toMatchObject({ pages: 2, stopped_by: 'end' });
    expect(await total('page', { at: 3 }, 3)).toMatchObject({ pages: 1, stopped_by: 'end' });
    // Page size is taken from the first page if none is set.
    expect(await total('page', { at: 3 })).toMatchObject({ pages: 1, stopped_by: 'end' });
    expect(await total('page', { at: 2 }, 5)).toMatchObject({ pages: 2, stopped_by: 'end' });
    // Pages before the first one do not exist.
    expect(await total('page', { at: 0 }, 5)).toMatchObject({ pages: 3 });
  });

  it('takes an empty page twice for no repetition, but the same place twice', async () => {
    const cursor = paging({ type: 'cursor', param: 'c', cursor_path: 'next' });
    const at = (next: string, records: Json[] = []) => ({ records, data: { next } });
    const gone = source([at('a'), at('b'), at('a')], { pagination: cursor });
    expect(await readPages(gone)).toMatchObject({ pages: 3, count: 0, stopped_by: 'repeated_cursor' });
    const back = source([at('a', [1]), at('b', [1])], { pagination: cursor });
    expect(await readPages(back)).toMatchObject({
      pages: 2,
      count: 1,
      stopped_by: 'repeated_page',
      truncated: 'unknown',
    });
    const own = source([at('a', [1])], { pagination: cursor, inputs: { c: 'a' } });
    expect(await readPages(own)).toMatchObject({ pages: 1, stopped_by: 'repeated_cursor' });
  });
});
