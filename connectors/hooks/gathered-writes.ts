interface Batch<Row> {
  rows: Row[];
  written: Promise<void>;
}

/**
 * Rows that come while others are being written go together with the next write: a busy process makes one statement of
 * them. Whoever adds a row waits until it is written, and hears of a failure of its write.
 */
export class GatheredWrites<Row> {
  private next: Batch<Row> | undefined;
  private before: Promise<unknown> = Promise.resolve();

  constructor(private readonly write: (rows: readonly Row[]) => Promise<void>) {}

  add(row: Row): Promise<void> {
    if (this.next !== undefined) {
      this.next.rows.push(row);
      return this.next.written;
    }
    const rows = [row];
    const written = this.before.then(() => {
      this.next = undefined;
      return this.write(rows);
    });
    this.next = { rows, written };
    this.before = written.catch(() => undefined);
    return written;
  }
}
