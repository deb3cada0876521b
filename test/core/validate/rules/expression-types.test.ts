import { describe, expect, it } from '@jest/globals';
import { COMPANY, playbook, PULL, validate } from '../harness';

const found = (condition: string): string[] =>
  validate(
    playbook(
      `${PULL}  - {name: s, step_type: tool, action: write_journal_entry, inputs: {summary: x}, condition: ${JSON.stringify(condition)}}\n`,
      COMPANY,
    ),
  )
    .filter(({ field }) => field === 'condition')
    .map(({ severity, code, message, suggestion }) => `${severity} ${code}: ${message} ${suggestion ?? ''}`.trim());

describe('operators', () => {
  it.each([
    ['{pull.count} + 1 > 2'],
    ['{pull.results[0].revenue} * 2 > 1'],
    ['{company} == {pull.results[0].ein}'],
    ['{today} > {30_days_ago}'],
    ["{today} < '2024-01-01'"],
    ['-{pull.count} < 0'],
    ["{company} contains 'x' OR 'x' in {pull.results}"],
    ['{pull.results} == []'],
    ['{company} == null'],
    ['number({company}) + 1 > 2'],
  ])('%s fits', (condition) => {
    expect(found(condition)).toEqual([]);
  });

  it.each([
    [
      "{company} + 'a' == 'b'",
      "error type_mismatch: `+` works on numbers, but 'a' is a text. Write concat({company}, 'a') to join texts.",
    ],
    [
      '{company} + {company} == {company}',
      'warning type_mismatch: `+` works on numbers, but {company} is a text. Write concat({company}, {company}) to join texts.',
    ],
    [
      '{company} * 2 > 1',
      'warning type_mismatch: `*` works on numbers, but {company} is a text. Write number({company}) for a text that holds a number.',
    ],
    ['{pull.results} - 1 > 1', 'warning type_mismatch: `-` works on numbers, but {pull.results} is a list.'],
    ['-true > 1', 'error type_mismatch: `-` works on numbers, but true is true or false.'],
    [
      "{pull.count} == '3'",
      "warning type_mismatch: `==` is false here, whatever the values are: {pull.count} is a number, '3' is a text. Convert one of them: number({a}) or text({a}).",
    ],
    [
      "{pull.count} != '3'",
      "warning type_mismatch: `!=` is true here, whatever the values are: {pull.count} is a number, '3' is a text. Convert one of them: number({a}) or text({a}).",
    ],
    [
      '{pull.results} > 3',
      'warning type_mismatch: `>` is false here, whatever the values are: {pull.results} is a list, 3 is a number.',
    ],
    [
      "'a' in {pull.count}",
      'warning type_mismatch: `in` looks into a list, a text or an object, but {pull.count} is a number.',
    ],
    ['1 contains 2', 'error type_mismatch: `contains` looks into a list, a text or an object, but 1 is a number.'],
  ])('%s: %s', (condition, expected) => {
    expect(found(condition)).toContain(expected);
  });
});

