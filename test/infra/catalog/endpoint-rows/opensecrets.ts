import type { Rows } from './row';

/** Answers as they were read while the interface existed. */
export const OPENSECRETS: Rows = {
  candidate_summary: [
    {
      inputs: { cid: 'N00007360' },
      count: 1,
      first: { candidate: 'Pelosi, Nancy', cycle: 2022, total: 9235427.16, cash_on_hand: 8872565.28 },
    },
  ],
  candidate_contributors: [
    {
      inputs: { cid: 'N00007360', cycle: 2020 },
      count: 5,
      first: { organization: 'University of California', total: 130682, from_committees: 0 },
    },
  ],
  candidate_industries: [
    {
      inputs: { cid: 'N00005681' },
      count: 5,
      first: { industry_code: 'Q03', industry: 'Leadership PACs', total: 312081 },
    },
  ],
  candidate_sectors: [{ inputs: { cid: 'N00007360' }, count: 7, first: { sector: 'Agribusiness', total: 210816 } }],
  committee_fundraising: [
    {
      inputs: { cmte: 'HARM', indus: 'F10' },
      count: 28,
      first: { member: 'Stefanik, Elise', candidate_id: 'N00035523', total: 402408 },
    },
  ],
  independent_expenditures: [
    {
      count: 25,
      first: {
        committee: 'Congressional Leadership Fund',
        candidate: 'Adkins, Amanda',
        for_or_against: 'for',
        amount: 25000,
        date: '2022-01-25',
      },
    },
  ],
  search_organizations: [
    {
      inputs: { org: 'Goldman' },
      count: 5,
      first: { organization_id: 'D000070392', name: 'Goldman Environmental Prize' },
    },
  ],
  member_finances: [
    {
      inputs: { cid: 'N00007360' },
      count: 1,
      first: { member: 'Pelosi, Nancy', year: 2016, net_low: -16225953, net_high: 139050988 },
      lengths: { assets: 1 },
    },
  ],
};
