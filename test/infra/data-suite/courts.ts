import type { JsonObject } from '../../../core/base/json';
import type { PageRead } from './world';
import { asText } from './results';

interface Court extends PageRead {
  /** The page's own site. */
  site: string;
  /** The expected results write some names out. */
  names?: (name: string) => string;
  only?: (record: JsonObject) => boolean;
}

const text = 'normalize-space(following-sibling::text()[1])';

/** Recipes of a connector for the opinions of a court; fields are named as in the expected results. */
export const COURTS: Record<string, Court> = {
  armfor: {
    site: 'https://www.armfor.uscourts.gov',
    at: '/newcaaf/opinions/2022OctTerm.htm',
    list_selector: 'tr:has(> td a[href$=".pdf"]):not(:has(table))',
    fields: [
      { field: 'download_urls', selector: 'a', attribute: 'href' },
      { field: 'docket_numbers', xpath: "normalize-space(substring-before(td[2], '('))" },
      { field: 'case_names', selector: 'td:first-child' },
    ],
    names: (name) =>
      name
        .replace(/\*$/, '')
        .replace(/^U\.S\. v\./, 'United States v.')
        .replace(/v\. U\.S\.$/, 'v. United States'),
  },
  bap8: {
    site: '',
    list_selector: 'a[href*="/opndir/"]',
    fields: [
      { field: 'download_urls', selector: ':scope', attribute: 'href' },
      { field: 'case_dates', xpath: `substring(${text}, 1, 10)` },
      { field: 'case_names', xpath: `substring(substring-before(${text}, ' U.S. Court of Appeals Case No'), 12)` },
      { field: 'docket_numbers', xpath: `substring(substring-after(${text}, 'Case No: '), 1, 7)` },
      { field: 'lower_courts', xpath: `substring(substring-after(${text}, 'Case No: '), 9)` },
    ],
    response_mapping: {
      fields: {
        ...same('download_urls', 'case_names', 'docket_numbers', 'lower_courts'),
        case_dates: date('MM/DD/YYYY'),
      },
    },
    // The page lists all opinions of the circuit.
    only: (record) =>
      asText(record['lower_courts']).includes('Bankruptcy Court') && asText(record['download_urls']).endsWith('P.pdf'),
  },
  ca1: {
    site: '',
    list_selector: 'tbody tr',
    fields: [
      { field: 'download_urls', selector: '.opn-opnfilelink a', attribute: 'href' },
      { field: 'docket_numbers', selector: '.opn-csno a' },
      { field: 'case_dates', selector: '.opn-issdate span' },
      { field: 'case_names', xpath: "td[contains(@class, 'opn-short-title')]/text()[1]" },
      { field: 'lower_courts', selector: '.opn-short-title span' },
    ],
    response_mapping: {
      fields: {
        ...same('download_urls', 'case_names', 'docket_numbers', 'lower_courts'),
        case_dates: date('YYYY/MM/DD'),
      },
    },
    names: unitedStates('US v.'),
  },
  cadc: {
    site: 'https://media.cadc.uscourts.gov',
    list_selector: '.table-responsive > div.row',
    fields: [
      { field: 'download_urls', selector: 'a', attribute: 'href' },
      { field: 'docket_numbers', selector: 'a' },
      { field: 'case_dates', selector: 'span.small' },
      { field: 'case_names', selector: '.col-sm-9 .row:first-child' },
    ],
    response_mapping: {
      fields: { ...same('download_urls', 'case_names', 'docket_numbers'), case_dates: date('MM/DD/YYYY') },
    },
    names: unitedStates('USA v.'),
  },
  cal: {
    site: 'https://www.courts.ca.gov',
    list_selector: 'tr:has(.op-case)',
    fields: [
      { field: 'download_urls', selector: 'a[href$=".PDF"]', attribute: 'href' },
      { field: 'docket_numbers', selector: '.op-case' },
      { field: 'case_names', selector: '.op-title' },
    ],
    names: (name) => name.replace(/ \d+\/\d+\/\d+ SC$/, '').replace(/^P\. v\./, 'People v.'),
  },
};

function unitedStates(short: string): (name: string) => string {
  return (name) => (name.startsWith(short) ? `United States v.${name.slice(short.length)}` : name);
}

function same(...fields: string[]): JsonObject {
  return Object.fromEntries(fields.map((field) => [field, field]));
}

function date(format: string): JsonObject {
  return { path: 'case_dates', transforms: [{ op: 'date', format }] };
}
