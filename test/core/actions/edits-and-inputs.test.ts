import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import { editSchema, fieldSchema } from '../../../core/actions/edit-schema';
import { getContract } from '../../../core/actions/registry';
import { renderInputs } from '../../../core/actions/render-inputs';
import type { FieldSpec } from '../../../core/actions/types';

describe('what a person may give in place of inputs', () => {
  it.each<[Partial<FieldSpec>, JsonObject]>([
    [{ type: 'string' }, { type: 'string' }],
    [{ type: 'date' }, { type: 'string' }],
    [{ type: 'number' }, { type: 'number' }],
    [{ type: 'integer' }, { type: 'integer' }],
    [{ type: 'boolean' }, { type: 'boolean' }],
    [{ type: 'object' }, { type: 'object' }],
    [{ type: 'record' }, { type: 'object' }],
    [{ type: 'string[]' }, { type: 'array' }],
    [{ type: 'record_set' }, { type: 'array' }],
    [{ type: 'list' }, { type: 'array' }],
    [{ type: 'any' }, {}],
    [
      { type: 'string', enum: ['a', 'b'] },
      { type: 'string', enum: ['a', 'b'] },
    ],
    [{ type: 'any', enum: ['a'] }, { enum: ['a'] }],
  ])('of the field %j is %j', (field, schema) => {
    expect(fieldSchema({ name: 'x', ...field } as FieldSpec)).toStrictEqual(schema);
  });

  it('are the inputs of the action and those that the step has', () => {
    const names = getContract('write_journal_entry')?.inputs.map(({ name }) => name) ?? [];
    const schema = editSchema('write_journal_entry', { summary: 'x', own: 1 });
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
    const properties = schema?.['properties'] as JsonObject;
    expect(Object.keys(properties)).toEqual([...names, 'own']);
    expect([properties['summary'], properties['own']]).toEqual([{ type: 'string' }, {}]);
    expect(Object.keys(editSchema('write_journal_entry', 'none')?.['properties'] as JsonObject)).toEqual(names);
  });

  it('are unknown for an action that is', () => {
    expect(editSchema('nothing', { a: 1 })).toBeUndefined();
  });
});

it.each<[string, Json]>([
  ['run_playbook', { a: 1, nil: null }],
  ['call_connector', { a: 1, nil: null }],
  ['route_output', { a: 1, nil: null }],
  ['$output', { a: 1, nil: null }],
  ['write_journal_entry', { a: 1, gone: null, nil: null }],
  ['transform_data', { a: 1, gone: null, nil: null }],
])('inputs of %s that refer to what is not there: %j', (action, inputs) => {
  const lookup = ({ text }: { text: string }): Json | undefined => (text === 'a' ? 1 : undefined);
  expect(renderInputs(action, { a: '{a}', gone: '{gone}', nil: null }, lookup)).toStrictEqual(inputs);
});
