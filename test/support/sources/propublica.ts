import { grown, numberIn, recorded, type Row, rowsIn, slice } from './material';
import { json, type Source, tooMany } from './source';

const API = 'projects.propublica.org/nonprofits/api/v2';
const SIZE = 100;

/** Recorded answers to a search: the first pages, and the number of all results. */
function found(q: string, state: string | null): { organizations: Row[]; total: number } {
  const pages =
    q === 'athens' && state === 'OH'
      ? ['search_athens_OH_page0', 'search_athens_OH_page1']
      : q === 'rural' && state === null
        ? ['search_rural_page0']
        : [];
  const answers = pages.map((page) => recorded(`propublica/${page}.json`));
  return {
    organizations: answers.flatMap((answer) => rowsIn(answer, 'organizations')),
    total: Number(answers[0]?.['total_results'] ?? 0),
  };
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
        const search = found(q, query.get('state[id]'));
        const all = grown(search.organizations, search.total, (at) => ({
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
