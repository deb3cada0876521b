import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readSource } from '../../../core/playbook/source';
import { scalarOffset } from '../../../core/playbook/scalar-offset';
import type { SourceDocument } from '../../../core/playbook/source-document';
import { problems, spots } from './support';

function documentOf(text: string): SourceDocument {
  const { document, problems: list } = readSource(text);
  if (!document) throw new Error(JSON.stringify(list.sorted()));
  return document;
}

/** The rest of the line at the place of a mark inside a scalar. */
function at(text: string, mark: string): string {
  const document = documentOf(text);
  const node = document.find(['a']);
  if (node?.kind !== 'scalar' || typeof node.value !== 'string') throw new Error('no text');
  return text.slice(document.offsetInside(node, node.value.indexOf(mark))).split('\n')[0] ?? '';
}

describe('a character of a value stands where it is written', () => {
  it.each([
    ['plain', 'a: one {two} three', '{two} three'],
    ['double quotes', 'a: "one \\"x\\" {two}"', '{two}"'],
    ['escapes', 'a: "\\u0041\\n\\x41\\t\\U0001F600 {two}"', '{two}"'],
    ['escaped white space', 'a: "\\x20\\u000a\\x09\\x0d{two}"', '{two}"'],
    ['single quotes', "a: 'it''s {two}'", "{two}'"],
    ['literal block', 'a: |\n   first\n\n   then {two}\n', '{two}'],
    ['folded block with indicators', 'a: >-  # why\n   first\n   then {two}\n', '{two}'],
    ['plain over several lines', 'a: first\n   second\n   {two} x', '{two} x'],
    ['line continuation', 'a: "first \\\n   then {two}"', '{two}"'],
    ['anchor before it', 'a: &x "one {two}"', '{two}"'],
    ['CRLF', 'a: |\r\n  first\r\n  then {two}\r\n', '{two}\r'],
  ])('%s', (_name, text, expected) => expect(at(text, '{two}')).toBe(expected));

  it('holds for any text in JSON quotes', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme-ascii', maxLength: 30 }),
        fc.string({ maxLength: 10 }),
        (before, after) => {
          const value = `${before}§${after.replaceAll('§', '')}`;
          const source = JSON.stringify(value.replaceAll('\u007f', ''));
          const index = value.replaceAll('\u007f', '').indexOf('§');
          expect(source[scalarOffset(source, JSON.parse(source) as string, index)]).toBe('§');
        },
      ),
    );
  });
});

