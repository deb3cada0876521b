import { expect } from '@jest/globals';
import type { JsonObject } from '../../../../core/base/json';
import { COURTS } from '../courts';
import { each, type Check, type Checks, type Row } from '../row';
import { asText, list, one, rows } from '../results';

/**
 * Table rows as the HTML standard builds the tree: in this page a table begins with a cell, which opens a row that the
 * mark-up does not name; the parser of the description drops it.
 */
const ROWS_BY_STANDARD: Record<string, number> = { 'html-pages/court_armfor_example.html': 32 };

/** Parts of a page, counted by selectors of ours. */
const parts: Check = async ({ path, said, world }) => {
  const all = (field: string, selector: string): JsonObject => ({ field, selector, multiple: true });
  const fields = [
    { field: 'title', selector: 'title' },
    all('tables', 'table'),
    all('rows', 'tr'),
    all('links', 'a[href]'),
    all('forms', 'form'),
  ];
  const page = one(await world.page(path, { fields }));
  const [title = ''] = said.take(/^title '(.*?)'(?=;|$)/);
  expect(asText(page['title'] ?? '')).toContain(title.replace(/\s+/g, ' ').trim());
  const count = (field: string): number => list(page[field]).length;
  const [tables, trs, links, forms] = said.take(/(\d+) tables, (\d+) rows, (\d+) links, (\d+) forms/).map(Number);
  expect([count('tables'), count('rows'), count('links'), count('forms')]).toEqual([
    tables,
    ROWS_BY_STANDARD[path] ?? trs,
    links,
    forms,
  ]);
};

const court: Check = async (row) => {
  await parts(row);
  const { path, said, world } = row;
  const recipe = COURTS[/court_(\w+?)_example/.exec(path)?.[1] ?? ''];
  if (recipe === undefined) throw new Error(`Nobody knows how ${path} is read.`);
  const [file = '', count, name] = said.take(/expected parse result in (\S+\.json): (\d+) opinions, first '(.*?)'/);
  const expected = await entriesOf(row, `html-pages/${file}`);
  const { site, names, only, ...page } = recipe;
  const found = rows(await world.page(path, page))
    .filter(only ?? ((): boolean => true))
    .map((record) => ({ ...record, download_urls: asText(record['download_urls']).replace(world.url, site) }));
  expect(found).toHaveLength(Number(count));
  const fields = Object.keys(found[0] ?? {});
  const wanted = expected.map((entry) => Object.fromEntries(fields.map((field) => [field, entry[field]])));
  const called = found.map((entry: JsonObject): JsonObject => ({
    ...entry,
    case_names: names?.(asText(entry['case_names'])) ?? entry['case_names'] ?? null,
  }));
  expect(sorted(called)).toEqual(sorted(wanted as JsonObject[]));
  expect(expected[0]?.['case_names']).toBe(name);
};

function sorted(records: readonly JsonObject[]): JsonObject[] {
  const key = (record: JsonObject): string => `${asText(record['download_urls'])} ${asText(record['docket_numbers'])}`;
  return records.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** An expected result, read as the list of records that it is. */
async function entriesOf({ world }: Pick<Row, 'world'>, path: string): Promise<JsonObject[]> {
  return rows(await world.file(path, { parser: 'json' }));
}

const expectedResult: Check = async (row) => {
  row.said.same(/(\d+) entries/, (await entriesOf(row, row.path)).length);
};

/** A listing over two pages is one list: the second page lies where the first one's link leads. */
const listing: Check = async (row) => {
  await parts(row);
  const { path, world } = row;
  const fields: JsonObject[] = [
    { field: 'company', selector: 'td:first-child a' },
    { field: 'url', selector: 'td:first-child a', attribute: 'href' },
  ];
  world.place(
    'html-pages/ok_warn_search_page2.html',
    ({ pathname, searchParams }) => pathname === '/search/warn_lookups' && searchParams.get('page') === '2',
  );
  const result = await world.page(path, {
    list_selector: 'table tr:has(td)',
    fields,
    follow: { selector: 'a.next_page' },
  });
  const records = rows(result);
  expect(result).toMatchObject({ pages: 2, stopped_by: 'end', truncated: false });
  expect(records).toHaveLength(27);
  expect(records[0]).toEqual({ company: 'Vallourec Star, LP', url: `${world.url}/search/warn_lookups/670` });
};

const COURT_FILES = Object.keys(COURTS).map((name) => `court_${name}_example`);

export const htmlPages: Checks = {
  ...each(
    parts,
    'blm_ut_leases.html',
    'city_chi_board_elections.html',
    'city_chi_plan_commission_detail.html',
    'city_chi_schools.html',
    'city_chi_ssa_2.html',
    'city_cook_pace_board.html',
    'city_il_gaming_board.html',
    'city_il_liquor_control_detail.html',
    'de_handelsregister_announcement_deletion.html',
    'de_handelsregister_search_results.html',
    'kz_licences_small.html',
    'ok_warn_detail_780.html',
    'ok_warn_search_page2.html',
    'sec_company_search_multiple.html',
    'sec_fund_class.html',
    'sec_single_filing_page.html',
  ),
  'ok_warn_search_page1.html': listing,
  ...each(court, ...COURT_FILES.map((name) => `${name}.html`)),
  ...each(expectedResult, ...COURT_FILES.map((name) => `${name}.compare.json`)),
};
