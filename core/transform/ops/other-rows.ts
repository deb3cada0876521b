import { ownField, type JsonObject } from '../../base/json';
import { fail } from '../failure';
import type { Remarks } from '../remarks';
import { toRows, type Row } from '../rows';

/** Rows of another input of the same step. */
export function otherRows(extra: JsonObject, name: string, remarks: Remarks): Row[] {
  const value = ownField(extra, name);
  if (value === undefined) {
    const known = Object.keys(extra);
    const list = known.length === 0 ? 'it has none besides `data`' : `it has ${known.join(', ')}`;
    fail('unknown_input', `\`${name}\` is not another input of this step: ${list}. Add it under the step's inputs.`);
  }
  return toRows(value, name, remarks);
}
