export type Row = Record<string, unknown>;
/** Table → the row that was made in it. */
export type TenantRows = Map<string, Row>;

export function idOf(rows: TenantRows, table: string): string {
  return String(rows.get(table)?.['id']);
}
