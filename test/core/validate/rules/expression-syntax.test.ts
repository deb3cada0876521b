import { describe, expect, it } from '@jest/globals';
import { expectOnly, playbook, validate } from '../harness';

const CODES = ['nonexistent_step', 'unresolved_reference', 'invalid_expression'];

describe('expressions can be read', () => {
  it.each([
    ['condition: "{a.count} >"', '', 'condition'],
    ['condition: "{a.count > 3"', '> 3', 'condition'],
    ['prompt: "{a..b}"', '.b', 'prompt'],
    ['preview_from: "a[x]"', 'x]', 'preview_from'],
  ])('%s', (field, at, name) => {
    const text = playbook(
      `  - {name: a, step_type: tool, action: query_journal}\n  - name: b\n    step_type: approval\n    ${field}`,
    );
    const found = validate(text).filter((problem) => problem.code === 'invalid_expression');
    expect(found).toEqual([expect.objectContaining({ step: 'b', field: name, line: 6 })]);
    const column = (found[0]?.column ?? 0) - 1;
    if (at !== '') expect(text.split('\n')[5]?.slice(column)).toContain(at);
  });

  it('finds the place inside a block of text', () => {
    const text = playbook(
      '  - name: b\n    step_type: approval\n    prompt: |\n      First line.\n      Second {nope.x} line.\n',
    );
    expectOnly(text, CODES, [{ code: 'nonexistent_step', at: 'nope.x} line.' }]);
  });
});
