import type { Json, JsonObject } from '../base/json';
import { renderDefined, renderValue } from '../expr/template';
import type { Lookup } from '../expr/types';

/** A playbook as a step. */
export const SUB_PLAYBOOK = 'run_playbook';

/** Actions that hand their inputs on. By name, as the registry would bring all contracts into the workflow. */
export const PASSES_INPUTS_ON: ReadonlySet<string> = new Set([SUB_PLAYBOOK, 'call_connector']);
/** What a lookup or call without an input that its author wired up gives is of something else: such an input is told. */
export const REPORTS_ABSENT_INPUTS: ReadonlySet<string> = new Set(['call_connector', 'query_journal']);
/** What is written out, as a step and as the end of a run. */
const WRITTEN_OUT: ReadonlySet<string> = new Set(['route_output', '$output']);

/**
 * Replay-sensitive. What a step hands on, or writes out, keeps apart what is null and what is not there; other actions know
 * null alone.
 */
export function renderInputs(action: string, inputs: JsonObject, lookup: Lookup): Json {
  const keepsApart = PASSES_INPUTS_ON.has(action) || WRITTEN_OUT.has(action);
  return keepsApart ? renderDefined(inputs, lookup) : renderValue(inputs, lookup);
}
