/**
 * What the documentation and editors say about each function; docs/expressions.md is generated from it, and a test runs
 * each example on the page's values. Workflow code does not load this.
 */
interface FunctionDoc {
  says: string;
  example: string;
}

export interface FunctionGroup {
  title: string;
  functions: Readonly<Record<string, FunctionDoc>>;
}

export const FUNCTION_GROUPS: readonly FunctionGroup[] = [
  {
    title: 'Choice',
    functions: {
      if: {
        says: '`then` where the condition is true, else `else`, or null; the other one is not evaluated',
        example: "if({pull.count} > 2, 'many', 'few')",
      },
      case: {
        says: 'the value behind the first condition that is true; a last value without a condition where none is',
        example: "case({pull.count} > 9, 'many', {pull.count} > 2, 'some', 'few')",
      },
      coalesce: {
        says: 'the first that is defined, else null',
        example: "coalesce({committee_id}, {pull.results[2].ein}, 'none')",
      },
    },
  },
  {
    title: 'Texts',
    functions: {
      lower: { says: 'in small letters', example: 'lower({company})' },
      upper: { says: 'in capital letters', example: 'upper({company})' },
      trim: { says: 'without white space at both ends', example: "trim('  ACME ')" },
      slug: {
        says: 'for addresses and file names: small letters and digits without accents, joined by `-`',
        example: "slug('Été à Paris, 2024!')",
      },
      concat: {
        says: 'all as one text, as templates write them; what is null has none',
        example: "concat({company}, ' (', {pull.count}, ')')",
      },
      substring: {
        says: 'from a character, counted from 0 or from the end (negative), so many or all that follow',
        example: 'substring({company}, 5, 6)',
      },
      split: {
        says: 'a list of the parts between the separators; of the characters for an empty separator',
        example: "split('a,b,c', ',')",
      },
      join: {
        says: 'elements as one text, with `, ` or another separator between; null elements are left out',
        example: "join({pull.results[*].name}, ' and ')",
      },
      replace: {
        says: 'each place of a part, as it is written; null for an empty part',
        example: "replace('20-0253310', '-', '')",
      },
      pad: {
        says: 'filled to a width on the left, or on the right with `side` `right`; a longer text stays',
        example: "pad({pull.count}, 3, '0')",
      },
      contains: {
        says: 'true where a text has a part, a list an element, an object a field; as the operator',
        example: "contains({company}, 'Relief')",
      },
      starts_with: { says: 'true or false; false unless both are texts', example: "starts_with({company}, 'Acme')" },
      ends_with: { says: 'true or false; false unless both are texts', example: "ends_with({company}, 'Fund')" },
      matches: {
        says: 'true where a pattern occurs in the text; [patterns](#patterns) are RE2',
        example: "matches({pull.results[0].ein}, '^[0-9]{9}$')",
      },
      extract: {
        says: 'of the first place of a pattern the group of a number or name; without one the first group, or all',
        example: "extract('EIN 20-0253310, Boston', 'EIN ([0-9-]+)')",
      },
    },
  },
  {
    title: 'Lists',
    functions: {
      length: {
        says: 'characters of a text, elements of a list, fields of an object, 0 for null; else null',
        example: 'length({pull.results})',
      },
      at: {
        says: 'the element at a computed place, from 0 or from the end (negative); of an object the field of a name',
        example: 'at({pull.results[*].name}, {pull.count} - 1)',
      },
      slice: {
        says: 'elements from a place up to another, which is left out; negative counts from the end',
        example: 'slice({pull.results[*].name}, 0, 2)',
      },
      range: {
        says: 'whole numbers from 0, or `from`, up to `to`, which is left out',
        example: 'range(1, {pull.count} + 1)',
      },
      distinct: { says: 'the first of equal elements', example: "distinct(['a', 'b', 'a'])" },
      flatten: {
        says: 'lists in the list give their elements, one level deep or more',
        example: 'flatten({pull.results[*].officers[*].name})',
      },
      zip: {
        says: 'a list for each place, with the elements of all lists there; null where a list is shorter',
        example: "zip(['a', 'b'], [1, 2])",
      },
      lookup: {
        says: 'the first record whose field has the value, else null',
        example: "lookup({pull.results}, 'name', 'Bolt')",
      },
    },
  },
  {
    title: 'Objects',
    functions: {
      keys: { says: 'names of the fields', example: 'keys({period})' },
      values: { says: 'values of the fields', example: 'values({period})' },
      merge: {
        says: 'fields of all objects; of one name the last value',
        example: 'merge({period}, {pull.results[2]})',
      },
      pick: {
        says: 'the fields of these names, or of a list of names; a name without a field is left out',
        example: "pick({pull.results[0]}, 'ein', 'name')",
      },
    },
  },
  {
    title: 'Dates',
    functions: {
      add_days: {
        says: 'the date or instant so many days later; negative for earlier',
        example: "add_days('2024-02-28', 2)",
      },
      add_months: {
        says: 'the same day of another month; its last day where that month is shorter',
        example: "add_months('2024-01-31', 1)",
      },
      add_hours: {
        says: 'the instant so many hours later, in its own zone; a date begins at midnight, UTC',
        example: 'add_hours({period.end}, 20)',
      },
      diff: {
        says: 'whole `seconds`, `minutes`, `hours`, `days`, `weeks`, `months`, `quarters` or `years` between two; negative where the second is earlier',
        example: "diff({period.start}, {period.end}, 'hours')",
      },
      date_diff_days: {
        says: 'calendar days from one to the other, whatever the clock; dates are `YYYY-MM-DD` or time stamps that begin so',
        example: 'date_diff_days({period.start}, {period.end})',
      },
      start_of: {
        says: 'the first day of the `week` (Monday), `month`, `quarter` or `year`; of a `day` its date, of an `hour` the instant',
        example: "start_of({period.end}, 'month')",
      },
      format_date: {
        says: 'as text, by a [format](#date-formats); names of months and weekdays in a language (`en`)',
        example: "format_date({period.start}, 'D MMMM YYYY', 'de')",
      },
      parse_date: {
        says: 'the date of a text by a [format](#date-formats), an instant where the format has a clock; null where it does not fit',
        example: "parse_date('03/07/2024', 'MM/DD/YYYY')",
      },
    },
  },
  {
    title: 'Numbers',
    functions: {
      abs: { says: 'without its sign', example: 'abs(-2.5)' },
      round: {
        says: 'to a whole number or to so many places (-15 to 15); halves away from zero, on the decimal digits',
        example: 'round(2.345, 2)',
      },
      floor: { says: 'the nearest whole number that is not above', example: 'floor(-2.5)' },
      ceil: { says: 'the nearest whole number that is not below', example: 'ceil(2.1)' },
      mod: { says: 'the rest of a division, with the sign of the divisor', example: 'mod({pull.count}, 2)' },
      min: {
        says: 'the smallest of numbers only, or of texts only, of a list or of the arguments; null entries are skipped; null when nothing is left or kinds are mixed',
        example: 'min({pull.results[*].revenue})',
      },
      max: { says: 'the largest, by the same rule', example: 'max(3, {pull.count}, 2)' },
      sum: {
        says: 'of numbers; null entries are skipped; 0 for the empty list; null when a text is among them',
        example: 'sum({pull.results[*].revenue})',
      },
      format_number: {
        says: 'as text with so many places (all its own when left out), the sign between groups of three digits (`,`) and the point (`.`)',
        example: "format_number(1234567.5, 2, '.', ',')",
      },
    },
  },
  {
    title: 'Conversions',
    functions: {
      number: {
        says: 'a number as it is, a text that is a decimal number (`"-12.50"`, `"1e6"`); else null',
        example: "number('-12.50')",
      },
      text: { says: 'as a template renders it; null for a list or object above 1 MiB', example: 'text({pull.count})' },
      json: { says: 'compact JSON, also of a text; null above 1 MiB', example: 'json({flags})' },
      from_json: {
        says: 'the data of a JSON text of at most 1 MiB and 100 levels; else null',
        example: "from_json('[1, 2]')",
      },
      base64: { says: 'of the UTF-8 bytes', example: "base64('Ada')" },
      url_encode: { says: 'with percent signs for all but letters, digits and `-_.~`', example: "url_encode('a b&c')" },
      sha256: { says: 'of the UTF-8 bytes, 64 hexadecimal digits', example: "substring(sha256('Ada'), 0, 8)" },
    },
  },
];
