import { MAX_CATEGORY, MAX_ICON, MAX_TAG, MAX_TAGS, TAG } from '../../base/tags';
import { CONNECTOR_ID, NAME } from '../patterns';
import { MAX_DESCRIPTION, MAX_ENDPOINTS } from '../limits';
import { CONNECTOR_TYPES } from '../types';
import { HTTP_DEFS } from './http-schema';
import { TYPE_DEFS } from './item-schemas';
import { MAPPING_DEFS } from './mapping-schema';
import { choice, flag, list, map, object, ref, type Schema, text, when } from './parts';
import { TYPE_SCHEMAS } from './type-schemas';

/** The language of connectors as one JSON Schema (draft 2020-12), for editors, documentation and other validators. */
export function connectorJsonSchema(): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Connector',
    ...object({
      description: 'Where a source of data is, how to log in, and what can be asked of it',
      properties: {
        id: text('Playbooks name the connector by it', CONNECTOR_ID),
        name: text('For people; absent: the id', { max: 200 }),
        type: choice('Kind of source', CONNECTOR_TYPES),
        version: { description: 'For people', anyOf: [text('Text', { max: 50 }), { type: 'number' }] },
        description: text('For people and models', { max: MAX_DESCRIPTION }),
        icon: text('An emoji, or the name of an icon', { max: MAX_ICON }),
        category: text('Lists are filtered by it, such as `government` or `finance`', { max: MAX_CATEGORY }),
        tags: {
          ...list('Words that lists are filtered by', text('A word', { pattern: TAG.pattern, max: MAX_TAG })),
          maxItems: MAX_TAGS,
          uniqueItems: true,
        },
        retired: text('The source is gone: why, and what to use instead'),
        imported: flag('Made from what somebody else wrote: its secret goes nowhere before you confirm where to'),
        hooks: ref('hooks'),
        connection: { type: 'object', description: 'Where the source is; depends on the type' },
        endpoints: {
          ...map('Name → what can be asked; depends on the type', { type: 'object' }, NAME.pattern),
          minProperties: 1,
          maxProperties: MAX_ENDPOINTS,
        },
      },
      required: ['id', 'type', 'connection', 'endpoints'],
    }),
    allOf: CONNECTOR_TYPES.map((type) =>
      when(
        { properties: { type: { const: type } }, required: ['type'] },
        {
          properties: {
            connection: ref(`${type}_connection`),
            endpoints: { additionalProperties: ref(`${type}_endpoint`) },
          },
        },
      ),
    ),
    $defs: { ...typeDefs(), ...TYPE_DEFS, ...HTTP_DEFS, ...MAPPING_DEFS },
  };
}

function typeDefs(): Record<string, Schema> {
  return Object.fromEntries(
    CONNECTOR_TYPES.flatMap((type) => [
      [`${type}_connection`, TYPE_SCHEMAS[type].connection],
      [`${type}_endpoint`, TYPE_SCHEMAS[type].endpoint],
    ]),
  );
}
