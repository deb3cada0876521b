import type { ExprProblem } from './types';

/** Result of reading one piece at a cursor, which then stands behind it. */
export type Scan<T> = { ok: true; value: T } | { ok: false; problem: ExprProblem };

export function found<T>(value: T): Scan<T> {
  return { ok: true, value };
}

export function refused(offset: number, message: string, suggestion?: string): { ok: false; problem: ExprProblem } {
  const problem: ExprProblem = { code: 'invalid_expression', message, offset };
  return { ok: false, problem: suggestion === undefined ? problem : { ...problem, suggestion } };
}

/** A code unit for a message: printable ones in quotes, others by number. */
export function shown(unit: number): string {
  if (unit < 0) return 'the end of the text';
  if (unit === 10 || unit === 13) return 'the end of the line';
  if (unit > 32 && unit < 127) return `\`${String.fromCharCode(unit)}\``;
  return unit === 32 ? 'a blank' : `the character U+${unit.toString(16).toUpperCase().padStart(4, '0')}`;
}
