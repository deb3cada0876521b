import type { Json, JsonObject } from '../base/json';
import { renderGiven, renderValue } from '../expr/template';
import type { Lookup } from '../expr/types';
import { getContract } from './registry';

/** A playbook as a step. */
export const SUB_PLAYBOOK = 'run_playbook';

/** Replay-sensitive. What a step hands on keeps apart what is null and what is not there; other actions know null alone. */
export function renderInputs(action: string, inputs: JsonObject, lookup: Lookup): Json {
  const handsOn = action === SUB_PLAYBOOK || getContract(action)?.dynamic === 'connector_endpoint';
  return handsOn ? renderGiven(inputs, lookup) : renderValue(inputs, lookup);
}
