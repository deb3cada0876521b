import { constructed, numberIn, recorded, type Row, slice } from './material';
import { json, type Source, type SourceAnswer, SOURCE_KEY, type SourceRequest, tooMany } from './source';

const API = 'api.opencorporates.com/v0.4';

function paged(name: 'companies' | 'officers', rows: Row[], { query }: SourceRequest): SourceAnswer {
  const size = Math.min(numberIn(query, 'per_page', 30), 100);
  const page = numberIn(query, 'page', 1);
  const part = slice(rows, page, { size });
  return json({
    api_version: '0.4.8',
    results: { [name]: part.rows, page, per_page: size, total_pages: part.pages, total_count: part.total },
  });
}

/** OpenCorporates, version 0.4. */
export const OPENCORPORATES: Source = {
  hosts: ['api.opencorporates.com'],
  admits: ({ query }) =>
    query.get('api_token') === SOURCE_KEY
      ? undefined
      : json({ error: { message: 'Invalid Api Token. Please check your OpenCorporates account.' } }, 401),
  limited: (retryAfter) => tooMany(json({ error: { message: 'You have exceeded your daily usage limit' } }), retryAfter),
  missing: () => json({ error: { message: 'Not found' } }, 404),
  routes: [
    {
      at: `${API}/companies/search`,
      answer: (request) =>
        paged('companies', constructed<{ companies: Row[] }>('opencorporates/companies.json').companies, request),
    },
    {
      at: `${API}/officers/search`,
      answer: (request) =>
        paged('officers', constructed<{ officers: Row[] }>('opencorporates/officers.json').officers, request),
    },
    {
      at: `${API}/companies/gb/SC045439`,
      answer: () => json(recorded('opencorporates/company_gb_SC045439.json')),
    },
  ],
};
