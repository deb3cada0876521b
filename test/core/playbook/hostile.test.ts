import { afterEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { Parser } from 'yaml';
import { MAX_LEXEMES } from '../../../core/playbook/limits';
import { parsePlaybook } from '../../../core/playbook/parse-playbook';
import { problems } from './support';

const MILLION = 1_000_000;
const repeat = (text: string, length: number): string => text.repeat(Math.floor(length / text.length));

function bomb(levels: number): string {
  const names = 'abcdefghijklmnop'.slice(0, levels).split('');
  const lines = names.map((name, index) => {
    const inner = index === 0 ? Array(9).fill('x') : Array(9).fill(`*${names[index - 1]}`);
    return `${name}: &${name} [${inner.join(', ')}]`;
  });
  return lines.join('\n');
}

const manySteps = (count: number): string =>
  `id: many\nsteps:\n${Array.from({ length: count }, (_, index) => `- {name: s${index}, step_type: approval}`).join('\n')}`;

describe('P07: texts that attack the parser', () => {
  const cases: [string, string, string][] = [
    ['alias bomb', bomb(10), 'too_many_aliases'],
    ['alias bomb below the alias cap', bomb(6), 'too_many_aliases'],
    ['5 MB', repeat('a: b\n', 5 * MILLION), 'text_too_large'],
    ['1 MB of two-byte letters', 'é'.repeat(MILLION / 2 + 1), 'text_too_large'],
    ['flow depth 10,000', '{a: '.repeat(10_000) + '}'.repeat(10_000), 'too_deep'],
    ['block depth 10,000', '- '.repeat(10_000), 'too_deep'],
    ['explicit keys, depth 10,000', '? '.repeat(10_000), 'too_deep'],
    [
      'depth by indentation',
      Array.from({ length: 1_000 }, (_, index) => `${' '.repeat(index)}a:`).join('\n'),
      'too_deep',
    ],
    ['duplicate keys', 'id: a\nid: b\nsteps: []', 'duplicate_key'],
    ['!!js/function', 'id: !!js/function "function(){}"', 'tag_not_allowed'],
    ['custom tag', 'id: !secret x', 'tag_not_allowed'],
    ['a long tag', `id: !${'t'.repeat(80)} x`, 'tag_not_allowed'],
    ['verbatim tag', 'id: !<tag:yaml.org,2002:js/function> x', 'tag_not_allowed'],
    ['binary', 'id: !!binary aGk=', 'tag_not_allowed'],
    ['directive', '%YAML 1.1\n---\nid: a', 'directive_not_allowed'],
    ['two documents', 'id: a\n---\nid: b', 'multiple_documents'],
    ['a thousand documents', repeat('---\n', MILLION), 'multiple_documents'],
    ['alias to itself', 'id: a\nsteps: &s [*s]', 'unknown_alias'],
    ['alias without anchor', 'id: *nowhere', 'unknown_alias'],
    ['a bomb of aliases without anchors', `id: [${'*a, '.repeat(50)}]`, 'unknown_alias'],
    ['1 MB of brackets', '['.repeat(MILLION), 'too_deep'],
    ['1 MB of empty lists', repeat('[]\n', MILLION), 'text_too_complex'],
    ['1 MB of quotes', '"'.repeat(MILLION), 'text_too_complex'],
    ['1 MB of bad escapes', `"${'\\z'.repeat(MILLION / 2 - 2)}"`, 'invalid_yaml'],
    ['100,000 keys', Array.from({ length: 100_000 }, (_, index) => `k${index}: 1`).join('\n'), 'text_too_complex'],
    ['__proto__', 'id: a\n__proto__: {polluted: true}\nsteps: []', 'invalid_key'],
    ['a mapping as key', '{{a: b}: c}', 'invalid_key'],
    ['infinity', 'id: a\nsteps: []\ninputs: [{name: x, type: number, default: .inf}]', 'invalid_number'],
    [
      'a number that loses digits',
      'id: a\ninputs: [{name: x, type: number, default: 12345678901234567890}]',
      'invalid_number',
    ],
  ];

  afterEach(() => void jest.restoreAllMocks());

  it.each(cases)('%s', (_name, text, code) => {
    const parsed = jest.spyOn(Parser.prototype, 'next');
    const found = problems(text);
    expect(found.map((problem) => problem.code)).toContain(code);
    for (const problem of found) expect(problem.line).toBeGreaterThanOrEqual(1);
    // Parsing costs time: its work has a bound for every text.
    expect(parsed.mock.calls.length).toBeLessThanOrEqual(MAX_LEXEMES);
  });

  it.each([
    ['one', 'a', MILLION],
    ['two', 'é', MILLION / 2],
    ['three', '\u0800', Math.floor(MILLION / 3)],
    ['four', '😀', MILLION / 4],
  ])('a text is measured in bytes: letters of %s', (_count, letter, most) => {
    const codes = (count: number): string[] => problems(letter.repeat(count)).map(({ code }) => code);
    expect(codes(most)).toEqual(['not_a_playbook']);
    expect(codes(most + 1)).toEqual(['text_too_large']);
  });

  it('of aliases that cannot be followed the first is named', () => {
    expect(problems('a: [*b, *c]').map(({ code, column }) => [code, column])).toEqual([['unknown_alias', 5]]);
    expect(problems(bomb(6)).map(({ code }) => code)).toEqual(['too_many_aliases']);
  });

  it('a tag is shown as far as a person reads', () => {
    expect(problems(`id: !${'t'.repeat(59)} x`)[0]?.message).toContain(`The tag !${'t'.repeat(59)} is`);
    expect(problems(`id: !${'t'.repeat(60)} x`)[0]?.message).toContain(`The tag !${'t'.repeat(59)}… is`);
  });

  it('a hundred aliases, lists and mappings inside each other are allowed', () => {
    const codes = (text: string): string[] => problems(text).map(({ code }) => code);
    const aliases = (count: number): string => `a: &a 1\nb: [${'*a, '.repeat(count)}]\n`;
    expect(codes(aliases(100))).not.toContain('too_many_aliases');
    expect(codes(aliases(101))).toEqual(['too_many_aliases']);
    expect(codes('['.repeat(100) + ']'.repeat(100))).not.toContain('too_deep');
    expect(codes('['.repeat(101) + ']'.repeat(101))).toEqual(['too_deep']);
    expect(codes(`${'- '.repeat(100)}a`)).not.toContain('too_deep');
    expect(codes(`${'- '.repeat(103)}a`)).toEqual(['too_deep']);
  });

  it('leaves no trace on prototypes', () => {
    problems(
      'id: a\n__proto__: {polluted: 1}\nsteps: [{name: a, step_type: tool, inputs: {__proto__: {polluted: 1}}}]',
    );
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe('R03: too much of everything', () => {
  it('refuses 10,000 steps at the place where the first one too many begins', () => {
    expect(problems(manySteps(10_000))).toEqual([
      expect.objectContaining({
        code: 'too_many_steps',
        line: 1003,
        column: 3,
        message: expect.stringContaining('at most 1000 steps'),
      }),
    ]);
  });

  it('accepts 1,000 steps', () => {
    expect(parsePlaybook(manySteps(1_000)).plan?.steps).toHaveLength(1_000);
  });

  it('refuses steps that lie more than 20 lists deep', () => {
    const nested = (levels: number): string =>
      levels === 0
        ? '{name: inner, step_type: approval}'
        : `{name: l${levels}, action: parallel, parallel_steps: [${nested(levels - 1)}]}`;
    expect(parsePlaybook(`id: a\nsteps: [${nested(19)}]`).problems).toEqual([]);
    expect(problems(`id: a\nsteps: [${nested(20)}]`)).toEqual([
      expect.objectContaining({ code: 'too_deep', field: 'parallel_steps' }),
    ]);
  });

  it('shows 100 problems and says how many there are', () => {
    const text = `id: a\nsteps:\n${Array.from({ length: 150 }, () => '- {step_type: approval}').join('\n')}`;
    const found = problems(text);
    expect(found).toHaveLength(101);
    expect(found[100]).toEqual({
      severity: 'warning',
      code: 'more_problems',
      message: '50 more problems are not shown. Repair the ones above first.',
    });
  });
});

describe('any text', () => {
  const fragment = fc.constantFrom(
    'id: a',
    'steps:',
    '- name: x',
    '  step_type: tool',
    'inputs:',
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    '|',
    '>',
    '&a',
    '*a',
    '!t',
    '---',
    '...',
    '#',
    ': ',
    '\n',
    '  ',
    '\t',
    'loop:',
    'for_each:',
    'route:',
    'null',
    '~',
    '1e999',
    '\u0000',
    '\ufeff',
    '\u2028',
    '{x}',
    'parallel_steps:',
    'output:',
  );

  it('is answered with a plan or an error, never with an exception', () => {
    const answer = (text: string): void => {
      const { plan, problems: found } = parsePlaybook(text);
      expect(plan === undefined).toBe(found.some((problem) => problem.severity === 'error'));
    };
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), answer), { numRuns: 150 });
    fc.assert(
      fc.property(
        fc.array(fragment, { maxLength: 40 }).map((parts) => parts.join('')),
        answer,
      ),
      { numRuns: 200 },
    );
    fc.assert(
      fc.property(
        fc.array(fragment, { maxLength: 40 }).map((parts) => parts.join('\n')),
        answer,
      ),
      { numRuns: 200 },
    );
  });

  it('JSON of any shape is answered too', () => {
    const keys = fc.constantFrom(
      'id',
      'steps',
      'name',
      'step_type',
      'action',
      'inputs',
      'params',
      'output',
      'for_each',
      'loop',
      'route',
      'routes',
      'parallel_steps',
      'on',
      'items',
      'until',
      'triggers',
      'x',
    );
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.jsonValue({ maxDepth: 1 }),
        fc.constantFrom('tool', 'approval', 'llm_task', 'transform_data', '{a.b}'),
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(keys, tie('tree'), { maxKeys: 6 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        const { plan, problems: found } = parsePlaybook(JSON.stringify(value));
        expect(plan === undefined).toBe(found.some((problem) => problem.severity === 'error'));
      }),
      { numRuns: 200 },
    );
  });
});
