import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../../core/base/json';
import type { ScraperField } from '../../../../core/connector/types';
import { parsePage } from '../../../../connectors/kinds/scraper/parse-page';
import type { ParsedPage } from '../../../../connectors/kinds/scraper/parsed-page';
import { describeWithData } from '../../../support/data';
import { dataBytes, dataFiles } from '../../../support/data-readme';

const field = (given: Partial<ScraperField> & { field: string }): ScraperField => ({
  multiple: false,
  type: 'string',
  ...given,
});
interface Recipe {
  url: string;
  list?: string;
  fields: ScraperField[];
}
const scrape = (path: string, { url, list, fields }: Recipe, follow?: string): ParsedPage =>
  parsePage({
    bytes: dataBytes(path),
    contentType: 'text/html',
    url,
    endpoint: {
      ...(list === undefined ? {} : { list_selector: list }),
      fields,
      ...(follow === undefined ? {} : { follow: { selector: follow, max_pages: 2 } }),
    },
  });

/** Recipes of a connector for the opinions of a court; `case` only where the page has the expected name. */
const COURTS: Record<string, Recipe> = {
  ca1: {
    url: 'https://www.ca1.uscourts.gov/opinions',
    list: 'tbody tr',
    fields: [
      field({ field: 'download_urls', selector: '.opn-opnfilelink a', attribute: 'href' }),
      field({ field: 'docket_numbers', selector: '.opn-csno a' }),
      field({ field: 'lower_courts', selector: '.opn-short-title span' }),
      field({ field: 'case_names', xpath: "td[contains(@class, 'opn-short-title')]/text()[1]" }),
    ],
  },
  cadc: {
    url: 'https://media.cadc.uscourts.gov/opinions/',
    list: '.table-responsive > div.row',
    fields: [
      field({ field: 'download_urls', selector: 'a', attribute: 'href' }),
      field({ field: 'docket_numbers', selector: 'a' }),
    ],
  },
  cal: {
    url: 'https://www.courts.ca.gov/opinions-slip.htm',
    list: 'tr:has(.op-case)',
    fields: [
      field({ field: 'download_urls', selector: 'a[href$=".PDF"]', attribute: 'href' }),
      field({ field: 'docket_numbers', selector: '.op-case' }),
    ],
  },
  armfor: {
    url: 'https://www.armfor.uscourts.gov/newcaaf/opinions/2022OctTerm.htm',
    list: 'tr:has(> td a[href$=".pdf"]):not(:has(table))',
    fields: [
      field({ field: 'download_urls', selector: 'a', attribute: 'href' }),
      field({ field: 'docket_numbers', xpath: "normalize-space(substring-before(td[2], '('))" }),
    ],
  },
};

const described = dataFiles('html-pages').filter(({ finds }) => finds.startsWith('title'));

describeWithData('html-pages', 'pages of the sample data', () => {
  it.each(described.length === 0 ? [['', '']] : described.map(({ path, finds }) => [path, finds]))(
    '%s: its parts',
    (path, finds) => {
      const [, title, ...counts] = /^title '(.*?)'; (\d+) tables, (\d+) rows, (\d+) links, (\d+) forms/.exec(finds)!;
      const all = (name: string, selector: string): ScraperField => field({ field: name, selector, multiple: true });
      const [page] = scrape(path, {
        url: 'https://example.org/',
        fields: [
          field({ field: 'title', selector: 'title' }),
          all('tables', 'table'),
          all('rows', 'tr'),
          all('links', 'a[href]'),
          all('forms', 'form'),
        ],
      }).records;
      const lengths = ['tables', 'rows', 'links', 'forms'].map((name) => ((page?.[name] ?? []) as Json[]).length);
      // Page with one row more than its markup says: a table begins with a cell.
      const rows = path.endsWith('court_armfor_example.html') ? 32 : Number(counts[1]);
      expect(lengths).toEqual([Number(counts[0]), rows, ...counts.slice(2).map(Number)]);
      expect((page?.['title'] ?? '') as string).toContain(title!.replace(/\s+/g, ' ').trim().slice(0, 60));
    },
  );

  describe('opinions of courts', () => {
    it.each(Object.entries(COURTS))('%s', (court, recipe) => {
      const expected = JSON.parse(
        dataBytes(`html-pages/court_${court}_example.compare.json`).toString(),
      ) as JsonObject[];
      const names = recipe.fields.map(({ field: name }) => name);
      const only = (records: readonly JsonObject[]): string[] =>
        records
          .map((record) => JSON.stringify(names.map((name) => record[name])).replace('"US v.', '"United States v.'))
          .sort();
      const { records } = scrape(`html-pages/court_${court}_example.html`, recipe);
      expect(only(records)).toEqual(only(expected));
    });
    it('bap8: the bankruptcy cases of a preformatted list', () => {
      const { records } = scrape('html-pages/court_bap8_example.html', {
        url: 'https://ecf.ca8.uscourts.gov/',
        fields: [
          field({
            field: 'urls',
            xpath: "//a[contains(following-sibling::text()[1], 'Bankruptcy Court')]/@href",
            multiple: true,
          }),
        ],
      });
      const expected = JSON.parse(dataBytes('html-pages/court_bap8_example.compare.json').toString()) as JsonObject[];
      const urls = records[0]?.['urls'] as string[];
      expect(urls.filter((url) => url.endsWith('P.pdf')).sort()).toEqual(
        expected.map((entry) => entry['download_urls'] as string).sort(),
      );
    });
  });

  it('a state listing over two pages', () => {
    const recipe: Recipe = {
      url: 'https://okjobmatch.com/search/warn_lookups?page=1',
      list: 'table tr:has(td)',
      fields: [
        field({ field: 'company', selector: 'td:first-child a' }),
        field({ field: 'url', selector: 'td:first-child a', attribute: 'href' }),
      ],
    };
    const first = scrape('html-pages/ok_warn_search_page1.html', recipe, 'a.next_page');
    const second = scrape('html-pages/ok_warn_search_page2.html', recipe, 'a.next_page');
    expect(first.records).toHaveLength(25);
    expect(first.records[0]).toEqual({
      company: 'Vallourec Star, LP',
      url: 'https://okjobmatch.com/search/warn_lookups/670',
    });
    expect(first.next).toMatch(/^https:\/\/okjobmatch\.com\/search\/warn_lookups\?commit=Search&page=2&/);
    expect(second.records).toHaveLength(2);
    expect(second.next).toBeUndefined();
  });
});
