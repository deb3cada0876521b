import { expect } from '@jest/globals';
import type { Problem } from '../../../core/errors/problem';
import type { Catalogue, ConnectorEntry, PlaybookEntry } from '../../../core/validate/catalogue';
import { validatePlaybook } from '../../../core/validate/validate-playbook';

const IRS: ConnectorEntry = {
  slug: 'irs',
  type: 'file_parser',
  endpoints: {
    filings: {
      parameters: [
        { name: 'ein', type: 'string', required: true },
        { name: 'since', type: 'date' },
        { name: 'limit', type: 'integer', default: 10, required: true },
        { name: 'kinds', type: 'array', enum: ['a', 'b'], nullable: false },
      ],
      outputs: [
        {
          name: 'results',
          type: 'record[]',
          fields: [
            { name: 'ein', type: 'string' },
            { name: 'revenue', type: 'number' },
            { name: 'officers', type: 'record[]', fields: [{ name: 'name', type: 'string' }] },
          ],
        },
        { name: 'count', type: 'integer' },
      ],
      effect: 'none',
    },
    submit: { parameters: [{ name: 'note', type: 'string' }], outputs: [], effect: 'unsafe' },
  },
};

const PLAYBOOKS: { [slug: string]: PlaybookEntry } = {
  child: {
    inputs: [
      { name: 'company', type: 'entity_name', required: true },
      { name: 'rows', type: 'list', required: false },
    ],
    calls: [],
    execution_mode: 'deterministic',
  },
  chatty: { inputs: [], calls: [], execution_mode: 'hybrid' },
  back: { inputs: [], calls: ['middle'], execution_mode: 'deterministic' },
  middle: { inputs: [], calls: ['test'], execution_mode: 'deterministic' },
  ...Object.fromEntries(
    [1, 2, 3, 4, 5, 6].map((level) => [`deep${level}`, { inputs: [], calls: level < 6 ? [`deep${level + 1}`] : [] }]),
  ),
};

export const CATALOGUE: Catalogue = {
  connector: (slug) => (slug === 'irs' ? IRS : undefined),
  connectorSlugs: () => ['irs'],
  playbook: (slug) => (Object.hasOwn(PLAYBOOKS, slug) ? PLAYBOOKS[slug] : undefined),
  playbookSlugs: () => Object.keys(PLAYBOOKS),
};

/** Expectation about a problem: the code, the text it points at, and words of its message. */
export interface Expected {
  code: string;
  /** The text at its place. */
  at: string;
  message?: string;
  suggestion?: string | undefined;
  step?: string;
  field?: string;
  severity?: Problem['severity'];
}

export function validate(text: string): Problem[] {
  return validatePlaybook(text, CATALOGUE).problems;
}

/** Every problem of the text, exactly: nothing more, nothing less, in this order. */
export function expectProblems(text: string, expected: Expected[]): void {
  const found = validate(text);
  const shown = found.map((problem, index) => describe(text, problem, expected[index]));
  expect(shown).toEqual(expected);
}

/** Checks the problems of these codes only. */
export function expectOnly(text: string, codes: string[], expected: Expected[]): void {
  const found = validate(text).filter((problem) => codes.includes(problem.code));
  expect(found.map((problem, index) => describe(text, problem, expected[index]))).toEqual(expected);
}

function describe(text: string, problem: Problem, expected: Expected | undefined): Expected {
  const line = text.split('\n')[(problem.line ?? 1) - 1] ?? '';
  const at = line.slice((problem.column ?? 1) - 1);
  const wanted = expected?.at ?? at;
  const all: { [key: string]: unknown } = { ...problem, at: at.startsWith(wanted) ? wanted : at };
  const keys = ['code', 'at', ...Object.keys(expected ?? { message: 0 })];
  return Object.fromEntries([...new Set(keys)].map((key) => [key, all[key]])) as unknown as Expected;
}

/** Each problem of this code as `step field`. */
export function placesOf(text: string, code: string): string[] {
  return validate(text).flatMap((problem) =>
    problem.code === code ? [`${problem.step ?? ''} ${problem.field ?? ''}`.trim()] : [],
  );
}

/** A playbook named `test` with these steps and, before them, these lines. */
export function playbook(steps: string, head = ''): string {
  return `id: test\n${head}${head === '' ? '' : '\n'}steps:\n${steps.replace(/^\n/, '')}`;
}

export const COMPANY =
  'inputs: [{name: company, type: entity_name, required: true}, {name: since, type: date}, {name: names, type: list}, {name: top, type: integer}]';
/** A step `pull` with `results` and `count`. */
export const PULL =
  '  - {name: pull, step_type: tool, action: call_connector, connector: irs, endpoint: filings, inputs: {ein: "{company}"}}\n';
export const SAVE = 'step_type: tool, action: save_to_workspace, params: {table_name: t}';
/** A gate. */
export const ask = (name: string, more = ''): string => `{name: ${name}, step_type: approval${more}}`;
