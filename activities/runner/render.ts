import { coerceInputs, coerceParams } from '../../core/actions/coerce';
import { isJsonObject, type Json, type JsonObject } from '../../core/base/json';
import { exceedsJsonSize } from '../../core/base/json-size';
import type { UnitCall } from '../../core/engine/commands';
import { readStored } from '../../core/engine/scope';
import type { RefValue, StoredValue } from '../../core/engine/values';
import { renderInputs, REPORTS_ABSENT_INPUTS } from '../../core/actions/render-inputs';
import { collectReferences, renderValue } from '../../core/expr/template';
import type { Reference } from '../../core/expr/types';
import type { Values } from './values';

/** Results of earlier units of the same segment, by key. */
export type LocalResults = Map<string, StoredValue>;

export interface Rendered {
  /** Input that the action is called with. */
  renderedInput: JsonObject;
  params: JsonObject;
  /** Values for the run's view: large ones by name. */
  shown: JsonObject;
  /** Inputs of a call that are left out, as warnings of its result. */
  absent?: JsonObject[];
}

/** Name under which settings travel beside inputs that are templates. */
const SETTINGS = '$settings';
const SHOWN_LIMIT = 65_536;

/**
 * Fills the input template of a unit. The input override replaces rendered values as it is: it is never parsed again.
 */
export async function renderUnit(unit: UnitCall, local: LocalResults, values: Values): Promise<Rendered> {
  const { action, inputs: inputTemplate } = unit;
  const refs = collectReferences([inputTemplate, unit.params]);
  const table = new Map<string, Json | undefined>();
  for (const ref of refs) table.set(ref.text, await valueOf(unit, local, values, ref));
  const lookup = (ref: Reference): Json | undefined => table.get(ref.text);
  const { [SETTINGS]: settings, ...inputOverride } = unit.edits ?? {};
  const filled = asObject(renderInputs(action, inputTemplate, lookup));
  const renderedInput = coerceInputs(action, { ...filled, ...inputOverride });
  const written = coerceParams(action, asObject(renderValue(unit.params, lookup)));
  const params = { ...written, ...(isJsonObject(settings) ? settings : {}) };
  const brief = (ref: Reference): Json | undefined => {
    const value = table.get(ref.text);
    return value !== undefined && exceedsJsonSize(value, SHOWN_LIMIT) ? `(large value of ${ref.text})` : value;
  };
  const shown = {
    inputs: { ...asObject(renderInputs(action, inputTemplate, brief)), ...inputOverride },
    params: renderValue(unit.params, brief),
  };
  const absent = REPORTS_ABSENT_INPUTS.has(action) ? absentInputs(inputTemplate, inputOverride, lookup) : [];
  return {
    renderedInput,
    params,
    shown: exceedsJsonSize(shown, SHOWN_LIMIT * 4) ? { note: 'too large to show' } : shown,
    ...(absent.length === 0 ? {} : { absent }),
  };
}

/**
 * A call without an input that its author wired may read or write something else, and its answer would not show that. A
 * bare name is an optional input of the playbook, so leaving it out is intended.
 */
function absentInputs(
  inputTemplate: JsonObject,
  inputOverride: JsonObject,
  lookup: (ref: Reference) => Json | undefined,
): JsonObject[] {
  return Object.entries(inputTemplate).flatMap(([name, value]) => {
    if (Object.hasOwn(inputOverride, name)) return [];
    const absent = collectReferences(value).filter((ref) => ref.path.length > 0 && lookup(ref) === undefined);
    if (absent.length === 0) return [];
    const which = absent.map((ref) => `\`${ref.text}\``).join(', ');
    const message = `input \`${name}\`: ${which} ${absent.length === 1 ? 'is' : 'are'} not there; the call goes without it.`;
    return [{ code: 'input_not_there', field: name, message }];
  });
}

/** Adds warnings to those of the result itself. */
export function withRemarks(output: Json, { absent = [] }: Pick<Rendered, 'absent'>): Json {
  if (absent.length === 0 || !isJsonObject(output)) return output;
  const told = output['warnings'];
  return { ...output, warnings: [...absent, ...(Array.isArray(told) ? told : [])] };
}

function valueOf(unit: UnitCall, local: LocalResults, values: Values, ref: Reference): Promise<Json | undefined> {
  const outer = Object.hasOwn(unit.refs, ref.text) ? unit.refs[ref.text] : undefined;
  return values.resolve(outer ?? localRef(local, ref) ?? { kind: 'undefined' });
}

/** A reference to an earlier step of the same segment. That step succeeded, otherwise the segment had ended. */
export function localRef(local: LocalResults, ref: Reference): RefValue | undefined {
  const stored = local.get(ref.root);
  if (!stored) return undefined;
  const [first, ...rest] = ref.path;
  if (first?.kind !== 'field') return readStored(stored, ref.path);
  if (first.name === 'status') return { kind: 'value', value: 'ok' };
  if (first.name === 'error' || first.name === 'decision') return { kind: 'undefined' };
  return first.name === 'result' ? readStored(stored, rest) : readStored(stored, ref.path);
}

function asObject(value: Json): JsonObject {
  return isJsonObject(value) ? value : {};
}
