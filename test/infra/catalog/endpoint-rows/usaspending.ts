import type { Rows } from './row';

const CONTRACT = 'CONT_AWD_80GSFC18C0008_8000_-NONE-_-NONE-';

export const USASPENDING: Rows = {
  search_awards: [
    {
      inputs: { filters: { award_type_codes: ['A', 'B', 'C', 'D'] } },
      count: 130,
      pages: 2,
      first: {
        award_id: 'GSFC0200211DNAS502200',
        recipient: 'NORTHROP GRUMMAN SYSTEMS CORPORATION',
        amount: 4345585999.01,
        start_date: '2003-10-01',
        contract_type: 'DEFINITIVE CONTRACT',
      },
      // The recorded searches did not ask for what only assistance has.
      missing: { assistance_type: 130 },
      distinct: { internal_id: 130 },
    },
    {
      inputs: { filters: { award_type_codes: ['02', '03', '04', '05'] }, order: 'desc' },
      count: 130,
      pages: 2,
      first: { award_id: 'NNM11AA01A', recipient: 'THE UNIVERSITY OF ALABAMA IN HUNTSVILLE', amount: 156725919.62 },
      missing: { contract_type: 130 },
    },
  ],
  spending_by_recipient: [
    {
      inputs: { filters: { award_type_codes: ['A'] } },
      count: 120,
      pages: 2,
      first: { recipient: 'THE BOEING COMPANY', amount: 13313681655 },
      distinct: { recipient: 120 },
    },
  ],
  spending_by_state: [
    { inputs: { filters: { award_type_codes: ['A'] } }, count: 1, pages: 2, first: { state: 'WA', name: 'Washington', amount: 563947564.32 } },
  ],
  award: [
    {
      inputs: { award_id: CONTRACT },
      count: 1,
      first: { piid: '80GSFC18C0008', obligation: 172213419.67, recipient: 'THE UNIVERSITY OF IOWA', date_signed: '2018-03-05' },
      missing: { fain: 1, loan_value: 1 },
    },
    {
      inputs: { award_id: 'ASST_NON_P268K115150_091' },
      count: 1,
      first: { fain: 'P268K115150', obligation: 0, recipient: 'IOWA COLLEGE ACQUISITION CORP.', loan_value: 717015404040 },
      missing: { piid: 1 },
    },
  ],
  award_accounts: [{ inputs: { award_id: CONTRACT }, count: 2, pages: 2, first: { account: '080-0131', amount: 4510029.17 } }],
  award_funding: [
    { inputs: { award_id: CONTRACT }, count: 14, pages: 2, first: { account: '080-0120', obligated: 20000, fiscal_year: 2018 } },
  ],
  recipient: [
    {
      inputs: { recipient_id: '0b441d38-e3c0-de89-ee08-69fc9e6ee58a-C', year: 'latest' },
      count: 1,
      first: { name: 'THE UNIVERSITY OF IOWA', uei: 'Z1H9VJS8NG16', recipient_id: '0b441d38-e3c0-de89-ee08-69fc9e6ee58a-C' },
      lengths: { alternate_names: 27 },
    },
  ],
  find_recipient: [{ inputs: { search_text: 'university of iowa' }, count: 2, first: { recipient: 'THE UNIVERSITY OF IOWA', uei: 'Z1H9VJS8NG16' } }],
  find_agency: [
    { inputs: { search_text: 'nasa' }, count: 1, lengths: { agencies: 1, sub_agencies: 2, offices: 20 } },
  ],
  agency: [
    {
      inputs: { toptier_code: '080' },
      count: 1,
      first: { toptier_code: '080', name: 'National Aeronautics and Space Administration', fiscal_year: 2025 },
    },
  ],
  treasury_agencies: [{ count: 91, first: { agency_code: '012', agency: 'Department of Agriculture (USDA)', accounts: 1022 } }],
  download_status: [
    {
      inputs: { file_name: 'ASST_80NSSC24K0522_2025-08-17_H05M53S58016610.zip' },
      count: 1,
      first: { status: 'finished', rows: 15, seconds: 9.079178 },
    },
  ],
};
