import { parseExactJson } from '../../core/base/exact-json';
import type { Json } from '../../core/base/json';

export type JsonText = { ok: true; value: Json } | { ok: false; message: string };

/** One fenced block and nothing around it but white space. */
const FENCED = /^```(?:json)?[ \t]*\r?\n([\s\S]*?)\r?\n?```$/i;

/**
 * The JSON value of a model's answer. Accepted: the value itself, or the value in one Markdown code
 * fence. A number that a double does not hold is its text. Nothing is searched for inside prose: what a model says around JSON may contradict it.
 */
export function parseJsonText(text: string): JsonText {
  const trimmed = text.trim();
  const fenced = FENCED.exec(trimmed);
  try {
    return { ok: true, value: parseExactJson(fenced?.[1] ?? trimmed) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : 'not JSON' };
  }
}
