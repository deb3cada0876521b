import type { Cursor } from './cursor';
import type { ExprProblem } from './types';

/** Result of reading one piece at a cursor, which then stands behind it. */
export type Scan<T> = { ok: true; value: T } | Refusal;
export interface Refusal {
  ok: false;
  problem: ExprProblem;
}

export function found<T>(value: T): Scan<T> {
  return { ok: true, value };
}

export function refused(offset: number, message: string, suggestion?: string): Refusal {
  const problem: ExprProblem = { code: 'invalid_expression', message, offset };
  return { ok: false, problem: suggestion === undefined ? problem : { ...problem, suggestion } };
}

/** Text at the cursor, for a message. */
export function shown(cursor: Cursor): string {
  const point = cursor.text.codePointAt(cursor.position);
  if (point === undefined) return 'the end of the text';
  if (point === 10 || point === 13) return 'the end of the line';
  if (point === 32) return 'a blank';
  if (point > 32 && point < 127) return `\`${String.fromCodePoint(point)}\``;
  return `the character U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}
