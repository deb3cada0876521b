import { editSchema } from '../../core/actions/edit-schema';
import { isJsonObject, type Json, type JsonObject } from '../../core/base/json';
import { endpointEditSchema } from '../../core/connector/edit-schema';
import { findEndpoint } from '../../core/connector/find-endpoint';
import type { ConnectorDefinition } from '../../core/connector/types';
import type { PinnedConnectors } from '../db/stores/definition-types';

/** A call as the plan has it: its action, the names in its params, its inputs. */
export interface EditableCall {
  action: string;
  params: Json;
  inputs: Json;
}

/**
 * JSON Schema of what may be given in place of a call's inputs. Of a connector call the endpoint's parameters, by the version
 * that the run has pinned; of any other action its contract. Undefined: nothing can be edited.
 */
export async function editSchemaOf(
  connectors: PinnedConnectors,
  run: { ownerId: string; pins: { [slug: string]: string } },
  { action, params, inputs }: EditableCall,
): Promise<JsonObject | undefined> {
  const { connector, endpoint } = isJsonObject(params) ? params : {};
  if (action !== 'call_connector' || typeof connector !== 'string' || typeof endpoint !== 'string')
    return editSchema(action, inputs);
  const pin = Object.hasOwn(run.pins, connector) ? run.pins[connector] : undefined;
  const pinned = pin === undefined ? null : await connectors.version(run.ownerId, pin);
  // Allows no edits without the definition, which is needed to check them.
  const definition = pinned?.body as ConnectorDefinition | undefined;
  if (definition === undefined || findEndpoint(definition, endpoint) === undefined) return undefined;
  return endpointEditSchema(definition, endpoint);
}
