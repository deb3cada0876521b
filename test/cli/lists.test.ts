import { afterEach, describe, expect, it } from '@jest/globals';
import type { Api } from '../../cli/http/api';
import { firstOf, listText } from '../../cli/lists';
import { serveApi, type ServedApi } from './served-api';

let served: ServedApi | undefined;
afterEach(() => served?.close());

/** A list of so many items, in pages as the API gives them. */
async function listed(count: number): Promise<{ api: Api; limits: string[] }> {
  const limits: string[] = [];
  served = await serveApi((request, response) => {
    const query = new URL(request.url ?? '', 'http://x').searchParams;
    const limit = Number(query.get('limit'));
    limits.push(`${query.get('kind') ?? ''} ${limit}`);
    const from = Number(query.get('cursor') ?? 0);
    const items = Array.from({ length: Math.max(0, Math.min(limit, count - from)) }, (_, at) => ({ n: from + at }));
    const next = from + limit < count ? { next_cursor: String(from + limit) } : {};
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ items, ...next }));
  });
  return { api: served.api, limits };
}

const row = ({ n }: { n: number }): string[] => [String(n)];

describe('a list', () => {
  it.each([
    ['20', 450, 20, true, ['a 20']],
    ['450', 450, 450, false, ['a 200', 'a 200', 'a 50']],
    ['420', 450, 420, true, ['a 200', 'a 200', 'a 20']],
    ['all', 450, 450, false, ['a 200', 'a 200', 'a 200']],
    ['20', 20, 20, false, ['a 20']],
    ['1', 3, 1, true, ['a 1']],
  ])('--limit %s of %i is %i, more: %s', async (limit, count, shown, more, asked) => {
    const { api, limits } = await listed(count);
    const page = await firstOf<{ n: number }>(api, '/things', new URLSearchParams({ kind: 'a' }), limit);
    expect(page.items).toEqual(Array.from({ length: shown }, (_, n) => ({ n })));
    expect(limits).toEqual(asked);
    expect('next_cursor' in page).toBe(more);
    const last = listText(page, 'None.', row).split('\n').at(-1);
    expect(last).toBe(
      more
        ? `There are more than ${shown === 1 ? 'this one' : `these ${shown}`}: --limit <n> shows more, --limit all all of them.`
        : String(shown - 1),
    );
  });

  it('that has nothing says so', async () => {
    const { api } = await listed(0);
    const page = await firstOf<{ n: number }>(api, '/things', new URLSearchParams(), 'all');
    expect(listText(page, 'None.', row)).toBe('None.');
  });

  it.each([['0'], ['-1'], ['many'], ['1.5'], ['']])('refuses --limit %j before anything is asked', async (limit) => {
    const { api, limits } = await listed(1);
    await expect(firstOf(api, '/things', new URLSearchParams(), limit)).rejects.toMatchObject({ exitCode: 2 });
    expect(limits).toEqual([]);
  });
});
