import { describe, expect, it } from '@jest/globals';
import { coerceInputs, coerceParams } from '../../../core/actions/coerce';

describe('conversions that validation promises', () => {
  it('a single text becomes a list of one where a list of text is expected', () => {
    expect(coerceInputs('write_journal_entry', { summary: 'x', entities_mentioned: 'Acme' })).toEqual({
      summary: 'x',
      entities_mentioned: ['Acme'],
    });
    expect(coerceParams('research_with_tools', { tools: 'query_journal' })).toEqual({ tools: ['query_journal'] });
  });

  it.each([
    ['write_journal_entry', { summary: 'x', entities_mentioned: ['a', 'b'] }],
    ['write_journal_entry', { summary: 'x', entities_mentioned: null }],
    ['write_journal_entry', { entities_mentioned: 7 }],
    ['save_to_workspace', { data: 'x' }],
    ['no_such_action', { tools: 'x' }],
    ['constructor', {}],
  ])('%s keeps %j', (action, inputs) => expect(coerceInputs(action, inputs)).toBe(inputs));
});
