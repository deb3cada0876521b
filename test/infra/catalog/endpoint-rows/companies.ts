import type { Rows } from './row';

export const OPENCORPORATES: Rows = {
  search_companies: [
    {
      inputs: { q: 'example holdings', jurisdiction_code: 'gb' },
      count: 64,
      pages: 3,
      first: { name: 'EXAMPLE HOLDINGS 0 LIMITED', company_number: '10000000', incorporation_date: '2001-02-03', status: 'Dissolved' },
      distinct: { company_number: 64 },
    },
  ],
  company: [
    {
      inputs: { jurisdiction_code: 'gb', company_number: 'SC045439' },
      count: 1,
      first: { name: 'CAPITA IT SERVICES LIMITED', company_number: 'SC045439', jurisdiction: 'gb', incorporation_date: '1968-02-07' },
      lengths: { previous_names: 8, officers: 6, filings: 3, industry_codes: 3 },
    },
  ],
  company_officers: [
    {
      inputs: { jurisdiction_code: 'gb', company_number: 'SC045439' },
      count: 6,
      first: { name: 'PETER HANDS', position: 'director', start_date: '2013-06-05', inactive: false },
      distinct: { inactive: 2 },
    },
  ],
  search_officers: [
    { inputs: { q: 'peter hands' }, count: 2, pages: 2, last: { company: 'CAPITA IT SERVICES LIMITED', company_number: 'SC045439' } },
  ],
};
