import { opt, out, req } from './define';
import type { ActionContract, FieldSpec } from './types';

/**
 * The operations of `transform_data`, by name: what a person may write, checked at validation.
 * The implementation is core/transform.
 */
export interface OperationSpec {
  description: string;
  fields: FieldSpec[];
  /** Groups of fields; of each at least one must be written. */
  one_of?: string[][];
}

export const FILTER_OPERATORS = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'contains',
  'not_contains',
  'in',
  'not_in',
  'starts_with',
  'ends_with',
  'is_null',
  'not_null',
];
const WINDOW_FUNCTIONS = ['row_number', 'rank', 'dense_rank', 'sum', 'avg', 'min', 'max', 'count', 'first', 'last'];
export const METRIC_NAMES = ['sum', 'avg', 'min', 'max', 'count', 'first', 'last', 'list'];

/** Strings under this key are expressions over a row's own fields: the run does not fill in references there. */
export const ROW_EXPRESSION_KEY = 'expression';

const DIRECTION = opt('direction', 'string', 'Direction of the order.', { enum: ['asc', 'desc'], default: 'asc' });
const FIELD = opt('field', 'string', 'Field of the row; a dot leads into a record.');
const FIELDS = opt('fields', 'any', 'Field names, or {field, as} to rename.');
const GROUP_BY = opt('group_by', 'any', 'Fields that form a group.');
const IGNORE_CASE = opt('case_insensitive', 'boolean', 'Letter case makes no difference.', { default: false });
const WITH = req('with', 'any', 'Name of another input of the step.');
const EXPRESSION = opt('expression', 'string', 'Expression over the fields of the row, for example `{pay} > 100`.');

const METRIC: FieldSpec[] = [
  opt('op', 'string', 'How values are combined.', { enum: METRIC_NAMES }),
  FIELD,
  opt('as', 'string', 'Name of the result.'),
];

const WINDOW: FieldSpec[] = [
  opt('op', 'string', 'Place, or metric over the rows up to this one.', { enum: WINDOW_FUNCTIONS }),
  FIELD,
  opt('as', 'string', 'Name of the column.'),
];

