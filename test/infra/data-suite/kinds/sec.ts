import { expect } from '@jest/globals';
import type { JsonObject } from '../../../../core/base/json';
import { repr } from '../python-text';
import { expectFault } from '../fault';
import { each, type Check, type Checks } from '../row';
import { holdings, manager, ownership, offering, stake, company } from './sec-forms';
import { asText, list, one, rows } from '../results';

const tickers: Check = async ({ path, said, world }) => {
  const entries = Object.values(one(await world.api(path)));
  said.same(/(\d+) entries; first (\{.*\})/, entries.length, repr(entries[0]));
};

const facts: Check = async ({ path, said, world }) => {
  const found = one(await world.api(path, { fields: { cik: 'cik', name: 'entityName', facts: 'facts' } }));
  said.same(/cik (\d+), entityName (.*?), taxonomies/, found['cik'], found['name']);
  const taxonomies = Object.entries(found['facts'] as Record<string, JsonObject>);
  const sizes = taxonomies.map(([name, concepts]) => `('${name}', ${Object.keys(concepts).length})`).join(', ');
  said.same(/\[(\('dei'.*?)\]/, sizes);
  const units = taxonomies.flatMap(([, concepts]) =>
    Object.values(concepts).flatMap((concept) => Object.values((concept as JsonObject)['units'] as JsonObject)),
  );
  said.same(/(\d+) data points/, units.flatMap(list).length);
};

const search: Check = async ({ path, said, world }) => {
  const { total } = one(await world.api(path, { fields: { total: 'hits.total' } }));
  const hits = rows(
    await world.api(path, { results_path: 'hits.hits', fields: { id: '_id', names: '_source.display_names' } }),
  );
  said.same(/hits\.total (\{.*?\}), (\d+) hits/, repr(total), hits.length);
  said.same(/first _id (\S+), display_names (\[.*\])$/, hits[0]?.['id'], repr(hits[0]?.['names']));
};

const submissions: Check = async ({ path, said, world }) => {
  const fields = {
    cik: 'cik',
    name: 'name',
    type: 'entityType',
    form: 'filings.recent.form',
    filed: 'filings.recent.filingDate',
    files: 'filings.files',
  };
  const found = one(await world.api(path, { fields }));
  const forms = found['form'] as string[];
  said.same(/CIK (\d+), name (.*?), entityType (\w+)/, found['cik'], found['name'], found['type']);
  said.same(/(\d+) filings in recent, (\d+) older files/, forms.length, list(found['files']).length);
  said.same(/first form (\S+) filed ([\d-]+)/, forms[0], (found['filed'] as string[])[0]);
};

const noSuchKey: Check = async ({ path, said, world }) => {
  const type = 'application/xml';
  await expectFault(world.api(path, { type }), { code: 'bad_response' });
  await expectFault(world.api(path, { type, status: 404 }), { code: 'upstream_not_found' });
  const { code } = one(await world.api(path, { format: 'xml', fields: { code: 'Error/Code' } }));
  said.same(/XML <Error> with Code (\w+), not JSON/, code);
};

const current: Check = async ({ path, said, world }) => {
  const result = await world.feed(path);
  const items = rows(result);
  said.same(/(\d+) entries, (\d+) distinct ids/, items.length + Number(result['duplicates']), items.length);
  const [title = ''] = said.take(/first title "(.*)"/);
  expect(items.map((item) => item['title'])).toContain(title);
  expect(rows(result, 'feeds')[0]).toMatchObject({ format: 'atom', encoding: 'iso-8859-1' });
};

const table: Check = async ({ path, said, world }) => {
  const records = rows(
    await world.page(path, { list_selector: 'tr', fields: [{ field: 'cells', selector: 'td, th', multiple: true }] }),
  );
  const withCells = records.filter((record) => list(record['cells']).length > 0);
  const all = said.takeIfSaid(/an HTML parser finds (\d+) table rows/)?.[0];
  if (all === undefined) {
    said.same(/(\d+) table rows with cells \(header rows included\)/, withCells.length);
  } else {
    expect(records).toHaveLength(Number(all));
  }
};

const rateExceeded: Check = async ({ path, said, world }) => {
  const { title } = one(await world.page(path, { fields: [{ field: 'title', selector: 'title' }] }));
  said.same(/HTML, mentions request rate threshold: (\w+)/, /request rate threshold/i.test(asText(title)));
};

const submission: Check = async ({ path, said, world }) => {
  const { text } = one(await world.api(path, { format: 'text', type: 'text/plain' }));
  const header = (name: string): string | undefined => new RegExp(`${name}:\\s*(.+)`).exec(asText(text))?.[1];
  said.same(/(\d+) <DOCUMENT> blocks/, asText(text).match(/<DOCUMENT>/g)?.length);
  said.same(/form (\S+); company (\S+)/, header('CONFORMED SUBMISSION TYPE'), header('COMPANY CONFORMED NAME'));
};

export const sec: Checks = {
  '13f_infotable_a.xml': holdings,
  '13f_primary_metlife.xml': manager,
  'browse_edgar_aapl_10q.xml': company,
  'company_tickers_dev.json': tickers,
  'companyfacts_lpa.json': facts,
  'current_filings_atom_first.xml': current,
  ...each(table, '13f_infotable_rendered.html', 'ex21_subsidiaries_aapl.html'),
  ...each(ownership, 'form3_snowflake.xml', 'form4_snowflake.xml'),
  'formD_1685reit.xml': offering,
  ...each(search, 'fulltext_search_100_hits.json', 'fulltext_search_1_hit.json'),
  'rate_exceeded.html': rateExceeded,
  'schedule13d.xml': stake,
  'sgml_1995_0000899681-95-000096.txt': submission,
  ...each(
    submissions,
    'submissions_CIK0000940418.json',
    'submissions_CIK0001318605.json',
    'submissions_CIK0001771340_person.json',
  ),
  'submissions_not_found.xml': noSuchKey,
};
