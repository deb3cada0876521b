import { FROM_6_1, FROM_6_4, names } from './fec-layout';
import type { Layout } from './fec-layout';

/** `line:meaning` of a form's summary; a column is named `a_` (this period) or `b_` (year or cycle to date), line, meaning. */
const lines = (text: string): string[] => names(text).map((line) => line.replace(':', '_'));
const column = (which: 'a' | 'b', list: readonly string[]): string[] => list.map((line) => `${which}_${line}`);

const TREASURER = names(
  'treasurer_last_name treasurer_first_name treasurer_middle_name treasurer_prefix treasurer_suffix signed_date',
);
const FILER = names(
  'record_type filer_committee_id committee_name change_of_address street_1 street_2 city state zip_code',
);

const F3_NET = lines(`
  6a:contributions 6b:contribution_refunds 6c:net_contributions
  7a:operating_expenditures 7b:offsets_to_operating_expenditures 7c:net_operating_expenditures`);
const F3_CASH = lines('8:cash_on_hand_close 9:debts_owed_to_committee 10:debts_owed_by_committee');
const F3_DETAIL = lines(`
  11ai:individuals_itemized 11aii:individuals_unitemized 11aiii:individuals_total 11b:party_committees
  11c:other_committees 11d:candidate 11e:contributions_total 12:transfers_from_authorized
  13a:loans_by_candidate 13b:other_loans 13c:loans_total 14:offsets_to_operating_expenditures 15:other_receipts
  16:receipts_total 17:operating_expenditures 18:transfers_to_authorized 19a:candidate_loan_repayments
  19b:other_loan_repayments 19c:loan_repayments_total 20a:refunds_to_individuals 20b:refunds_to_party_committees
  20c:refunds_to_other_committees 20d:refunds_total 21:other_disbursements 22:disbursements_total`);
const F3_BALANCE = lines(`
  23:cash_on_hand_beginning 24:receipts_total 25:subtotal 26:disbursements_total 27:cash_on_hand_close`);
const F3_SUMMARY = [
  ...column('a', [...F3_NET, ...F3_CASH, ...F3_DETAIL, ...F3_BALANCE]),
  ...column('b', [...F3_NET, ...F3_DETAIL]),
];

const F3X_DETAIL = lines(`
  11ai:individuals_itemized 11aii:individuals_unitemized 11aiii:individuals_total 11b:party_committees
  11c:other_committees 11d:contributions_total 12:transfers_from_affiliated 13:loans_received
  14:loan_repayments_received 15:offsets_to_operating_expenditures 16:refunds_of_federal_contributions
  17:other_federal_receipts 18a:transfers_from_nonfederal 18b:transfers_from_levin 18c:nonfederal_transfers_total
  19:receipts_total 20:federal_receipts_total 21ai:shared_expenditures_federal 21aii:shared_expenditures_nonfederal
  21b:other_federal_expenditures 21c:operating_expenditures_total 22:transfers_to_affiliated
  23:contributions_to_candidates 24:independent_expenditures 25:coordinated_expenditures 26:loan_repayments_made
  27:loans_made 28a:refunds_to_individuals 28b:refunds_to_party_committees 28c:refunds_to_other_committees
  28d:refunds_total 29:other_disbursements 30ai:election_activity_federal_share 30aii:election_activity_levin_share
  30b:election_activity_all_federal 30c:election_activity_total 31:disbursements_total
  32:federal_disbursements_total 33:contributions_total 34:contribution_refunds_total 35:net_contributions
  36:federal_operating_expenditures_total 37:offsets_to_operating_expenditures 38:net_operating_expenditures`);

const F3P_DETAIL = lines(`
  16:federal_funds 17ai:individuals_itemized 17aii:individuals_unitemized 17aiii:individuals_total
  17b:party_committees 17c:other_committees 17d:candidate 17e:contributions_total 18:transfers_from_affiliated
  19a:loans_by_candidate 19b:other_loans 19c:loans_total 20a:offsets_operating 20b:offsets_fundraising
  20c:offsets_legal_and_accounting 20d:offsets_total 21:other_receipts 22:receipts_total 23:operating_expenditures
  24:transfers_to_authorized 25:fundraising_disbursements 26:exempt_legal_and_accounting
  27a:candidate_loan_repayments 27b:other_loan_repayments 27c:loan_repayments_total 28a:refunds_to_individuals
  28b:refunds_to_party_committees 28c:refunds_to_other_committees 28d:refunds_total 29:other_disbursements
  30:disbursements_total`);
/** Expenditures by state, in the form's order. */
const STATES = names(`
  AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI
  SC SD TN TX UT VT VA WA WV WI WY PR GU VI`).map((state) => `state_${state.toLowerCase()}`);

export const SUMMARY_LAYOUTS: readonly Layout[] = [
  {
    form: /^F3[ANT]?$/,
    version: FROM_6_4,
    columns: [
      ...FILER,
      ...names('election_state election_district report_code election_code election_date state_of_election'),
      ...names('coverage_from_date coverage_through_date'),
      ...TREASURER,
      ...F3_SUMMARY,
    ],
  },
  {
    form: /^F3[ANT]?$/,
    version: /^5\.[0-3]/,
    columns: [
      ...FILER.filter((name) => name !== 'change_of_address'),
      ...names('change_of_address election_state election_district report_code election_code election_date'),
      ...names('state_of_election primary_election general_election special_election runoff_election'),
      ...names('coverage_from_date coverage_through_date'),
      ...F3_SUMMARY,
      ...names('treasurer_name signed_date candidate_id candidate_name report_type'),
      ...['primary', 'general'].flatMap((which) =>
        ['gross_receipts', 'personal_funds', 'gross_receipts_minus_personal_funds'].map((name) => `b_${name}_${which}`),
      ),
    ],
  },
  {
    form: /^F3X[ANT]?$/,
    version: FROM_6_1,
    columns: [
      ...FILER,
      ...names('report_code election_code election_date state_of_election coverage_from_date coverage_through_date'),
      'qualified_committee',
      ...TREASURER,
      ...column('a', lines('6b:cash_on_hand_beginning 6c:receipts_total 6d:subtotal 7:disbursements_total')),
      ...column('a', lines('8:cash_on_hand_close 9:debts_owed_to_committee 10:debts_owed_by_committee')),
      ...column('a', F3X_DETAIL),
      ...column('b', lines('6a:cash_on_hand_january_1 6a:year 6c:receipts_total 6d:subtotal 7:disbursements_total')),
      ...column('b', lines('8:cash_on_hand_close')),
      ...column('b', F3X_DETAIL),
    ],
  },
  {
    form: /^F3P[ANT]?$/,
    version: /^(7\.0|8\.[0-5])$/,
    columns: [
      ...FILER,
      ...names('activity_primary activity_general report_code election_code election_date state_of_election'),
      ...names('coverage_from_date coverage_through_date'),
      ...TREASURER,
      ...column('a', lines('6:cash_on_hand_beginning 7:receipts_total 8:subtotal 9:disbursements_total')),
      ...column('a', lines('10:cash_on_hand_close 11:debts_owed_to_committee 12:debts_owed_by_committee')),
      ...column('a', lines('13:expenditures_subject_to_limit 14:net_contributions 15:net_operating_expenditures')),
      ...column('a', [...F3P_DETAIL, '31_items_to_be_liquidated', ...STATES, 'states_total']),
      ...column('b', [...F3P_DETAIL, ...STATES, 'states_total']),
    ],
  },
];
