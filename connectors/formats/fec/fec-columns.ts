import { FROM_6_1, names } from './fec-layout';
import type { Layout } from './fec-layout';
import { SUMMARY_LAYOUTS } from './fec-summary-columns';

const person = (who: string): string[] =>
  names('last_name first_name middle_name prefix suffix').map((part) => `${who}_${part}`);
const address = (who: string): string[] =>
  names('street_1 street_2 city state zip_code').map((part) => `${who}_${part}`);
const payee = [...names('entity_type payee_organization_name'), ...person('payee'), ...address('payee')];
const election = names('election_code election_other_description');
const backReference = names('transaction_id back_reference_transaction_id back_reference_schedule');
const conduit = names('conduit_name conduit_street_1 conduit_street_2 conduit_city conduit_state conduit_zip_code');
const candidateOf = (who: string): string[] => [
  `${who}_candidate_id`,
  ...person(`${who}_candidate`),
  ...names('office state district').map((part) => `${who}_candidate_${part}`),
];
const record = names('record_type filer_committee_id');

/** Version 5.0 writes a name into one column, parts separated by `^`. */
const oldCandidate = (who: string): string[] =>
  names('id name office state district').map((part) => `${who}_candidate_${part}`);
const oldReference = names(
  'amended_code transaction_id back_reference_transaction_id back_reference_schedule account_reference',
);

const scheduleA = (purposeCode: string[]): string[] => [
  ...record,
  ...backReference,
  ...names('entity_type contributor_organization_name'),
  ...person('contributor'),
  ...address('contributor'),
  ...election,
  ...names('contribution_date contribution_amount contribution_aggregate'),
  ...purposeCode,
  ...names('contribution_purpose contributor_employer contributor_occupation donor_committee_id donor_committee_name'),
  ...candidateOf('donor'),
  ...conduit,
  ...names('memo_code memo_text account_reference'),
];
const scheduleB = (purposeCode: string[]): string[] => [
  ...record,
  ...backReference,
  ...payee,
  ...election,
  ...names('expenditure_date expenditure_amount semi_annual_refunded_bundled_amount'),
  ...purposeCode,
  ...names('expenditure_purpose category_code beneficiary_committee_id beneficiary_committee_name'),
  ...candidateOf('beneficiary'),
  ...conduit,
  ...names('memo_code memo_text account_reference'),
];

const SCHEDULES: Layout[] = [
  { form: /^SA(?!3)/, version: /^8\.[0-5]$/, columns: scheduleA([]) },
  { form: /^SA(?!3)/, version: /^(6\.4|7\.0)$/, columns: scheduleA(['contribution_purpose_code']) },
  {
    form: /^SA(?!3)/,
    version: /^5\.0/,
    columns: [
      ...record,
      ...names('entity_type contributor_name'),
      ...address('contributor'),
      ...election,
      ...names(
        'contributor_employer contributor_occupation contribution_aggregate contribution_date contribution_amount',
      ),
      ...names('contribution_purpose_code contribution_purpose donor_committee_id'),
      ...oldCandidate('donor'),
      ...conduit,
      ...names('memo_code memo_text'),
      ...oldReference,
      'increased_limit_code',
    ],
  },
  { form: /^SB/, version: /^8\.[0-5]$/, columns: scheduleB([]) },
  { form: /^SB/, version: /^(6\.4|7\.0)$/, columns: scheduleB(['expenditure_purpose_code']) },
  {
    form: /^SB/,
    version: /^5\.0/,
    columns: [
      ...record,
      ...names('entity_type payee_name'),
      ...address('payee'),
      ...names('expenditure_purpose_code expenditure_purpose'),
      ...election,
      ...names('expenditure_date expenditure_amount beneficiary_committee_id'),
      ...oldCandidate('beneficiary'),
      ...conduit,
      ...names('memo_code memo_text'),
      ...oldReference,
      ...names('refund_or_disposal_of_excess category_code communication_date'),
    ],
  },
  {
    form: /^H1$/,
    version: /^(6\.[1-4]|7\.0|8\.[01])$/,
    columns: [
      ...record,
      ...names('transaction_id presidential_only_year presidential_senate_year senate_only_year other_year'),
      ...names('flat_minimum_federal_percentage federal_percent nonfederal_percent administrative_ratio_applies'),
      ...names('generic_voter_drive_ratio_applies public_communications_ratio_applies'),
    ],
  },
  {
    form: /^H4$/,
    version: /^8\.[0-5]$/,
    columns: [
      ...record,
      ...backReference,
      ...payee,
      ...names('account_identifier expenditure_date total_amount federal_share nonfederal_share event_year_to_date'),
      ...names('expenditure_purpose category_code administrative_activity fundraising_activity exempt_activity'),
      ...names('generic_voter_drive_activity direct_candidate_support_activity public_communications_activity'),
      ...names('memo_code memo_text'),
    ],
  },
];

