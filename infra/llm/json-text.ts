import { duplicateKeyOf } from '../../core/base/duplicate-key';
import { parseExactJson } from '../../core/base/exact-json';
import type { Json } from '../../core/base/json';
import { shorten } from '../../core/base/shorten';

export type JsonText = { ok: true; value: Json } | { ok: false; message: string };

/** One fenced block and nothing around it but white space. */
const FENCED = /^```(?:json)?[ \t]*\r?\n([\s\S]*?)\r?\n?```$/i;

/**
 * The JSON value of a model's answer. Accepted: the value itself, or the value in one Markdown code
 * fence. A number that a double does not hold is its text. Nothing is searched for inside prose: what a model says around JSON may contradict it.
 */
export function parseJsonText(text: string): JsonText {
  try {
    return { ok: true, value: parseExactJson(jsonOf(text)) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : 'not JSON' };
  }
}

/** The same where something is done with the value: one that says two things under one key says nothing. */
export function parseOneMeaning(text: string): JsonText {
  const parsed = parseJsonText(text);
  const twice = parsed.ok ? duplicateKeyOf(jsonOf(text)) : undefined;
  return twice === undefined
    ? parsed
    : { ok: false, message: `the key "${shorten(twice, 100)}" stands twice in one object` };
}

function jsonOf(text: string): string {
  const trimmed = text.trim();
  return FENCED.exec(trimmed)?.[1] ?? trimmed;
}
