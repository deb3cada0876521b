import { describe, expect, it } from '@jest/globals';
import { readDocument } from '../../../core/connector/openapi/read-document';
import { parseConnector } from '../../../core/connector/parse';
import { parsePlaybook } from '../../../core/playbook/parse-playbook';
import { readSource } from '../../../core/playbook/source';

/** shared finding multiline-quoted.yaml */
const FINDING = `openapi: 3.0.0
info:
  title: t
  version: "1"
  description: "one
<br>two"
servers: [{url: "https://x.example"}]
paths: {/a: {get: {responses: {"200": {description: ok}}}}}
`;
const INDENT = /^Indent each further line of the text by at least \d+ spaces?/;

const problemsOf = (text: string) => readSource(text).problems.sorted();

it.each(['"a" b: "c"\n', 'k:\n  "a" b: "c"\n', '- "a" b: "c"\n'])(
  'a text that ends early is named also where another one follows: %j',
  (text) => {
    expect(problemsOf(text).map(({ message }) => message)).toEqual([
      expect.stringMatching(/^The text in double quotes that begins in line \d ends before this\.$/),
    ]);
  },
);

describe('a text in quotes that goes on in a line that is not indented', () => {
  it('finding multiline-quoted.yaml: the line is named, and the repair repairs it', () => {
    const read = readDocument(FINDING);
    expect(read).toEqual({
      problems: [
        {
          severity: 'error',
          code: 'invalid_yaml',
          message:
            'The text in double quotes begins in line 5 and goes on in line 6, which is not indented far enough.',
          suggestion:
            'Indent each further line of the text by at least 3 spaces, or write it as a block: `description: |` and below it the lines without quotes, indented by 4 spaces.',
          line: 6,
          column: 1,
        },
      ],
    });
    expect(readDocument(FINDING.replace('<br>', '   <br>'))).toHaveProperty('document');
    const block = FINDING.replace('"one\n<br>two"', '|\n    one\n    <br>two');
    expect(readDocument(block)).toHaveProperty('document.json.info.description', 'one\n<br>two\n');
  });

  it.each([
    ['single quotes', "a:\n  b: 'one\ntwo'\nc: 1\n", 3],
    ['in a list', 'steps:\n  - name: "one\n  two"\n  - name: b\n', 3],
    ['as far in as its key', 'a:\n  b: "one\n  two"\nc: 1\n', 3],
    ['behind an empty line and one that is far enough in', 'a:\n  b: "one\n\n   two\nthree"\n', 5],
    ['that looks like a key', 'a:\n  b: "one\nx: two"\nc: 1\n', 3],
    ['that looks like an item', 'a:\n  b: "one\n- two"\nc: 1\n', 3],
    ['that looks like a new document', 'a:\n  b: "one\n--- two"\n', 3],
    ['in brackets', 'a: ["one\ntwo"]\n', 2],
  ])('%s: one problem, at that line', (_what, text, line) => {
    const problems = problemsOf(text);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ code: 'invalid_yaml', line, suggestion: expect.stringMatching(INDENT) });
  });

  it('says the same of a playbook and of a connector', () => {
    const playbook = 'id: p\nname: P\ndescription: "one\ntwo"\nsteps: []\n';
    const connector = 'id: c\ntype: rest_api\nconnection:\n  base_url: "https://x\n.example"\nendpoints: {}\n';
    expect(parsePlaybook(playbook).problems).toEqual([
      expect.objectContaining({ code: 'invalid_yaml', line: 4, suggestion: expect.stringMatching(INDENT) }),
    ]);
    expect(parseConnector(connector).problems).toEqual([
      expect.objectContaining({ code: 'invalid_yaml', line: 5, suggestion: expect.stringMatching(INDENT) }),
    ]);
  });
});

describe('other faults of quotes', () => {
  it.each([
    [
      'no closing quote',
      'a: "one\nb: two\nc: 3\n',
      { line: 1, column: 4 },
      /The text in double quotes .* no closing quote/,
      /Write " where/,
    ],
    ['no closing single quote', "a: 'one\nb: two\n", { line: 1 }, /The text in single quotes/, /Write ' where/],
    [
      'no closing quote, others follow',
      'a:\n  b: "one\n  c: "two"\n',
      { line: 2 },
      /no closing|before this/,
      /quote inside/,
    ],
    [
      'no closing quote behind a text that has one',
      'a: "x"\nb: "one\n',
      { line: 2, column: 4 },
      /begins in line 2/,
      /Write "/,
    ],
    ['an apostrophe inside', "a: 'it's'\nb: 1\n", { line: 1, column: 8 }, /ends before this/, /written ''/],
    ['a quote inside', 'a: "say "hi" now"\n', { line: 1, column: 10 }, /ends before this/, /written \\"/],
    [
      'no closing quote, below a comment',
      '# one\n\n  a: "one\n     two\n',
      { line: 3, column: 6 },
      /no closing quote/,
      /Write " where/,
    ],
    ['a key over two lines', '"a\nb": 1\n', { line: 1 }, /key stands on one line/, /on one line/],
  ])('%s', (_what, text, place, message, suggestion) => {
    const [problem] = problemsOf(text);
    expect(problem).toMatchObject({ ...place, message: expect.stringMatching(message) });
    expect(problem?.suggestion).toMatch(suggestion);
  });

  it.each([
    ["a: 'it''", { line: 1, column: 4 }, "Write ' where the text ends. A quote inside it is written ''."],
    ["a: '''", { line: 1, column: 4 }, "Write ' where"],
    ['a: "say \\"', { line: 1, column: 4 }, 'Write " where the text ends. A quote inside it is written \\".'],
    ['a: "\\\\\\"', { line: 1, column: 4 }, 'Write " where'],
    ['a: [x, "\\"', { line: 1, column: 8 }, 'Write " where'],
  ])('no closing quote behind a quote inside, at the end of all: %s', (text, place, suggestion) => {
    const [problem] = problemsOf(text);
    const kind = text.includes('"') ? 'double' : 'single';
    const message = `The text in ${kind} quotes that begins here has no closing quote.`;
    expect(problem).toMatchObject({ ...place, message });
    expect(problem?.suggestion).toContain(suggestion);
  });

  it.each(["a: 'it'''", "a: ''", "a: ''''", 'a: "say \\""', 'a: ""', 'a: "\\\\"', "a: 'it''s'"])(
    'a text that ends is one: %s',
    (text) => {
      expect(problemsOf(text)).toEqual([]);
    },
  );

  it('a JSON document with a line break inside a text says how to write one', () => {
    const read = readDocument('{"openapi": "3.0.0",\n"info": {"title": "one\ntwo" "version": "1"}}');
    expect(read).toMatchObject({ problems: [{ code: 'invalid_json', suggestion: expect.stringContaining('\\n') }] });
  });
});
