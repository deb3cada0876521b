import { cols, opt, out } from './define';
import type { ActionContract } from './types';

export const KNOWLEDGE_GRAPH_ACTIONS: ActionContract[] = [
  {
    name: 'search_knowledge_graph',
    group: 'knowledge_graph',
    description: 'Finds known entities and the relationships between them.',
    step_type: 'tool',
    inputs: [
      opt('entity_name', 'string', 'Entity to look for.'),
      opt('entity_names', 'string[]', 'Several entities to look for.'),
    ],
    params: [
      opt('entity_types', 'string[]', 'Keep only these entity types, for example PERSON or ORG.'),
      opt('relationship_types', 'string[]', 'Keep only these relationship types.'),
      opt('include_related', 'boolean', 'Also return neighbours.'),
      opt('max_hops', 'integer', 'How far neighbours may be.', { default: 2 }),
    ],
    outputs: [
      out(
        'entities',
        'entity[]',
        'Entities found.',
        cols('name', 'type', 'subtype', 'aliases:string[]', 'external_ids:object', 'confidence:number'),
      ),
      out(
        'relationships',
        'relationship[]',
        'Relationships found.',
        cols('source', 'target', 'type', 'properties:object', 'confidence:number'),
      ),
      out('count', 'integer', 'Number of entities.'),
    ],
    short: true,
    pure: false,
    effect: 'none',
    available: false,
  },
];
