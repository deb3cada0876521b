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
