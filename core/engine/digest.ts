import { canonicalJson } from '../base/canonical-json';
import { cleanText } from '../base/clean-text';
import type { Json, JsonObject } from '../base/json';
import { sha256 } from '../base/sha256';
import type { ApprovalRequest, UnitCall } from './commands';

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
  // Goes through text: fields without a value are left out, as on the other side of the wire.
  const plain = JSON.parse(JSON.stringify({ effectKey, action, inputs, params, refs, overrides })) as Json;
  return sha256(canonicalJson(plain));
}

/**
 * Binds an approval also to the question and the effects after the gate. Older requests without these effects are bound
 * to their call alone. The question as the database keeps it.
 */
export function requestDigest(
  call: string,
  { prompt, effects_behind: behind }: Pick<ApprovalRequest, 'prompt' | 'effects_behind'>,
): string {
  if (behind === undefined) return call;
  return sha256(canonicalJson({ call, prompt: cleanText(prompt), behind: JSON.parse(JSON.stringify(behind)) as Json }));
}

function readsFrom(reference: string, key: string): boolean {
  return reference === key || reference.startsWith(`${key}.`) || reference.startsWith(`${key}[`);
}

/** Digest of a call's inputs: two requests with the same digest are equal. */
export function inputDigest(inputs: JsonObject, params: JsonObject): string {
  return sha256(canonicalJson({ inputs, params }));
}

/** End of the effect key of a body that is not the only one under its key: the same for the same inputs. */
export function keyEnd(inputs: JsonObject): string {
  return sha256(canonicalJson(inputs)).slice(0, 16);
}
