import { canonicalJson } from '../base/canonical-json';
import type { Json } from '../base/json';
import { sha256 } from '../base/sha256';
import type { UnitCall } from './commands';

/**
 * Binds an approval to one exact call: action, place, templates and every value that they refer to
 * (large ones by their content hash). Edits of the approver, and what the call reads from the gate itself (instructions), are not part
 * of it: they are recorded with the decision.
 */
export function callDigest(unit: UnitCall): string {
  const { effectKey, action, inputs, params, gate, overrides } = unit;
  const refs = Object.fromEntries(
    Object.entries(unit.refs).filter(([text]) => gate === undefined || !readsFrom(text, gate)),
  );
  // Through text: fields without a value are left out, as they are on the other side of the wire.
  const plain = JSON.parse(JSON.stringify({ effectKey, action, inputs, params, refs, overrides })) as Json;
  return sha256(canonicalJson(plain));
}

function readsFrom(reference: string, key: string): boolean {
  return reference === key || reference.startsWith(`${key}.`) || reference.startsWith(`${key}[`);
}
