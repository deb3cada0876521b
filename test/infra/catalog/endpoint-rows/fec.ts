import type { Rows } from './row';

export const FEC: Rows = {
  search_contributions: [
    {
      count: 230,
      pages: 4,
      sum: { field: 'amount', of: 10, is: 14574.31 },
      first: {
        donor_name: 'SENATE CONSERVATIVES FUND',
        recipient: 'SHANNON FOR SENATE',
        recipient_id: 'C00557835',
        amount: 11091,
        date: '2014-04-15',
        is_memo: true,
        transaction_id: '2090320141221448353',
      },
      last: { donor_name: 'CONSTRUCTED, 229', amount: 229 },
      distinct: { transaction_id: 230 },
      asked: 'GET api.open.fec.gov/v1/schedules/schedule_a/?sort=-contribution_receipt_date&per_page=100',
    },
    {
      inputs: { committee_id: ['C00557835'], min_date: '2014-01-01', is_individual: false },
      count: 23,
      pages: 2,
      first: { recipient: 'SHANNON FOR SENATE' },
      asked:
        'GET api.open.fec.gov/v1/schedules/schedule_a/?committee_id=C00557835&min_date=2014-01-01&is_individual=false&sort=-contribution_receipt_date&per_page=100',
    },
  ],
  search_disbursements: [
    {
      inputs: { committee_id: ['C00999001'] },
      count: 65,
      pages: 2,
      first: { payer: 'EXAMPLE ENERGY EMPLOYEES PAC (EXEPAC)', recipient_id: 'C00999002', amount: 1000, date: '2024-12-28' },
      distinct: { transaction_id: 65 },
    },
    { count: 130, pages: 3, sum: { field: 'amount', of: 130, is: 138_385 }, distinct: { transaction_id: 130 } },
  ],
  search_independent_expenditures: [
    {
      inputs: { candidate_id: ['H9OH01001'] },
      count: 3,
      pages: 2,
      first: { spender: 'PLAIN WORDS COMMITTEE', for_or_against: 'for', amount: 25000.5, date: '2024-10-20' },
      last: { for_or_against: 'against' },
      sum: { field: 'amount', of: 3, is: 26500.75 },
    },
  ],
  search_candidates: [
    {
      inputs: { party: ['DEM'] },
      count: 230,
      pages: 3,
      first: { candidate_id: 'P60014446', name: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA, AAAAAAAAAAAAAAAAAAAA', office: 'President' },
      distinct: { candidate_id: 230 },
    },
  ],
  find_candidate_names: [
    { inputs: { q: ['John'] }, count: 20, first: { name: 'PEARSON, JOHNNY (JOHN CHARLES)', candidate_id: 'H2CA37155' } },
  ],
  find_committee_names: [{ inputs: { q: ['example'] }, count: 2, first: { committee_id: 'C00999001' } }],
  candidate_history: [
    {
      inputs: { candidate_id: 'H0AK00014' },
      count: 1,
      pages: 2,
      first: { candidate_id: 'H0AK00014', name: 'WHITTAKER, RICHARD', period: 1980, city: 'KETCHIKAW' },
    },
  ],
  candidate_committees: [
    {
      inputs: { candidate_id: 'H0AK00014' },
      count: 1,
      pages: 2,
      first: { committee_id: 'C00129916', name: 'WHITTAKER FOR CONGRESS COMMITTEE' },
    },
    {
      inputs: { candidate_id: 'H4IL07037' },
      count: 1,
      pages: 2,
      first: { committee_id: 'C00172619', name: 'DAVIS FOR CONGRESS/FRIENDS OF DAVIS' },
    },
  ],
  committee_candidates: [
    { inputs: { committee_id: 'C00462390' }, count: 1, pages: 2, first: { name: 'CONSTRUCTED, CAROL' } },
  ],
  search_committees: [
    {
      count: 130,
      pages: 2,
      first: { committee_id: 'C00462390', name: '007 GO GODWIN COMMITTEE' },
      distinct: { committee_id: 130 },
    },
    {
      inputs: { committee_id: ['C00563023'] },
      count: 1,
      pages: 2,
      first: { committee_id: 'C00563023', name: '10 ^ 9+', treasurer: 'RANDI M WILLIS', first_file_date: '2014-05-12' },
    },
  ],
  committee_history: [
    {
      inputs: { committee_id: 'C00462390' },
      count: 4,
      pages: 2,
      first: { committee_id: 'C00462390', name: '007 GO GODWIN COMMITTEE', cycle: 2016 },
    },
  ],
  committee_history_of_cycle: [
    { inputs: { committee_id: 'C00462390', cycle: 2012 }, count: 1, first: { cycle: 2012, treasurer: 'EDEAN BUNDICK' } },
  ],
  committee_totals: [{ inputs: { committee_id: 'C00563023' }, count: 0, pages: 1 }],
  elections: [
    {
      inputs: { cycle: 2000, office: 'president' },
      count: 51,
      pages: 2,
      first: { candidate_id: 'P00003335', candidate: 'BUSH, GEORGE W', receipts: 193657728.8 },
    },
  ],
  contributions_by_size: [
    {
      inputs: { candidate_id: ['S4PA00121'], cycle: [2016] },
      count: 5,
      pages: 2,
      first: { candidate_id: 'S4PA00121', cycle: 2016, size: 200, total: 133940.43 },
    },
  ],
};
