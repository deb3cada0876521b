import type { JsonObject } from '../../../../core/base/json';
import type { Rows } from './row';

const UA = { 'User-Agent': 'Example Research jane@example.org' };
const file = (document: string): JsonObject => ({ ...UA, cik: '1', accession: '000000000025000001', document });

export const SEC: Rows = {
  full_text_search: [
    {
      inputs: { ...UA, q: 'bank', startdt: '2025-04-18', enddt: '2025-04-18' },
      count: 230,
      pages: 3,
      first: {
        document_id: '0001918704-25-006778:form424b2.htm',
        filers: ['BofA Finance LLC  (CIK 0001682472)', 'BANK OF AMERICA CORP /DE/  (CIK 0000070858)'],
        form: '424B2',
        filed: '2025-04-18',
      },
      // One document of the recorded page is there twice.
      distinct: { document_id: 229 },
      asked:
        'GET efts.sec.gov/LATEST/search-index?q=bank&dateRange=custom&startdt=2025-04-18&enddt=2025-04-18&from=0',
    },
    {
      inputs: { ...UA, q: 'technology phase jon' },
      count: 1,
      pages: 2,
      first: {
        document_id: '0000950170-25-055890:btsg-2025_ars.pdf',
        filers: ['BrightSpring Health Services, Inc.  (BTSG, BTSGU)  (CIK 0001865782)'],
        period: '2024-12-31',
      },
    },
  ],
  company: [
    {
      inputs: { ...UA, cik: '0000940418' },
      count: 1,
      first: { cik: '0000940418', name: 'SIEMENS AG', entity_type: 'other', older_files: [] },
    },
    {
      inputs: { ...UA, cik: '0001318605' },
      count: 1,
      first: { name: 'Tesla, Inc.', entity_type: 'operating' },
      lengths: { older_files: 1 },
      missing: { lei: 1 },
    },
    { inputs: { ...UA, cik: '0001771340' }, count: 1, first: { name: 'Taneja Vaibhav', entity_type: 'other' } },
  ],
  filings: [
    { inputs: { ...UA, cik: '0000940418' }, count: 1, lengths: { accession_numbers: 31, forms: 31, filed: 31 } },
    { inputs: { ...UA, cik: '0001318605' }, count: 1, lengths: { accession_numbers: 250, documents: 250 } },
    { inputs: { ...UA, cik: '0001771340' }, count: 1, lengths: { accession_numbers: 91 } },
  ],
  older_filings: [
    {
      inputs: { ...UA, file: 'CIK0001318605-submissions-001.json' },
      count: 1,
      first: { forms: ['8-K', '10-K', 'SC 13G'] },
      asked: 'GET data.sec.gov/submissions/CIK0001318605-submissions-001.json',
    },
  ],
  company_facts: [
    {
      inputs: { ...UA, cik: '0001997711' },
      count: 1,
      first: { cik: '0001997711', name: 'Logistic Properties of the Americas' },
    },
  ],
  company_concept: [
    { inputs: { ...UA, cik: '0001997711', taxonomy: 'ifrs-full', tag: 'Revenue' }, count: 1, first: { label: 'Revenue' } },
  ],
  tickers: [
    { inputs: UA, count: 3, first: { cik: 789019, name: 'MICROSOFT CORP', ticker: 'MSFT', exchange: 'Nasdaq' } },
  ],
  company_tickers: [
    { inputs: UA, count: 1, first: { '0': { cik_str: 789019, ticker: 'MSFT', title: 'MICROSOFT CORP' } } },
  ],
  latest_filings: [
    {
      inputs: UA,
      count: 100,
      pages: 2,
      first: { title: '4 - Perez Daniel Antonio (0002063236) (Reporting)', form: '4', updated: '2025-12-12T18:02:43-05:00' },
      distinct: { id: 50 },
      asked:
        'GET www.sec.gov/cgi-bin/browse-edgar?action=getcurrent&output=atom&owner=include&count=100&start=0',
    },
  ],
  ownership_report: [
    {
      inputs: file('form4.xml'),
      count: 1,
      first: {
        form: '4',
        issuer: 'Snowflake Inc.',
        owner: 'Scarpelli Michael',
        is_director: false,
        is_officer: true,
        officer_title: 'Chief Financial Officer',
        transactions: 6,
        holdings: 8,
        derivative_transactions: 1,
      },
      asked: 'GET www.sec.gov/Archives/edgar/data/1/000000000025000001/form4.xml',
    },
    {
      inputs: file('form3.xml'),
      count: 1,
      first: { form: '3', issuer: 'Snowflake Inc.', owner: 'GARRETT MARK', officer_title: '', transactions: 0, holdings: 0 },
    },
  ],
  insider_transactions: [
    {
      inputs: file('form4.xml'),
      count: 6,
      first: { issuer: 'Snowflake Inc.', owner: 'Scarpelli Michael', code: 'M', shares: 200000, price: 8.88, date: '2022-12-13' },
    },
  ],
  form_d_persons: [
    {
      inputs: file('formd.xml'),
      count: 14,
      first: { issuer: '1685 38th REIT, L.L.C.', name: 'Daniel Belldegrun', relationships: 'Executive Officer', offering_amount: '125000' },
    },
  ],
  holdings_13f: [
    {
      inputs: file('infotable.xml'),
      count: 255,
      first: { issuer: '3M CO', value: 409469, shares: 2334, unit: 'SH' },
      sum: { field: 'value', of: 255, is: 350153407 },
      missing: { put_or_call: 255 },
    },
  ],
  manager_13f: [
    { inputs: file('primary_13f.xml'), count: 1, first: { manager: 'METLIFE INC', entries: 6, total_value: 11019796, period: '2021-12-31' } },
  ],
  owners_13d: [
    {
      inputs: file('schedule13d.xml'),
      count: 2,
      first: { issuer: 'Aadi Bioscience, Inc.', owner: 'BML Investment Partners, L.P.', shares: 2100000, percent: 8.5, event_date: '2024-12-31' },
      last: { owner: 'Leonard Braden Michael', percent: 9.9 },
    },
  ],
};