export const TRANSFORM_OPERATIONS: Readonly<Record<string, OperationSpec>> = {
  filter: {
    description: 'Keeps rows that satisfy a comparison or an expression.',
    fields: [
      FIELD,
      opt('operator', 'string', 'Comparison.', { enum: FILTER_OPERATORS, default: 'eq' }),
      opt('value', 'any', 'Value to compare with.'),
      IGNORE_CASE,
      EXPRESSION,
    ],
    one_of: [['field', 'expression']],
  },
  sort: {
    description: 'Orders rows; empty values come last.',
    fields: [FIELD, DIRECTION, FIELDS, opt('by', 'any', 'Several keys: names or {field, direction}.')],
    one_of: [['field', 'by', 'fields']],
  },
  aggregate: {
    description: 'One row a group, with metrics over its rows.',
    fields: [
      GROUP_BY,
      opt('metrics', 'object[]', 'Metrics as {op, field, as}.', { fields: METRIC }),
      ...METRIC,
      opt('operator', 'string', 'Another name of `op`.', { enum: METRIC_NAMES }),
      opt('function', 'string', 'Another name of `op`.', { enum: METRIC_NAMES }),
    ],
    one_of: [['metrics', 'op', 'operator', 'function']],
  },
  deduplicate: {
    description: 'Keeps one row of each set of equal ones; without fields whole rows are compared.',
    fields: [
      FIELD,
      FIELDS,
      opt('keep', 'string', 'Which one stays.', { enum: ['first', 'last'], default: 'first' }),
      IGNORE_CASE,
    ],
  },
  limit: {
    description: 'Keeps a number of rows from an offset on.',
    fields: [
      opt('count', 'integer', 'Rows to keep.'),
      opt('value', 'integer', 'Another name of `count`.'),
      opt('limit', 'integer', 'Another name of `count`.'),
      opt('offset', 'integer', 'Rows to leave out first.', { default: 0 }),
    ],
    one_of: [['count', 'value', 'limit', 'offset']],
  },
  select: { description: 'Keeps exactly these columns.', fields: [FIELD, FIELDS], one_of: [['fields', 'field']] },
  rename: {
    description: 'Renames columns.',
    fields: [opt('fields', 'object', 'Old name to new name.'), opt('mapping', 'object', 'Another name of `fields`.')],
    one_of: [['fields', 'mapping']],
  },
  compute: {
    description:
      'Adds columns from expressions over the fields of the row; the other inputs of the step are known too.',
    fields: [
      opt('fields', 'object[]', 'Columns as {as, expression}.', {
        fields: [req('as', 'string', 'Name of the column.'), EXPRESSION],
      }),
      opt('as', 'string', 'Name of the column.'),
      EXPRESSION,
    ],
    one_of: [['fields', 'expression']],
  },
  flatten: {
    description: 'One row for each element of a list field.',
    fields: [
      req('field', 'string', 'The list field.'),
      opt('as', 'string', 'Column for the element; without it the fields of a record become columns.'),
      opt('keep', 'any', 'Fields of the parent to keep: names or {field, as}.'),
      opt('keep_empty', 'boolean', 'Keep a row whose list is empty.', { default: false }),
    ],
  },
  join: {
    description: 'Joins rows with those of another input by equal fields.',
    fields: [
      WITH,
      req('on', 'any', 'Field name, list of names, or {left, right}.'),
      opt('how', 'string', 'What happens to rows without a partner.', {
        enum: ['inner', 'left', 'right', 'full'],
        default: 'inner',
      }),
      opt('prefix', 'string', 'Put before the names of the other columns.'),
      IGNORE_CASE,
    ],
  },
  previous: {
    description: 'Adds fields of the row before it in the group.',
    fields: [
      GROUP_BY,
      opt('order_by', 'any', 'Order inside the group: names or {field, direction}.'),
      DIRECTION,
      FIELD,
      FIELDS,
      opt('prefix', 'string', 'Put before the names of the fields.', { default: 'previous_' }),
    ],
    one_of: [['fields', 'field']],
  },
  zip: {
    description: 'Puts the rows of another input beside the own ones, the first beside the first.',
    fields: [WITH, opt('prefix', 'string', 'Put before the names of the other columns.')],
  },
  pivot: {
    description: 'One row a group, with a column for each value of a field.',
    fields: [
      GROUP_BY,
      req('column', 'string', 'Field whose values name the columns.'),
      opt('value', 'string', 'Field whose values fill the columns.'),
      opt('op', 'string', 'How several values of a cell are combined.', { enum: METRIC_NAMES, default: 'first' }),
      opt('columns', 'any', 'Values that become columns, in this order; all when left out.'),
      opt('prefix', 'string', 'Put before the names of the columns.'),
    ],
  },
  unpivot: {
    description: 'One row for each of several columns, with its name and its value.',
    fields: [
      FIELD,
      FIELDS,
      opt('name_as', 'string', 'Column for the name.', { default: 'name' }),
      opt('value_as', 'string', 'Column for the value.', { default: 'value' }),
      opt('keep', 'any', 'Other fields to keep: names or {field, as}; all when left out.'),
    ],
    one_of: [['fields', 'field']],
  },
  window: {
    description: 'Adds places and running metrics inside a group.',
    fields: [
      GROUP_BY,
      opt('order_by', 'any', 'Order inside the group: names or {field, direction}.'),
      DIRECTION,
      opt('fields', 'object[]', 'Columns as {op, field, as}.', { fields: WINDOW }),
      ...WINDOW,
    ],
    one_of: [['fields', 'op']],
  },
  chunk: {
    description: 'One row for each so many rows, which it holds as a list.',
    fields: [
      opt('size', 'integer', 'Rows in each chunk.'),
      opt('count', 'integer', 'Another name of `size`.'),
      opt('as', 'string', 'Column for the list.', { default: 'rows' }),
    ],
    one_of: [['size', 'count']],
  },
  sample: {
    description: 'Takes some rows by chance, the same ones for the same seed.',
    fields: [
      opt('count', 'integer', 'Rows to take.'),
      opt('value', 'integer', 'Another name of `count`.'),
      opt('seed', 'integer', 'Another number gives another sample.', { default: 1 }),
    ],
    one_of: [['count', 'value']],
  },
  concat: { description: 'Appends the rows of other inputs.', fields: [WITH] },
};

/** Left out of a result that has none. */
export const WARNINGS = out(
  'warnings',
  'record[]',
  'What is not in the result, and what was asked for that is not there.',
  [
    out('code', 'string', 'For example `unknown_field`, `not_comparable`, `no_key`, `limited`.'),
    out('message', 'string', 'What it is, with the first record that it is about.'),
    out('operation', 'integer', 'Number of the operation.'),
    out('field', 'string', 'Field that it is about.'),
    out('count', 'integer', 'How many records.'),
  ],
);

export const TRANSFORM_ACTIONS: ActionContract[] = [
  {
    name: 'transform_data',
    group: 'transform',
    description: 'Filters, sorts, aggregates or reshapes records by a list of operations.',
    step_type: 'tool',
    inputs: [req('data', 'record[]', 'Records to transform.')],
    params: [req('operations', 'object[]', 'Operations, applied in order; each has a `type`.')],
    outputs: [
      out('data', 'record[]', 'Records after the last operation.'),
      out('count', 'integer', 'Number of records.'),
      WARNINGS,
    ],
    open_inputs: true,
    dynamic: 'input_shape',
    short: true,
    pure: true,
    effect: 'none',
    available: true,
  },
];