describe('problems say where', () => {
  it('points at the value, at the key for an unknown field, at the step for a missing one', () => {
    const text = [
      'id: Bad Id',
      'nmae: x',
      'steps:',
      '  - step_type: tool',
      '    action: query_journal',
      '    retry_count: -1',
      '    on_eror: stop',
    ].join('\n');
    expect(spots(text)).toEqual([
      '1:5 invalid_name',
      '2:1 unknown_field',
      '4:5 missing_field',
      '6:18 invalid_value',
      '7:5 unknown_field',
    ]);
  });

  it('says what was expected and what to do', () => {
    expect(problems('id: Bad Id\nsteps: [{name: a, step_type: aproval}]')).toEqual([
      {
        severity: 'error',
        code: 'invalid_name',
        message: '`id` is "Bad Id", but it must be lower-case words joined by -, at most 100 characters.',
        field: 'id',
        suggestion: 'Write bad-id.',
        line: 1,
        column: 5,
      },
      {
        severity: 'error',
        code: 'invalid_value',
        message: '`step_type` is "aproval", but it must be one of tool, llm_task, approval.',
        step: 'a',
        field: 'step_type',
        suggestion: 'Write approval.',
        line: 2,
        column: 30,
      },
    ]);
  });

  it('say no more than there is to say', () => {
    expect(problems('id: 5\nsteps: [{step_type: 7, name: a, action: query_journal}]\noutput: 5')).toStrictEqual([
      {
        severity: 'error',
        code: 'invalid_type',
        message: '`id` is the number 5, but text is expected.',
        field: 'id',
        suggestion: 'Write "5".',
        line: 1,
        column: 5,
      },
      {
        severity: 'error',
        code: 'invalid_type',
        message: '`step_type` is the number 7, but text is expected.',
        step: 'a',
        field: 'step_type',
        suggestion: 'Write "7".',
        line: 2,
        column: 21,
      },
      {
        severity: 'error',
        code: 'invalid_type',
        message: '`output` is the number 5, but a mapping is expected.',
        field: 'output',
        line: 3,
        column: 9,
      },
    ]);
    expect(problems('id: a\nexecution_mode: xyz\nsteps: [{name: a, step_type: approval}]')).toStrictEqual([
      {
        severity: 'error',
        code: 'invalid_value',
        message: '`execution_mode` is "xyz", but it must be one of deterministic, llm_augmented, hybrid.',
        field: 'execution_mode',
        line: 2,
        column: 17,
      },
    ]);
    expect(problems('[]')).toStrictEqual([
      {
        severity: 'error',
        code: 'not_a_playbook',
        message: 'A playbook is a mapping, and this is a list.',
        suggestion: 'Begin with `id: my-playbook` and `steps:`.',
        line: 1,
        column: 1,
      },
    ]);
  });

  it.each([
    ['text', 'text'],
    ['5', 'the number 5'],
    ['true', 'true'],
    ['false', 'false'],
    ['[]', 'a list'],
    ['{}', 'a mapping'],
  ])('call %s %s', (value, name) => {
    const [first] = problems(`id: a\ntags: [{x: y}]\nsteps: ${value}`).filter(({ field }) => field === 'steps');
    if (value === '[]') expect(first?.code).toBe('empty_list');
    else expect(first?.message).toContain(`is ${name}, but a list is expected`);
  });

  it.each([
    ['step_type: approval, action: query_journal', 'tool step, llm_task step, parallel step, run_playbook step'],
    ['step_type: tool, action: query_journal, prompt: x', 'approval step'],
    ['action: run_playbook, playbook: x, output_schema: {fields: []}', 'llm_task step'],
    ['step_type: approval, connector: x', 'tool steps'],
    [
      'loop: {until: x, max_iterations: 1, steps: [{name: b, step_type: approval}]}, parallel_steps: [{name: c, step_type: approval}]',
      'parallel step',
    ],
  ])('name the steps that a field belongs to: {%s}', (fields, owners) => {
    const found = problems(`id: a\nsteps: [{name: a, ${fields}}]`).find(({ code }) => code === 'field_not_allowed');
    expect(found?.suggestion).toBe(`It belongs to ${owners}. Remove it here.`);
  });

  it('of a step without a usable name have a stand-in for it', () => {
    const found = problems('id: a\nsteps: [{name: "a b", step_type: tool}, {step_type: tool}]');
    expect(found.map(({ code, step, field }) => [code, step, field])).toEqual([
      ['missing_field', 'step_1', 'action'],
      ['invalid_name', undefined, 'steps[0].name'],
      ['missing_field', undefined, 'steps[1].name'],
      ['missing_field', 'step_2', 'action'],
    ]);
  });

  it('what the language does not have keeps its place', () => {
    expect(spots('id: a\n\nname: [x, !secret y]')).toEqual(['3:11 tag_not_allowed']);
    expect(spots('id: a\nname: "x\\z"')).toEqual(['2:7 invalid_yaml']);
    expect(spots('id: |\n  a\n---\nid: b')).toEqual(['3:1 multiple_documents']);
  });

  it('syntax errors keep their place', () => {
    expect(spots('id: a\nsteps:\n  - name: "x\n')).toEqual([expect.stringMatching(/^\d+:\d+ invalid_yaml$/)]);
    expect(spots('id: a\n\tsteps: []')).toEqual([expect.stringMatching(/^2:\d+ invalid_yaml$/)]);
  });

  it('a bracket that nobody closed is named as such', () => {
    const suggestion = 'Close the bracket that was opened above, and indent the lines in it.';
    for (const text of ['id: a\nname: [open\nsteps: []', 'id: a\nsteps:\n  - {name: b\nname: c'])
      expect(problems(text)).toContainEqual(expect.objectContaining({ code: 'invalid_yaml', suggestion }));
  });

  it('an unquoted reference is named as such', () => {
    const text =
      'id: a\nsteps:\n  - name: x\n    step_type: tool\n    action: search_web\n    inputs: {query: {company}}';
    expect(problems(text)).toContainEqual(
      expect.objectContaining({ code: 'unquoted_reference', line: 6, column: 21, suggestion: 'Write "{company}".' }),
    );
  });

  it('leading zeros are not lost silently', () => {
    const text =
      'id: a\nsteps:\n  - name: x\n    step_type: approval\n    prompt: "a"\ninputs:\n  - {name: ein, type: any, default: 042103594}';
    expect(problems(text)).toEqual([
      expect.objectContaining({
        severity: 'warning',
        code: 'leading_zero',
        line: 7,
        suggestion: 'Write "042103594" to keep them.',
      }),
    ]);
  });
});

