import { constructed, grown, numberIn, recorded, recordedBytes, type Row, rowsIn, within } from './material';
import { html, json, type Route, type Source, type SourceRequest, tooMany, xml } from './source';

const HITS = 230;
const FILES = 'www.sec.gov/Archives/edgar/data/{cik}/{accession}';

const DOCUMENTS: Record<string, string> = {
  'form3.xml': 'form3_snowflake.xml',
  'form4.xml': 'form4_snowflake.xml',
  'formd.xml': 'formD_1685reit.xml',
  'infotable.xml': '13f_infotable_a.xml',
  'primary_13f.xml': '13f_primary_metlife.xml',
  'schedule13d.xml': 'schedule13d.xml',
};

function search({ query }: SourceRequest): Row {
  if (query.get('q') === 'technology phase jon') return recorded('sec/fulltext_search_1_hit.json');
  const answer = recorded('sec/fulltext_search_100_hits.json');
  const all = grown(rowsIn(answer, 'hits', 'hits'), HITS, (at) => ({ _id: `0009999999-25-${at}:constructed.htm` }));
  const from = numberIn(query, 'from', 0);
  const hits = { ...within(answer, 'hits'), total: { value: HITS, relation: 'eq' }, hits: all.slice(from, from + 100) };
  return { ...answer, hits };
}

function submissions(): Route {
  const known = ['0000940418', '0001318605', '0001771340'];
  return {
    at: 'data.sec.gov/submissions/CIK{cik}.json',
    answer: ({ parts }) =>
      known.includes(parts['cik'] ?? '')
        ? json(
            recorded(`sec/submissions_CIK${parts['cik'] ?? ''}${parts['cik'] === '0001771340' ? '_person' : ''}.json`),
          )
        : undefined,
  };
}

/** EDGAR on its three hosts. It refuses clients whose User-Agent has no contact address. */
export const SEC: Source = {
  hosts: ['data.sec.gov', 'efts.sec.gov', 'www.sec.gov'],
  admits: ({ headers }) =>
    /\S+ .*\S+@\S+/.test(headers['user-agent'] ?? '')
      ? undefined
      : html('<h1>Undeclared Automated Tool</h1> Please declare your traffic by updating your user agent', 403),
  limited: (retryAfter) => tooMany(html(recordedBytes('sec/rate_exceeded.html')), retryAfter),
  missing: ({ address }) =>
    address.startsWith('data.sec.gov')
      ? xml(recordedBytes('sec/submissions_not_found.xml'), 404)
      : html('Not found', 404),
  routes: [
    { at: 'efts.sec.gov/LATEST/search-index', answer: (request) => json(search(request)) },
    submissions(),
    {
      at: 'data.sec.gov/submissions/CIK0001318605-submissions-001.json',
      answer: () => json(constructed('sec/submissions-001.json')),
    },
    {
      at: 'data.sec.gov/api/xbrl/companyfacts/CIK0001997711.json',
      answer: () => json(recorded('sec/companyfacts_lpa.json')),
    },
    {
      at: 'data.sec.gov/api/xbrl/companyconcept/CIK0001997711/ifrs-full/Revenue.json',
      answer: () => json(constructed('sec/company_concept.json')),
    },
    { at: 'www.sec.gov/files/company_tickers.json', answer: () => json(recorded('sec/company_tickers_dev.json')) },
    {
      at: 'www.sec.gov/files/company_tickers_exchange.json',
      answer: () => json(constructed('sec/company_tickers_exchange.json')),
    },
    {
      at: 'www.sec.gov/cgi-bin/browse-edgar',
      // Feed that is empty after the first hundred entries.
      answer: ({ query }) =>
        query.get('action') === 'getcurrent' && query.get('output') === 'atom'
          ? xml(
              numberIn(query, 'start', 0) === 0
                ? recordedBytes('sec/current_filings_atom_first.xml')
                : '<feed xmlns="http://www.w3.org/2005/Atom"><title>Latest Filings</title></feed>',
            )
          : undefined,
    },
    {
      at: `${FILES}/{document}`,
      answer: ({ parts }) => {
        const file = DOCUMENTS[parts['document'] ?? ''];
        return file === undefined ? undefined : xml(recordedBytes(`sec/${file}`));
      },
    },
  ],
};
