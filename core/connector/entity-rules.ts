import { findEndpoint } from './find-endpoint';
import type { ConnectorDefinition, EntityRule } from './types';

/** Rules by which `extract_entities` reads records of this endpoint without looking at their texts. */
export function entityRules(definition: ConnectorDefinition, endpoint: string): EntityRule[] {
  return findEndpoint(definition, endpoint)?.response_mapping?.entity_extraction ?? [];
}
