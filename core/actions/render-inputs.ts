import type { Json, JsonObject } from '../base/json';
import { renderDefined, renderValue } from '../expr/template';
import type { Lookup } from '../expr/types';

/** A playbook as a step. */
export const SUB_PLAYBOOK = 'run_playbook';

/** Actions that hand their inputs on. By name, as the registry would bring all contracts into the workflow. */
export const PASSES_INPUTS_ON: ReadonlySet<string> = new Set([SUB_PLAYBOOK, 'call_connector']);
/** Lookups and calls whose result is about something else when a wired input is absent: the absence is reported. */
export const REPORTS_ABSENT_INPUTS: ReadonlySet<string> = new Set(['call_connector', 'query_journal']);
/** Actions that write results: a step, and the end of a run. */
const WRITTEN_OUT: ReadonlySet<string> = new Set(['route_output', '$output']);

/**
 * Replay-sensitive. Renders inputs: what a step passes on, or writes out, keeps null and missing values apart; other
 * actions get null for both.
 */
export function renderInputs(action: string, inputs: JsonObject, lookup: Lookup): Json {
  const keepsApart = PASSES_INPUTS_ON.has(action) || WRITTEN_OUT.has(action);
  return keepsApart ? renderDefined(inputs, lookup) : renderValue(inputs, lookup);
}
