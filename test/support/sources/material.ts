import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DATA_DIR } from '../data';

const CONSTRUCTED = resolve(__dirname, '../../fixtures/constructed');

export type Row = Record<string, unknown>;

/** A recorded answer, byte for byte. */
export function recordedBytes(file: string): Buffer {
  return readFileSync(resolve(DATA_DIR, file));
}

export function recorded(file: string): Row {
  return JSON.parse(recordedBytes(file).toString('utf8')) as Row;
}

/** An invented answer, made after the documentation of its source. */
export function constructed(file: string): Row {
  return JSON.parse(constructedText(file)) as Row;
}

export function constructedText(file: string): string {
  return readFileSync(resolve(CONSTRUCTED, file), 'utf8');
}

/** The object at the end of this path of names. */
export function within(answer: Row, ...names: readonly string[]): Row {
  return names.reduce((inner, name) => inner[name] as Row, answer);
}

/** The list at the end of this path of names. */
export function rowsIn(answer: Row, ...names: readonly string[]): Row[] {
  return within(answer, ...names) as unknown as Row[];
}

/** Recorded rows, then invented ones up to `total`: copies with the changes of `differs`, so that no two are equal. */
export function grown(rows: readonly Row[], total: number, differs: (index: number) => Row): Row[] {
  const made = Array.from({ length: Math.max(0, total - rows.length) }, (_, index): Row => {
    const at = index + rows.length;
    return { ...rows[at % rows.length], ...differs(at) };
  });
  return [...rows, ...made];
}

export interface Slice {
  rows: Row[];
  total: number;
  pages: number;
}

/** One page of a list; pages count from `first`. */
export function slice(rows: readonly Row[], page: number, use: { size: number; first?: number }): Slice {
  const from = (page - (use.first ?? 1)) * use.size;
  return { rows: rows.slice(from, from + use.size), total: rows.length, pages: Math.ceil(rows.length / use.size) };
}

export function numberIn(query: URLSearchParams, name: string, fallback: number): number {
  const value = Number(query.get(name) ?? fallback);
  return Number.isInteger(value) && value >= 0 ? value : fallback;
}
