/** Minimal SQL surface that stores use: one connection or one transaction. */
export interface Sql {
  query<Row = Record<string, unknown>>(text: string, params?: unknown[]): Promise<Row[]>;
}

/** Under whose rights SQL runs. Rows of others are invisible to `owner`. */
export type Principal = { kind: 'owner'; ownerId: string } | { kind: 'system' };

export const SYSTEM: Principal = { kind: 'system' };
export function owner(ownerId: string): Principal {
  return { kind: 'owner', ownerId };
}
