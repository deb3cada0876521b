type Present<T> = { [K in keyof T]?: Exclude<T[K], null> };

/** SQL null means "not there": the field is left out of the answer. */
export function withoutNulls<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  ) as Present<T>;
}

/** A page of rows as a list answer. */
export function pageBody<Row, View>(
  page: { items: Row[]; next_cursor: string | null },
  view: (row: Row) => View,
): { items: View[]; next_cursor?: string } {
  return { items: page.items.map(view), ...withoutNulls({ next_cursor: page.next_cursor }) };
}
