import { outsideTransaction } from '../../../infra/db/open-transaction';
import type { CallRecord, ConnectorCallsStore } from '../../../infra/db/stores/connector-calls.store';

const FLUSH_MS = 1000;
const BATCH = 500;
/** Records that may wait; more are dropped: records never hold a call up. */
const MOST = 10_000;
const SWEEP_MS = 600_000;
const KEEP_DAYS = 30;
const SWEEP_ROWS = 5000;

/** Records of calls on their way to the database, in batches. */
export class CallRecorder {
  private rows: CallRecord[] = [];
  private timer: NodeJS.Timeout | undefined;
  private flushing: Promise<void> = Promise.resolve();
  private nextSweep = Date.now() + SWEEP_MS;
  private dropped = 0;

  constructor(
    private readonly store: Pick<ConnectorCallsStore, 'record' | 'sweep'>,
    private readonly warn: (facts: object, message: string) => void,
  ) {}

  /** The row may still be completed until it is written. */
  add(row: CallRecord): void {
    if (this.rows.length >= MOST) {
      this.dropped += 1;
      return;
    }
    this.rows.push(row);
    if (this.timer !== undefined) return;
    // The caller may be in a transaction (an action that commits); the batch is written by a statement of its own.
    this.timer = outsideTransaction(() => setTimeout(() => void this.flush(), FLUSH_MS));
    this.timer.unref();
  }

  /** Writes everything that was added before, or tries to. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.flushing = this.flushing.then(() => this.write());
    return this.flushing;
  }

  async close(): Promise<void> {
    await this.flush();
  }

  private async write(): Promise<void> {
    const rows = this.rows;
    this.rows = [];
    for (let at = 0; at < rows.length; at += BATCH) {
      try {
        await this.store.record(rows.slice(at, at + BATCH));
      } catch (error) {
        this.takeBack(rows.slice(at), error);
        return;
      }
    }
    if (this.dropped > 0) this.warn({ dropped: this.dropped }, 'records of connector calls were dropped');
    this.dropped = 0;
    await this.sweep();
  }

  private takeBack(rows: CallRecord[], error: unknown): void {
    this.warn({ err: error, rows: rows.length }, 'records of connector calls wait for the database');
    const waiting = this.rows;
    this.rows = [];
    for (const row of [...rows, ...waiting]) this.add(row);
  }

  private async sweep(): Promise<void> {
    if (Date.now() < this.nextSweep) return;
    this.nextSweep = Date.now() + SWEEP_MS;
    try {
      if (await this.store.sweep(KEEP_DAYS, SWEEP_ROWS)) this.nextSweep = 0;
    } catch (error) {
      this.warn({ err: error }, 'old records of connector calls were not taken away');
    }
  }
}
