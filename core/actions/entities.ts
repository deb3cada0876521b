import { cols, opt, out, req } from './define';
import { WARNINGS } from './transform';
import type { ActionContract } from './types';

const base = { group: 'entity', step_type: 'tool', effect: 'none' } as const;

export const ENTITY_ACTIONS: ActionContract[] = [
  {
    ...base,
    name: 'extract_entities',
    description: 'Finds named entities in records.',
    inputs: [req('data', 'record[]', 'Records to read.')],
    params: [
      opt('entity_types', 'string[]', 'Types to extract; `auto` for all.'),
      opt('relationship_type', 'string', 'Relationship given to what is found.'),
      opt(
        'rules_from',
        'string',
        'Endpoint that the records come from, as `connector.endpoint`: its `entity_extraction` rules apply before any text is read.',
        { literal: true },
      ),
    ],
    outputs: [
      out(
        'entities',
        'entity[]',
        'Entities found.',
        cols('name', 'type', 'source_field', 'source_record_index:integer', 'confidence:number'),
      ),
      out('count', 'integer', 'Number of entities.'),
    ],
    short: false,
    pure: false,
    available: false,
  },
  {
    ...base,
    name: 'resolve_entities',
    description: 'Merges entities that are the same.',
    inputs: [req('entities', 'entity[]', 'Entities to resolve.')],
    params: [
      opt('strategy', 'string', 'How names are compared.', { enum: ['exact', 'fuzzy', 'ml'], default: 'fuzzy' }),
      opt('threshold', 'number', 'Least similarity, 0 to 1.', { default: 0.85 }),
    ],
    outputs: [
      out(
        'resolved',
        'entity[]',
        'Entities after merging.',
        cols('canonical_name', 'type', 'aliases:string[]', 'merge_count:integer', 'confidence:number'),
      ),
      out('merge_count', 'integer', 'Number of merges.'),
      out('ambiguous', 'entity[]', 'Entities that a person must look at.'),
    ],
    short: false,
    pure: false,
    available: false,
  },
  {
    ...base,
    name: 'cross_reference',
    description: 'Matches the records of two datasets.',
    inputs: [req('dataset_a', 'record[]', 'First dataset.'), req('dataset_b', 'record[]', 'Second dataset.')],
    params: [
      opt('match_strategy', 'string', 'How records are compared. `fuzzy_name` is not executable yet.', {
        enum: ['exact', 'fuzzy_name', 'external_id'],
        not_yet: ['fuzzy_name'],
        default: 'exact',
      }),
      opt('match_threshold', 'number', 'Least similarity, 0 to 1.', { default: 0.8 }),
      opt(
        'field_a',
        'any',
        'Field, or list of fields, of the first dataset to compare; `name` for the strategy `exact`.',
      ),
      opt('field_b', 'any', 'Field, or list of fields, of the second dataset; those of `field_a` where absent.'),
    ],
    outputs: [
      out(
        'matches',
        'match[]',
        'Pairs that match.',
        cols('entity_a:record', 'entity_b:record', 'match_score:number', 'match_method'),
      ),
      out('unmatched_a', 'record[]', 'Records of the first dataset without a match.'),
      out('unmatched_b', 'record[]', 'Records of the second dataset without a match.'),
      out('count', 'integer', 'Number of matches.'),
      WARNINGS,
    ],
    short: true,
    pure: true,
    available: true,
  },
];
