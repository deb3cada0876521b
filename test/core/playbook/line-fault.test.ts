import { describe, expect, it } from '@jest/globals';
import { readSource } from '../../../core/playbook/source';
import { parsePlaybook } from '../../../core/playbook/parse-playbook';

const STEP = '  - name: a\n    step_type: tool\n    action: transform_data\n    inputs: {data: [{v: 1}]}\n';
const TEXT = `id: y\nname: Y\nsteps:\n${STEP}    operations: [{type: limit, count: 1}]\n`;
const changed = (from: string, to: string): string => {
  expect(TEXT).toContain(from);
  return TEXT.replace(from, to);
};
const problemsOf = (text: string) => readSource(text).problems.sorted();

// findings/multiline-quoted.yaml, and its kind: the repair that is named is the one that repairs.
describe('a fault of YAML names the line and the repair', () => {
  it.each<[string, string, string, number, RegExp, RegExp]>([
    ['a tab', '    step_type', '\tstep_type', 5, /^Tabs are not allowed/, /^Indent with spaces/],
    ['a no-break space', '    action', '\u00a0   action', 6, /U\+00A0/, /plain spaces/],
    ['a mark in the middle', '    action', '\ufeff    action', 6, /U\+FEFF/, /plain spaces/],
    ['typographic quotes', 'name: Y', 'name: “Y: z”', 2, /“ is no quotation mark/, /plain ones/],
    [
      'typographic quotes of an element',
      'inputs: {data: [{v: 1}]}',
      'inputs:\n      data:\n        - “a: b: c”',
      9,
      /“ is no/,
      /plain/,
    ],
    [
      'a reference deep in a list',
      'inputs: {data: [{v: 1}]}',
      'inputs:\n      data:\n        -   {run}-x',
      9,
      /\{run\}/,
      /^Write - "\{run\}-x"\./,
    ],
    ['no blank in an element', '  - name: a', '  - name:a', 4, /Behind `name:`/, /^Write name: a\./],
    ['no blank before a long text', 'name: Y', `name:${'y'.repeat(70)}`, 2, /Behind `name:`/, /^Write name: y{60}…\.$/],
    ['a strange blank in a text', 'name: Y', 'name: Y\u00a0z: q', 2, /Nested mappings are not allowed/, /into quotes/],
    ['a wide colon', 'name: Y', 'name： Y', 2, /： is no colon/, /^Write : /],
    ['no blank behind a colon', 'name: Y', 'name:Y', 2, /Behind `name:` a blank is missing/, /^Write name: Y\./],
    ['no colon', '    action: transform_data', '    action transform_data', 6, /no field/, /colon and a blank/],
    ['a text that is not indented', 'name: Y', 'description: |\none\ntwo\nname: Y', 3, /no field/, /indent the line/],
    ['one blank too many', '    action', '     action', 6, /further than line 5/, /by 4 spaces, like/],
    ['one blank too few', '    action', '   action', 6, /indented by 3 spaces/, /same indentation/],
    [
      'a reference at the beginning',
      'name: Y',
      'name: {run} of Y',
      2,
      /begins with \{run\}/,
      /^Write name: "\{run\} of Y"\./,
    ],
    [
      'a reference in a condition',
      '    action',
      '    condition: {a.n} > 0\n    action',
      6,
      /needs quotes/,
      /"\{a\.n\} > 0"/,
    ],
    [
      'a reference as an element',
      'inputs: {data: [{v: 1}]}',
      'inputs:\n      data:\n        - {execution_id}-x',
      9,
      /\{execution_id\}/,
      /^Write - "\{execution_id\}-x"\./,
    ],
    ['a brace too many', '[{v: 1}]}', '[{v: 1}]}}', 7, /^This \} closes nothing/, /^Remove it, or write \{ where/],
    ['a bracket too many', 'name: Y', 'name: [Y]]', 2, /^This \] closes nothing/, /^Remove it, or write \[ where/],
    ['a wide colon that is not the first fault', 'name: Y', 'name of： Y', 2, /no field/, /colon and a blank/],
    ['a key behind a key', 'name: Y', 'name: Y:', 2, /Nested mappings are not allowed/, /into quotes/],
    ['no comma', '{type: limit, count: 1}', '{type: limit count: 1}', 8, /comma is missing/, /\{a: 1, b: 2\}/],
    [
      'merge keys',
      'inputs: {data: [{v: 1}]}',
      'inputs:\n      <<: {data: [{v: 1}]}',
      8,
      /merge/,
      /Write the fields out/,
    ],
  ])('%s', (_name, from, to, line, message, suggestion) => {
    const [first] = problemsOf(changed(from, to));
    expect(first).toMatchObject({ severity: 'error', line });
    expect(first?.message).toMatch(message);
    expect(first?.suggestion).toMatch(suggestion);
  });

  it('of several lines each', () => {
    for (const [to, columns] of [
      ['name: {x} z\nversion: {y} w', [7, 10]],
      ['name: “a: b”\nversion: “c: d”', [7, 10]],
    ] as const)
      expect(problemsOf(changed('name: Y', to)).map(({ line, column }) => [line, column])).toEqual([
        [2, columns[0]],
        [3, columns[1]],
      ]);
  });

  it('and nothing that only follows from it', () => {
    for (const [from, to] of [
      ['    step_type', '\tstep_type'],
      ['    action', '\u00a0   action'],
      ['    action', '     action'],
      ['    action', '   action'],
      ['[{v: 1}]}', '[{v: 1}]}}'],
    ] as const)
      expect(problemsOf(changed(from, to))).toHaveLength(1);
  });

  it('what is suggested is what can be read', () => {
    for (const [from, to, repaired] of [
      ['name: Y', 'name: {run} of Y', 'name: "{run} of Y"'],
      ['name: Y', 'name:Y', 'name: Y'],
    ] as const) {
      const [first] = problemsOf(changed(from, to));
      expect(first?.suggestion).toContain(repaired);
      expect(problemsOf(changed(from, repaired))).toEqual([]);
    }
  });
});

