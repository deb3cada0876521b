import { expect } from '@jest/globals';
import type { Rows } from './row';

const BILL = { congress: 117, bill_type: 'hr', bill_number: 21 };

export const FEDERAL_REGISTER_API: Rows = {
  search: [
    {
      inputs: { 'conditions[term]': '"Bears Ears"', 'conditions[type][]': ['RULE', 'NOTICE'], per_page: 50 },
      count: 110,
      pages: 3,
      first: {
        document_number: '2026-07755',
        type: 'Notice',
        published: '2026-04-21',
        agencies: expect.arrayContaining(['Interior Department']) as never,
      },
      distinct: { document_number: 110 },
      asked:
        'GET www.federalregister.gov/api/v1/documents.json?conditions%5Bterm%5D=%22Bears+Ears%22&conditions%5Btype%5D%5B%5D=RULE&conditions%5Btype%5D%5B%5D=NOTICE&order=relevance&per_page=50',
    },
  ],
  documents: [
    {
      inputs: { document_numbers: '2017-27451,2017-27513' },
      count: 2,
      first: { document_number: '2017-27451', citation: '82 FR 60602', published: '2017-12-21', pages: 6 },
      last: { document_number: '2017-27513' },
    },
  ],
  document: [{ inputs: { document_number: '2017-27451' }, count: 1, first: { citation: '82 FR 60602' } }],
  issue: [
    { inputs: { publication_date: '2016-02-29' }, count: 66, first: { agency: 'Agricultural Marketing Service' } },
  ],
  agencies: [{ count: 3, first: { slug: 'interior-department', short_name: 'DOI' } }],
};

export const FEDERAL_REGISTER: Rows = {
  get_recent: [
    {
      inputs: { feed_name: 'rules', since_hours: 24 * 365 * 100 },
      count: 3,
      distinct: { id: 3, feed: 1 },
      first: { feed: 'rules', agency: 'Interior Department' },
    },
    { inputs: { since_hours: 24 * 365 * 100 }, count: 10, distinct: { feed: 4, id: 10 } },
  ],
};

export const CONGRESS: Rows = {
  bills: [
    {
      count: 610,
      pages: 3,
      first: { type: 'HR', number: '3617', congress: 117, title: 'MORE Act', latest_action_date: '2022-04-01' },
      distinct: { number: 610 },
      asked: 'GET api.congress.gov/v3/bill?format=json&limit=250',
    },
  ],
  bills_of_congress: [
    {
      inputs: { congress: 117, bill_type: 'hr', limit: 20, sort: 'updateDate desc' },
      count: 22,
      pages: 2,
      first: { number: '1', title: 'Example Act 1' },
      asked: 'GET api.congress.gov/v3/bill/117/hr?sort=updateDate+desc&format=json&limit=20',
    },
  ],
  bill: [
    {
      inputs: BILL,
      count: 1,
      first: {
        number: '21',
        title: 'FedRAMP Authorization Act',
        introduced: '2021-01-04',
        sponsors: ['Rep. Connolly, Gerald E. [D-VA-11]'],
        cosponsors: 2,
        committees: 2,
      },
    },
  ],
  bill_cosponsors: [
    { inputs: BILL, count: 2, pages: 1, first: { name: 'Rep. Comer, James [R-KY-1]', member_id: 'C001108', since: '2021-01-04' } },
  ],
  bill_committees: [{ inputs: BILL, count: 2, pages: 1, first: { code: 'ssga00', chamber: 'Senate' } }],
  bill_actions: [{ inputs: BILL, count: 3, pages: 1, first: { date: '2021-01-06', source: 'Senate' } }],
  bill_amendments: [{ inputs: BILL, count: 0, pages: 1 }],
  related_bills: [{ inputs: BILL, count: 1, pages: 1, first: { number: 3099, type: 'S', relationships: ['Related bill'] } }],
  bill_texts: [{ inputs: BILL, count: 3, pages: 1, first: { version: 'Referred in Senate', date: '2021-01-06' }, lengths: { urls: 4 } }],
  members: [{ inputs: { currentMember: true }, count: 2, pages: 1, first: { member_id: 'C001078', chambers: ['House of Representatives'] } }],
  member: [{ inputs: { member_id: 'C001078' }, count: 1, first: { name: 'Gerald E. Connolly', parties: ['Democratic'], sponsored: 300 } }],
};

export const COURTLISTENER: Rows = {
  search_opinions: [
    {
      inputs: { q: 'guerrero', court: 'cal' },
      count: 45,
      pages: 3,
      first: {
        case_name: 'People v. Miranda-Guerrero',
        cluster_id: 8512159,
        citations: ['519 P.3d 1004', '301 Cal. Rptr. 3d 15', '14 Cal. 5th 1'],
        filed: '2022-11-17',
      },
      distinct: { cluster_id: 45 },
    },
  ],
  search_dockets: [
    {
      inputs: { q: 'interior' },
      count: 83,
      pages: 5,
      first: { case_name: 'Joslin v. U.S. Department of the Interior', docket_number: '1:26-cv-02029', filed: '2026-03-13' },
      lengths: { parties: 9, attorneys: 9 },
      distinct: { docket_id: 83 },
    },
  ],
  docket: [{ inputs: { docket_id: 72491415 }, count: 1, first: { docket_number: '1:26-cv-02029', judge: 'Jennifer L. Thurston' } }],
};

export const WARN_NOTICES: Rows = {
  search: [
    {
      inputs: { 'q[notice_on_gteq]': '2020-01-01', 'q[notice_on_lteq]': '2020-04-15' },
      count: 27,
      pages: 2,
      first: { company: 'Vallourec Star, LP', notice_date: 'Apr 06, 2020', kind: 'WARN' },
    },
  ],
  notice: [{ inputs: { notice_id: 780 }, count: 1, first: { company: 'Exterran Energy Solutions', notice_date: 'Jan 13, 2021', employees: 0 } }],
};
