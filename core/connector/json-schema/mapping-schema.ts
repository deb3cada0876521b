import { MAX_DESCRIPTION } from '../limits';
import { DOCS, FIELD_TYPE, NAME } from '../patterns';
import { OPS } from '../rule-reader';
import { RESULTS_KINDS, SCHEMA_KINDS, TESTED } from '../types';
import { anything, choice, constant, flag, list, literal, map, object, ref, type Schema, text } from './parts';

const DESCRIPTION: Schema = text('For people and models', { max: MAX_DESCRIPTION });

type Op = (typeof OPS)[number];

const OP_FIELDS: Record<Op, { description: string; properties: Record<string, Schema>; required: string[] }> = {
  trim: { description: 'Without blanks around it', properties: {}, required: [] },
  number: {
    description:
      'A number out of a text; thousands separators, one currency sign and parentheses for minus are understood',
    properties: { decimal: choice('Decimal sign', ['.', ','], '.') },
    required: [],
  },
  date: {
    description: 'An ISO date or instant',
    properties: {
      format: text('`unix`, `unix_ms`, or YYYY, MM, DD, HH, mm, ss and literal characters, such as `MM/DD/YYYY`', {
        max: 100,
      }),
    },
    required: ['format'],
  },
  split: {
    description: 'A list out of a text',
    properties: { separator: literal('Literal text', 1) },
    required: ['separator'],
  },
  replace: {
    description: 'Every occurrence replaced',
    properties: { find: literal('Literal text', 1), with: literal('What comes in its place', 0) },
    required: ['find', 'with'],
  },
  map: {
    description: 'One value for another',
    properties: {
      values: { ...map('Value as text → new value', {}), minProperties: 1 },
      otherwise: anything('For all other values; absent: they stay as they are'),
    },
    required: ['values'],
  },
};

const TRANSFORM: Schema = {
  description: 'One change of a value. In a list each element is changed',
  oneOf: [
    choice('A change without settings', ['trim', 'number']),
    ...OPS.map((op) => {
      const { description, properties, required } = OP_FIELDS[op];
      return object({ description, properties: { op: constant(op), ...properties }, required: ['op', ...required] });
    }),
  ],
};

const FIELD_RULE: Schema = {
  ...object({
    description: 'How one output field is made',
    properties: {
      path: text('Where the value lies in a record'),
      constant: anything('Always this value, instead of a path'),
      transforms: {
        description: 'Changes, one after the other',
        anyOf: [ref('transform'), { type: 'array', items: ref('transform'), maxItems: 20 }],
      },
      default: anything('Taken when the path finds nothing, or null'),
    },
  }),
  oneOf: [{ required: ['path'] }, { required: ['constant'] }],
};

const RESPONSE_MAPPING: Schema = object({
  description: 'What records become',
  properties: {
    entity_type: text('Label of this kind of record', { max: 100 }),
    results_path: text('Where the records lie; absent: the answer itself'),
    results_are: choice(
      'What stands there, of JSON: something else is another answer (`bad_response`); absent: either',
      [...RESULTS_KINDS],
    ),
    has: text(
      'What every right answer holds: a dot path of JSON, a CSS selector of a page; without it an answer is another one (`bad_response`)',
    ),
    fields: map(
      'Output field → path, or a rule; absent: records pass through',
      { anyOf: [text('Path'), ref('field_rule')] },
      NAME.pattern,
    ),
    entity_extraction: list('What `extract_entities` finds in the records', ref('entity_rule')),
  },
});

const ENTITY_RULE: Schema = object({
  description: 'A field that names an entity',
  properties: {
    field: text('Output field'),
    entity_type: text('PERSON, ORG, LOCATION and the like, or `auto`', { max: 100 }),
    relationship_type: text('How the entity belongs to the record', { max: 100 }),
  },
  required: ['field', 'entity_type'],
});

const OUTPUT_SCHEMA: Schema = object({
  description: 'What the endpoint gives; absent: inferred from the mapping',
  properties: {
    type: choice('Records, one record, or one value', SCHEMA_KINDS, 'record_set'),
    fields: list('Fields of a record', ref('schema_field')),
    metadata_fields: list('Fields beside the records', ref('schema_field')),
  },
});

const SCHEMA_FIELD: Schema = object({
  description: 'One field of a result',
  properties: {
    name: text('Name', NAME),
    type: text('`string`, `number`, `integer`, `date`, `boolean`, `object`, `any`, or a list such as `string[]`', {
      ...FIELD_TYPE,
      default: 'any',
    }),
    description: text('For people and models'),
    required: flag('There in every record'),
    fields: list('Fields of a record inside', ref('schema_field')),
  },
  required: ['name'],
});

export const MAPPING_DEFS: Record<string, Schema> = {
  response_mapping: RESPONSE_MAPPING,
  field_rule: FIELD_RULE,
  transform: TRANSFORM,
  entity_rule: ENTITY_RULE,
  output_schema: OUTPUT_SCHEMA,
  schema_field: SCHEMA_FIELD,
};

/** Fields of endpoints of every type. */
export const COMMON: Record<string, Schema> = {
  description: DESCRIPTION,
  docs: text('Page that describes the endpoint; for people', DOCS),
  tested: choice(
    'For people: tried with answers of the source, with answers made after its documentation, or only to be tried live',
    TESTED,
  ),
  hooks: ref('hooks'),
  response_mapping: ref('response_mapping'),
  output_schema: ref('output_schema'),
};