describe('texts that are read', () => {
  it.each([
    ['line ends of Windows', TEXT.replaceAll('\n', '\r\n')],
    ['line ends of old Macs', TEXT.replaceAll('\n', '\r')],
    ['a byte order mark', `\ufeff${TEXT}`],
    ['a tab behind a colon', TEXT.replace('name: Y', 'name:\tY')],
    ['tags that say nothing new', TEXT.replace('name: Y', 'name: !!str Y').replace('v: 1', 'v: !!int 1')],
  ])('%s', (_name, text) => {
    expect(problemsOf(text)).toEqual([]);
    expect(readSource(text).document?.toJson()).toEqual(readSource(TEXT).document?.toJson());
  });

  it.each([
    ['--- |\n%x\n', '%x\n'],
    ['--- |\n!t\n', '!t\n'],
    ['--- >\n*a\n', '*a\n'],
  ])('the text of a block, whatever it looks like: %j', (text, value) => {
    expect(problemsOf(text)).toEqual([]);
    expect(readSource(text).document?.toJson()).toBe(value);
  });

  it.each([
    ['v: 1_000', '1_000 is text in YAML 1.2, no number.', 'Write "1_000" for the text, or 1000 for the number.'],
    ['v: -1_000.5', '-1_000.5 is text in YAML 1.2, no number.', 'Write "-1_000.5" for the text.'],
    ['v: 1_000.25', '1_000.25 is text in YAML 1.2, no number.', 'Write "1_000.25" for the text.'],
    ['v: 0b101', '0b101 is text in YAML 1.2, no number.', 'Write "0b101" for the text, or 5 for the number.'],
    ['v: 0X1F', '0X1F is text in YAML 1.2, no number.', 'Write "0X1F" for the text, or 31 for the number.'],
    [
      `{v:${'1'.repeat(70)}, w: 2}`,
      `Behind \`v:\` a blank is missing: \`v:${'1'.repeat(58)}…\` is one name without a value.`,
      `Write v: ${'1'.repeat(60)}….`,
    ],
    ['{v:1, w: 2}', 'Behind `v:` a blank is missing: `v:1` is one name without a value.', 'Write v: 1.'],
  ])('with a warning: %s', (text, message, suggestion) => {
    expect(problemsOf(text)).toMatchObject([{ severity: 'warning', line: 1, message, suggestion }]);
  });

  it('at its place', () => {
    expect(problemsOf('a: 1\nb: {w: 2, v:1}')).toMatchObject([{ code: 'missing_blank', line: 2, column: 11 }]);
  });

  it('without one where nothing is lost', () => {
    for (const text of [
      'v: "1_000"',
      'v: a_1',
      'v: 1_a',
      '{"v:1": 2}',
      '{a:1: 2}',
      '{http://x, y}',
      'v: 0b2',
      'v: 12:30',
    ])
      expect(problemsOf(text)).toEqual([]);
  });

  it('a name that looks like a number is a name', () => {
    expect(
      parsePlaybook(TEXT.replace('name: Y', 'name: 1_000')).problems.filter(({ code }) => code === 'number_spelling'),
    ).toEqual([]);
  });

  it('words for true and false that YAML 1.2 does not have are named', () => {
    for (const [word, suggestion] of [
      ['yes', 'Write true.'],
      ['Off', 'Write false.'],
      ['"true"', 'Write true.'],
      ['maybe', undefined],
    ] as const) {
      const { problems } = parsePlaybook(`${TEXT}inputs: [{name: q, required: ${word}}]\n`);
      expect(problems.find(({ code }) => code === 'invalid_type')?.suggestion).toBe(suggestion);
    }
  });
});
