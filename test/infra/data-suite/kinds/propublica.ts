import { each, type Check, type Checks } from '../row';
import { one, rows } from '../results';

const organization: Check = async ({ path, said, world }) => {
  const record = one(await world.api(path, { results_path: 'organization', fields: { ein: 'ein', name: 'name' } }));
  said.same(/EIN (\d+), name (.*?), (?=\d)/, record['ein'], record['name']);
  const filings = rows(
    await world.api(path, { results_path: 'filings_with_data', fields: { year: 'tax_prd_yr', revenue: 'totrevenue' } }),
  );
  const bare = rows(await world.api(path, { results_path: 'filings_without_data' }));
  said.same(/(\d+) filings_with_data/, filings.length);
  said.same(/(\d+) filings_without_data/, bare.length);
  const newest = filings.toSorted((a, b) => Number(b['year']) - Number(a['year']))[0];
  said.same(/newest tax_prd_yr (\d+) totrevenue (\d+)/, newest?.['year'], newest?.['revenue']);
};

const search: Check = async ({ path, said, world }) => {
  const fields = { total: 'total_results', pages: 'num_pages', page: 'cur_page' };
  const about = one(await world.api(path, { fields }));
  const found = rows(await world.api(path, { results_path: 'organizations', fields: { ein: 'ein', name: 'name' } }));
  said.same(/total_results (\d+)/, about['total']);
  said.same(/(\d+) organizations on this page/, found.length);
  said.same(/num_pages (\d+), cur_page (\d+)/, about['pages'], about['page']);
  said.same(/first EIN (\d+) (.*)$/, found[0]?.['ein'], found[0]?.['name']);
};

export const propublica: Checks = {
  'organization_311124220.json': organization,
  ...each(search, 'search_athens_OH_page0.json', 'search_athens_OH_page1.json', 'search_rural_page0.json'),
};
