/** Whole numbers that name something rather than count it: nobody writes the year 2,015. */
const NAMES = /(^|[_\s.-])(id|ein|cik|year|yr|zip|postcode|code|no|number|phone|version|line|page|index)s?$|_?year/i;
const DECIMAL = /^(-?)(\d+)(\.\d+)?$/;
const NUMBER = /^[+-]?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?(e[+-]?\d+)?$/i;

/** A number as people read it: thousands separated, every digit kept. `name`: of the column that it stands in. */
export function shownNumber(value: number, name = ''): string {
  const written = String(value);
  const [, sign = '', whole = '', rest = ''] = DECIMAL.exec(written) ?? [];
  if (whole === '' || NAMES.test(name)) return written;
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${rest}`;
}

/** Whether a cell is a number, also one that is kept as the text in which it was written. */
export function isNumeric(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && NUMBER.test(value));
}
