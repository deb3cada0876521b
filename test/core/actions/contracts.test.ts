import { expect, it } from '@jest/globals';
import { jsonText } from '../../../core/base/json-text';
import { DESTINATIONS } from '../../../core/actions/destinations';
import { recordsInput } from '../../../core/actions/option-reader';
import { listContracts } from '../../../core/actions/registry';
import { TRANSFORM_OPERATIONS } from '../../../core/actions/transform';
import type { FieldSpec } from '../../../core/actions/types';

/** `name!` is required, `name=x` has a default, `name{a,b}` has fields. */
const shown = ({ name, required, default: standard, fields }: FieldSpec): string =>
  [
    name,
    required === true ? '!' : '',
    standard === undefined ? '' : `=${jsonText(standard)}`,
    fields === undefined ? '' : `{${fields.map((field) => field.name).join(',')}}`,
  ].join('');

it('params that name something are written out: no template stands in for them', () => {
  const literal = listContracts().flatMap(({ name, inputs, params }) =>
    [...inputs, ...params].filter((field) => field.literal === true).map((field) => `${name}.${field.name}`),
  );
  expect(literal).toEqual([
    'call_connector.connector',
    'call_connector.endpoint',
    'extract_entities.rules_from',
    'research_with_tools.tools',
    'run_playbook.playbook',
    'run_playbook.version',
  ]);
});

it.each([
  ['document', true, undefined, 'filename_template filename folder_id folder create_if_missing=true'],
  ['folder', true, ['folder_id', 'folder'], 'filename_template filename folder_id folder create_if_missing=true'],
  ['file_export', true, undefined, 'filename_template filename'],
  [
    'data_workspace_table',
    true,
    undefined,
    'workspace_id table_name section upsert_key deduplication_key schema_mapping create_if_missing=true',
  ],
  ['append_to_existing', true, ['document_id', 'document'], 'document_id document'],
  ['chat', true, undefined, ''],
  ['knowledge_graph', false, undefined, ''],
  ['data_workspace_db', false, undefined, ''],
] as const)('the destination %s', (type, available, oneOf, config) => {
  const spec = DESTINATIONS[type];
  expect([spec.available, spec.one_of, spec.config.map(shown).join(' ')]).toEqual([available, oneOf, config]);
});

it.each([
  ['filter', [['field', 'expression']], 'field operator=eq value case_insensitive=false expression'],
  ['sort', [['field', 'by', 'fields']], 'field direction=asc fields by'],
  [
    'aggregate',
    [['metrics', 'op', 'operator', 'function']],
    'group_by metrics{op,field,as} op field as operator function',
  ],
  ['deduplicate', undefined, 'field fields keep=first case_insensitive=false'],
  ['limit', [['count', 'value', 'limit', 'offset']], 'count value limit offset=0'],
  ['select', [['fields', 'field']], 'field fields'],
  ['rename', [['fields', 'mapping']], 'fields mapping'],
  ['compute', [['fields', 'expression']], 'fields{as,expression} as expression'],
  ['flatten', undefined, 'field! as keep keep_empty=false'],
  ['join', undefined, 'with! on! how=inner prefix case_insensitive=false'],
  ['previous', [['fields', 'field']], 'group_by order_by direction=asc field fields prefix=previous_'],
  ['zip', undefined, 'with! prefix'],
  ['pivot', undefined, 'group_by column! value op=first columns prefix'],
  ['unpivot', [['fields', 'field']], 'field fields name_as=name value_as=value keep'],
  ['window', [['fields', 'op']], 'group_by order_by direction=asc fields{op,field,as} op field as'],
  ['chunk', [['size', 'count']], 'size count as=rows'],
  ['sample', [['count', 'value']], 'count value seed=1'],
  ['concat', undefined, 'with!'],
])('the operation %s', (type, oneOf, fields) => {
  const operation = TRANSFORM_OPERATIONS[type];
  expect([operation?.one_of, operation?.fields.map(shown).join(' ')]).toEqual([oneOf, fields]);
});

it('records that are none are refused in a sentence', () => {
  expect(() => recordsInput(undefined, 'data')).toThrow(/^`data` is empty: expected a list of records\./);
  expect(() => recordsInput([5], 'data')).toThrow(/^Element 0 of `data`|^Row 0|^[A-Z`]/);
});
