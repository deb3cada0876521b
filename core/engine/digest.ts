import { canonicalJson } from '../base/canonical-json';
import { sha256 } from '../base/sha256';
import type { UnitCall } from './commands';

/**
 * Binds an approval to one exact call: action, place, templates and every value that they refer to
 * (large ones by their content hash). Edits are not part of it: they are recorded with the decision.
 */
export function callDigest(unit: UnitCall): string {
  const { effectKey, action, inputs, params, refs } = unit;
  return sha256(canonicalJson(JSON.parse(JSON.stringify({ effectKey, action, inputs, params, refs }))));
}
