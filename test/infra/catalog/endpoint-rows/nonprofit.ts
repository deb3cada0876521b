import type { Rows } from './row';

export const PROPUBLICA: Rows = {
  search: [
    {
      inputs: { q: 'athens', 'state[id]': 'OH' },
      count: 350,
      pages: 5,
      first: { ein: 320035073, ein_text: '32-0035073', name: 'ATHENS CONSERVANCY', city: 'ATHENS', state: 'OH' },
      distinct: { ein: 350 },
      asked: 'GET projects.propublica.org/nonprofits/api/v2/search.json?q=athens&state%5Bid%5D=OH&page=0',
    },
    { inputs: { q: 'rural' }, count: 1000, pages: 10, first: { ein: 823193486, name: 'RURAL ALLIANCE' } },
    { inputs: { q: 'nobody has this name' }, count: 0, pages: 1 },
  ],
  organization: [
    {
      inputs: { ein: '311124220' },
      count: 1,
      first: { ein: 311124220, name: 'RURAL ACTION INC', ruling_date: '1985-06-01', revenue: 3714399, assets: 1762260 },
    },
  ],
  filings: [
    {
      inputs: { ein: '311124220' },
      count: 10,
      first: { tax_year: 2020, total_revenue: 3714399, total_expenses: 3720501, form: '990', officer_compensation: 73468 },
    },
  ],
  filings_without_data: [
    { inputs: { ein: '311124220' }, count: 9, first: { tax_year: 2009, form: '990', tax_period: 200912 } },
  ],
};