describe('functions', () => {
  it.each([
    ["upper({company}) == 'A'"],
    ["if({pull.count} > 1, {company}, 'none') == 'none'"],
    ["diff({today}, {now}, 'days') > 1"],
    ["parse_date({company}, 'D MMMM YYYY', 'de') > {today}"],
    ["matches({company}, '^[A-Z]{2,}$')"],
    ['range({pull.count}) == []'],
  ])('%s fits', (condition) => {
    expect(found(condition)).toEqual([]);
  });

  it.each([
    [
      'round({company}) > 1',
      'warning type_mismatch: `value` of round() expects a number, but {company} is a text. Write number({company}).',
    ],
    [
      "round('3.5') > 1",
      "error type_mismatch: `value` of round() expects a number, but '3.5' is a text. Write number('3.5').",
    ],
    [
      "upper({pull.count}) == 'A'",
      'warning type_mismatch: `value` of upper() expects a text, but {pull.count} is a number. Write text({pull.count}).',
    ],
    [
      "join(concat('a', 'b')) == 'A'",
      "error type_mismatch: `list` of join() expects a list, but concat('a', 'b') is a text.",
    ],
    [
      "matches({company}, '(')",
      'error type_mismatch: "(" is no pattern in RE2 syntax: error parsing regexp: missing closing ): `(`.',
    ],
    [
      "matches({company}, '(?=a)')",
      'error type_mismatch: "(?=a)" is no pattern in RE2 syntax: error parsing regexp: invalid or unsupported Perl syntax: `(?=`.',
    ],
    [
      "matches({company}, '(a)\\\\1')",
      'error type_mismatch: "(a)\\1" is no pattern in RE2 syntax: error parsing regexp: invalid escape sequence: `\\1`.',
    ],
    [
      "diff({today}, {now}, 'day') > 1",
      'error type_mismatch: "day" is not known here: write seconds, minutes, hours, days, weeks, months, quarters, years.',
    ],
    [
      "start_of({today}, 'months') == 1",
      'error type_mismatch: "months" is not known here: write hour, day, week, month, quarter, year.',
    ],
    [
      "format_date({today}, 'yyyy-MM-dd') == 'x'",
      'error type_mismatch: `y` has no meaning in a date format: write [y] for the letter, or parts as in YYYY-MM-DD.',
    ],
    [
      "format_date({today}, '%Y-%m-%d') == 'x'",
      'error type_mismatch: `%` has no meaning in a date format: write parts as in YYYY-MM-DD.',
    ],
    [
      "parse_date({company}, 'MM/YYYY') == 'x'",
      'error type_mismatch: A date is read from a year (YYYY), a month (MM) and a day (DD): one of them is missing in the format.',
    ],
    ["pad({company}, 3, '0', 'start') == 'x'", 'error type_mismatch: "start" is not known here: write left, right.'],
  ])('%s: %s', (condition, expected) => {
    expect(found(condition)).toContain(expected);
  });

  it('says the languages that it knows', () => {
    const [problem = ''] = found("format_date({today}, 'D MMMM', 'tlh') == 'x'");
    expect(problem).toContain('There are no names in "tlh": write one of en, de, fr,');
  });

  it.each([['length(range(1000000000)) > 1'], ["pad('a', 1000000000) == 'a'"]])(
    '%s is refused before it runs',
    (condition) => {
      expect(found(condition)).toEqual([
        expect.stringContaining('error type_mismatch: The expression would read or make more than'),
      ]);
    },
  );

  it('stays linear in a long chain of operators', () => {
    const chain = Array(900).fill('{company}').join(' + ');
    expect(found(`${chain} == 'x'`).length).toBeGreaterThan(0);
  });
});

describe('row expressions', () => {
  const compute = (expression: string, data = '"{pull.results}"'): string[] =>
    validate(
      playbook(
        `${PULL}  - name: t\n    step_type: tool\n    action: transform_data\n    inputs: {data: ${data}}\n    operations: [{type: compute, as: x, expression: ${JSON.stringify(expression)}}, {type: filter, expression: "{x} > 1"}]\n`,
        COMPANY,
      ),
    )
      .filter(({ code }) => code === 'type_mismatch')
      .map(({ message, field }) => `${field}: ${message}`);

  it('knows the columns of an endpoint', () => {
    expect(compute('{revenue} * 2')).toEqual([]);
    expect(compute('{ein} * 2')).toEqual([
      'params.operations[0].expression: `*` works on numbers, but {ein} is a text.',
    ]);
    expect(compute("{ein} + '-'")).toContain(
      "params.operations[0].expression: `+` works on numbers, but '-' is a text.",
    );
  });

  it('says nothing of rows whose columns are not known', () => {
    expect(compute('{ein} * 2', '[{ein: "{company}"}]')).toEqual([]);
  });
});
