import type { Mask } from '../secrets/mask';
import { parseJsonText } from './json-text';
import type { ModelCompletion } from './types';

/**
 * An answer without the keys of its providers: a model, and whatever stands between it and us, may repeat what it was
 * sent. Results, errors, conversations and the arguments of tools are all made of this.
 */
export function maskedAnswer(completion: ModelCompletion, mask: Mask): ModelCompletion {
  const { native, ...said } = completion;
  const shown: ModelCompletion = {
    ...said,
    text: maskedText(said.text, mask),
    tool_calls: said.tool_calls.map((call) => ({
      id: mask.text(call.id),
      name: mask.text(call.name),
      arguments: maskedText(call.arguments, mask),
    })),
  };
  // Signed reasoning is good unchanged or not at all, and two of its pieces may hold the halves of one key.
  const isClean = shown.text === said.text && native !== undefined && !holdsKey(JSON.stringify(native.content), mask);
  return isClean ? { ...shown, native } : shown;
}

function holdsKey(text: string, mask: Mask): boolean {
  return mask.text(text) !== text;
}

/** JSON stays JSON. */
function maskedText(text: string, mask: Mask): string {
  if (!holdsKey(text, mask)) return text;
  const parsed = parseJsonText(text);
  return mask.text(parsed.ok ? JSON.stringify(mask.json(parsed.value)) : text);
}