describe('places of all problems', () => {
  it('all problems of a text come at once, in its order', () => {
    const text =
      'id: A\nnam: x\nsteps:\n  - {name: a, step_type: approval, prompt: 7}\n  - {nome: b, step_type: approval}\noutput: {format: pdf}';
    expect(spots(text)).toEqual([
      '1:5 invalid_name',
      '2:1 unknown_field',
      '4:44 invalid_type',
      '5:5 missing_field',
      '5:6 unknown_field',
      '6:18 invalid_value',
    ]);
  });
});

describe('a document', () => {
  const text = 'a:\n  b: [x, {c: 1}]\n  d: "y z"\n5: n\n';
  const document = documentOf(text);
  const rest = (offset: number): string => text.slice(offset).split('\n')[0] ?? '';

  it.each<[(string | number)[], string | undefined, string, string]>([
    [[], 'map', 'a:', 'a:'],
    [['a'], 'map', 'b: [x, {c: 1}]', 'a:'],
    [['a', 'b'], 'list', '[x, {c: 1}]', 'b: [x, {c: 1}]'],
    [['a', 'b', 0], 'scalar', 'x, {c: 1}]', 'x, {c: 1}]'],
    [['a', 'b', 1, 'c'], 'scalar', '1}]', 'c: 1}]'],
    [['a', 'b', 2], undefined, '[x, {c: 1}]', '[x, {c: 1}]'],
    [['a', 'b', 'c'], undefined, '[x, {c: 1}]', '[x, {c: 1}]'],
    [['a', 'e'], undefined, 'b: [x, {c: 1}]', 'b: [x, {c: 1}]'],
    [['a', 'd', 'e'], undefined, '"y z"', '"y z"'],
    [['e', 'f'], undefined, 'a:', 'a:'],
    [[5], 'scalar', 'n', 'n'],
    [['5'], 'scalar', 'n', '5: n'],
  ])('at %j has %s, at %s, with the key at %s', (path, kind, value, key) => {
    expect([document.find(path)?.kind, rest(document.offsetOf(path)), rest(document.keyOffsetOf(path))]).toEqual([
      kind,
      value,
      key,
    ]);
  });

  it('has places in texts alone', () => {
    const at = (path: (string | number)[], index: number): string =>
      rest(document.offsetInside(document.find(path)!, index));
    expect(at(['a', 'd'], 2)).toBe('z"');
    expect(at(['a', 'b', 1, 'c'], 1)).toBe('1}]');
    expect(at(['a', 'b'], 1)).toBe('[x, {c: 1}]');
  });
});
