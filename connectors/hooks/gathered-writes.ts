interface Batch<Row> {
  rows: Row[];
  written: Promise<void>;
}

/**
 * Rows that arrive while others are being written go into one next statement, so that a busy process makes few
 * statements. Adding a row waits until it is written, and throws a failure of its write.
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
