/** Last words of a name under which a whole number names something rather than counts it: nobody writes the EIN 200,253,310. */
const LABELS = new Set(
  `id uuid ein ssn tin uei duns cik sic naics fips isbn issn dln key code zip zipcode postcode postalcode
no nr num number # phone fax version line page index account acct card docket order invoice case ticket serial`.split(
    /\s+/,
  ),
);
/** Under these a number is read as a date where it can be one: 2015, 201512, 20151231. */
const DATES = new Set(['year', 'yr', 'fy', 'period', 'month', 'date', 'day']);
const DATE = /^(1[5-9]|2\d)\d\d((0[1-9]|1[0-2])([0-3]\d)?)?$/;
/**
 * Words before the thing that an amount belongs to (`total_per_page`), or that is counted or named (`number_of_pages`,
 * `year_of_birth`).
 */
const LINKS = ['per', 'each', 'of', 'in', 'for'];
const COUNTED = new Set(['number', 'no', 'nr', 'num', '#']);
const DECIMAL = /^(-?)(0|[1-9]\d*)(\.\d+)?$/;
const NUMBER = /^[+-]?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?(e[+-]?\d+)?$/i;

/** A number as people read it: thousands separated, every digit kept. `name`: of the column that it stands in. */
export function shownNumber(value: number, name = ''): string {
  const written = String(value);
  const [, sign = '', whole = '', rest = ''] = DECIMAL.exec(written) ?? [];
  if (whole === '' || isLabel(name, written)) return written;
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${rest}`;
}

/** Tells whether a cell is a number, also one that is kept as text. */
export function isNumeric(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && NUMBER.test(value));
}

function isLabel(name: string, written: string): boolean {
  const words = wordsOf(name);
  const link = words.findLastIndex((word, at) => at > 0 && LINKS.includes(word));
  const head = words.at(link < 0 ? -1 : link - 1) ?? '';
  if (LABELS.has(head)) return link < 0 || !COUNTED.has(head);
  return isDateName(head, words) && DATE.test(written);
}

function isDateName(head: string, words: readonly string[]): boolean {
  if (DATES.has(head) || /[a-z](year|yr)$/.test(head)) return true;
  // `year_founded`, not `year_revenue`.
  return words.length === 2 && words[0] === 'year' && /(ed|built|born)$/.test(head);
}

/** Splits `tax_year`, `taxYear`, `Tax Year` and `TAX-YEAR` into tax, year. */
function wordsOf(name: string): string[] {
  return name
    .replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1 ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}#]+/u)
    .filter((word) => word !== '');
}
