import { grown, numberIn, recorded, type Row, slice } from './material';
import { json, type Source, tooMany } from './source';

const API = 'projects.propublica.org/nonprofits/api/v2';
const SIZE = 100;

interface Search {
  organizations: Row[];
  total_results: number;
}

/** What was recorded for a search: first pages, and how many there are in all. */
function found(q: string, state: string | null): Search | undefined {
  if (q === 'athens' && state === 'OH') {
    const pages = [0, 1].map((page) => recorded<Search>(`propublica/search_athens_OH_page${page}.json`));
    return { organizations: pages.flatMap((page) => page.organizations), total_results: pages[0]?.total_results ?? 0 };
  }
  return q === 'rural' && state === null ? recorded<Search>('propublica/search_rural_page0.json') : undefined;
}

/** ProPublica's Nonprofit Explorer, version 2 of its interface. */
export const PROPUBLICA: Source = {
  hosts: ['projects.propublica.org'],
  limited: (retryAfter) => tooMany(json({ error: 'Too many requests' }), retryAfter),
  missing: () => json({ status: 404, error: 'Not found' }, 404),
  routes: [
    {
      at: `${API}/search.json`,
      answer: ({ query }) => {
        const q = query.get('q') ?? '';
        const page = numberIn(query, 'page', 0);
        const search = found(q, query.get('state[id]')) ?? { organizations: [], total_results: 0 };
        const all =
          search.organizations.length === 0
            ? []
            : grown(search.organizations, search.total_results, (at) => ({
                ein: 900_000_000 + at,
                strein: `90-000${at}`,
                name: `CONSTRUCTED ${at}`,
              }));
        const { rows, total, pages } = slice(all, page, { size: SIZE, first: 0 });
        return json({
          total_results: total,
          organizations: rows,
          num_pages: pages,
          cur_page: page,
          page_offset: page * SIZE,
          per_page: SIZE,
          search_query: q,
          selected_state: query.get('state[id]'),
          api_version: 2,
        });
      },
    },
    {
      at: `${API}/organizations/311124220.json`,
      answer: () => json(recorded('propublica/organization_311124220.json')),
    },
  ],
};
