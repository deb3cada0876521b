import { duplicateKeyOf } from '../../core/base/duplicate-key';
import { parseExactJson } from '../../core/base/exact-json';
import { shorten } from '../../core/base/shorten';
import { AppError } from '../../core/errors/app-error';

/** Deeper than any playbook (20 levels of steps, about 3 JSON levels each). */
const MAX_DEPTH = 100;
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

function refuse(code: string, message: string): never {
  throw new AppError(code, message, { category: 'bad_request' });
}

/** UTF-8 JSON → value; a number that a double does not hold is its text. Throws `invalid_json`, `duplicate_key`, `json_too_deep`, `forbidden_key`. */
export function parseJsonBody(body: Buffer): unknown {
  let text = '';
  let value: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    value = parseExactJson(text);
  } catch (error) {
    refuse('invalid_json', `The body is not valid JSON${position(error)}.`);
  }
  checkTree(value);
  const twice = duplicateKeyOf(text);
  if (twice !== undefined)
    refuse('duplicate_key', `The key "${shorten(twice, 100)}" stands twice in one object of the body. Send it once.`);
  return value;
}

/** Place of the mistake alone: the engine's text may quote the body. */
function position(error: unknown): string {
  const match = /position (\d+)(?: \(line (\d+) column (\d+)\))?/.exec(error instanceof Error ? error.message : '');
  if (match === null) {
    return '';
  }
  return match[2] === undefined ? ` (position ${match[1]})` : ` (line ${match[2]}, column ${match[3]})`;
}

/** Walks with its own stack: depth is the sender's choice, the call stack is ours. */
function checkTree(root: unknown): void {
  const stack: { value: object; depth: number }[] = [];
  const push = (value: unknown, depth: number): void => {
    if (typeof value === 'object' && value !== null) {
      if (depth > MAX_DEPTH) {
        refuse('json_too_deep', `The body is nested deeper than ${MAX_DEPTH} levels.`);
      }
      stack.push({ value, depth });
    }
  };
  push(root, 1);
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    const { value, depth } = entry;
    if (Array.isArray(value)) {
      value.forEach((item) => push(item, depth + 1));
      continue;
    }
    for (const [key, item] of Object.entries(value)) {
      if (FORBIDDEN.has(key)) {
        refuse('forbidden_key', `The key "${key}" is not accepted anywhere in a body.`);
      }
      push(item, depth + 1);
    }
  }
}
