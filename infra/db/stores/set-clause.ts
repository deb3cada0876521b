import { json } from '../clean-params';

/** Columns whose values are documents. */
export type JsonColumns = readonly string[];

export interface Assignments {
  columns: string[];
  params: unknown[];
}

/** The fields that were given, in the order of `columns` (constants: they go into SQL text). */
export function assignments(values: object, columns: readonly string[], documents: JsonColumns): Assignments {
  const given = columns.filter((column) => (values as Record<string, unknown>)[column] !== undefined);
  const param = (column: string): unknown => {
    const value = (values as Record<string, unknown>)[column];
    return documents.includes(column) ? json(value) : value;
  };
  return { columns: given, params: given.map(param) };
}

/** `a = $3, b = $4, ` with numbers from `first` on. */
export function setClause({ columns }: Assignments, first: number): string {
  return columns.map((column, index) => `${column} = $${first + index}, `).join('');
}

/** `$3, $4` with numbers from `first` on. */
export function placeholders({ columns }: Assignments, first: number): string {
  return columns.map((_column, index) => `$${first + index}`).join(', ');
}