const FORMS: Layout[] = [
  {
    form: /^HDR$/,
    version: /^[678]\./,
    columns: names('record_type file_type version software_name software_version report_id report_number comment'),
  },
  {
    form: /^HDR$/,
    version: /^[345]\./,
    columns: names(
      'record_type file_type version software_name software_version name_delimiter report_id report_number comment',
    ),
  },
  {
    form: /^TEXT$/,
    version: FROM_6_1,
    columns: names(
      'record_type filer_committee_id transaction_id back_reference_transaction_id back_reference_schedule text',
    ),
  },
  { form: /^TEXT$/, version: /^5\.[0-2]/, columns: names('record_type form_type back_reference_transaction_id text') },
  {
    form: /^F9[ANT]?$/,
    version: /^(6\.[234]|7\.0|8\.[012])$/,
    columns: [
      ...record,
      ...names('entity_type organization_name'),
      ...person('individual'),
      ...names('change_of_address street_1 street_2 city state zip_code individual_employer individual_occupation'),
      ...names('coverage_from_date coverage_through_date public_distribution_date communication_title filer_code'),
      ...names('filer_code_description segregated_bank_account'),
      ...person('custodian'),
      ...address('custodian'),
      ...names('custodian_employer custodian_occupation total_donations total_disbursements'),
      ...person('signer'),
      'signed_date',
    ],
  },
  {
    form: /^F91$/,
    version: FROM_6_1,
    columns: [
      ...record,
      'transaction_id',
      ...person('controller'),
      ...address('controller'),
      ...names('controller_employer controller_occupation'),
    ],
  },
  {
    form: /^F93$/,
    version: FROM_6_1,
    columns: [
      ...record,
      ...backReference,
      ...payee,
      ...election,
      ...names(
        'expenditure_date expenditure_amount expenditure_purpose payee_employer payee_occupation communication_date',
      ),
    ],
  },
  {
    form: /^F94$/,
    version: FROM_6_1,
    columns: [
      ...record,
      ...backReference,
      'candidate_id',
      ...person('candidate'),
      ...names('candidate_office candidate_state candidate_district'),
      ...election,
    ],
  },
  {
    form: /^F99$/,
    version: /^(6\.[1-4]|7\.0|8\.[0-4])$/,
    columns: [
      ...record,
      ...names('committee_name street_1 street_2 city state zip_code'),
      ...person('treasurer'),
      ...names('signed_date text_code text'),
    ],
  },
];

const LAYOUTS: readonly Layout[] = [...FORMS, ...SUMMARY_LAYOUTS, ...SCHEDULES];

/**
 * Names of the columns of a record after the headings of the FEC's format specification; nothing where
 * this version of it is not known: then its columns have numbers.
 */
export function fecColumns(recordType: string, version: string): readonly string[] | undefined {
  const type = recordType.toUpperCase();
  return LAYOUTS.find((layout) => layout.form.test(type) && layout.version.test(version))?.columns;
}
