import type { Connection, Submittable } from 'pg';

/** One column of an answer. */
export interface Column {
  name: string;
  dataTypeID: number;
}
/** A row as it comes: texts and nulls. */
export type RawRow = readonly (string | null)[];

/** The messages of the extended protocol; the declared type of the connection asks for more arguments than are read. */
interface Wire {
  stream: { on(event: 'data', listener: (chunk: Uint8Array) => void): unknown; destroy(): unknown };
  parse(message: { name: string; text: string; types: number[] }): void;
  describe(message: { type: 'S' | 'P'; name: string }): void;
  bind(message: { portal: string; statement: string; values: (string | null)[]; binary: false }): void;
  execute(message: { portal: string; rows: number }): void;
  close(message: { type: 'P'; name: string }): void;
  flush(): void;
  sync(): void;
}
const wireOf = (connection: Connection): Wire => connection as unknown as Wire;

/** A promise that is settled from outside, by messages. */
class Outcome<T> {
  resolve!: (value: T) => void;
  reject!: (error: Error) => void;
  readonly promise = new Promise<T>((resolve, reject) => {
    this.resolve = resolve;
    this.reject = reject;
  });
}

/** Name of the one prepared statement; the connection is thrown away after it. */
const STATEMENT = 'call';

/** Parses a statement and tells its columns, before anything is carried out. */
export class Description implements Submittable {
  private columns: Column[] = [];
  private readonly outcome = new Outcome<Column[]>();

  constructor(private readonly text: string) {}

  get done(): Promise<Column[]> {
    return this.outcome.promise;
  }

  submit(connection: Connection): void {
    const wire = wireOf(connection);
    wire.parse({ name: STATEMENT, text: this.text, types: [] });
    wire.describe({ type: 'S', name: STATEMENT });
    wire.sync();
  }

  handleRowDescription(message: { fields: Column[] }): void {
    this.columns = message.fields;
  }

  handleReadyForQuery(): void {
    this.outcome.resolve(this.columns);
  }

  handleError(error: Error): void {
    this.outcome.reject(error);
  }
}

export interface PortalLimits {
  maxRows: number;
  maxBytes: number;
}
export interface PortalAnswer {
  rows: RawRow[];
  truncated: boolean;
  /** Size of the rows as they came. */
  bytes: number;
}

/** Rows asked for at once. */
const BATCH = 500;
/** Bytes that may lie between two rows on the wire: a read of the socket, other messages. */
const SLACK = 262_144;

/** Limit of row bytes on the wire until the portal has stopped: rows that fit, and one that does not. */
export function wireByteLimit(maxBytes: number): number {
  return 2 * maxBytes + SLACK;
}

/** A single row that is larger than the whole answer may be. */
export class RowTooLarge extends Error {}

/**
 * Carries the described statement out, row by row, and stops at the caps. Beyond the cap on bytes the connection is cut:
 * what the server has sent already is not read to its end.
 */
export class Portal implements Submittable {
  private readonly rows: RawRow[] = [];
  private bytes = 0;
  private sinceRow = 0;
  private truncated = false;
  private closed = false;
  private wire: Wire | undefined;
  private readonly outcome = new Outcome<PortalAnswer>();

  constructor(
    private readonly values: (string | null)[],
    private readonly limits: PortalLimits,
  ) {}

  get done(): Promise<PortalAnswer> {
    return this.outcome.promise;
  }

  submit(connection: Connection): void {
    const wire = wireOf(connection);
    this.wire = wire;
    wire.stream.on('data', (chunk) => this.arrived(chunk.byteLength));
    wire.bind({ portal: '', statement: STATEMENT, values: this.values, binary: false });
    this.more(wire);
  }

  handleDataRow(message: { fields: RawRow; length: number }): void {
    if (this.closed || this.truncated) return;
    this.sinceRow = 0;
    this.bytes += message.length;
    if (this.rows.length === this.limits.maxRows) {
      this.truncated = true;
    } else if (this.bytes > this.limits.maxBytes) {
      this.cut();
    } else {
      this.rows.push(message.fields);
    }
  }

  handlePortalSuspended(): void {
    const { wire } = this;
    if (wire === undefined || this.closed) return;
    if (!this.truncated) return this.more(wire);
    wire.close({ type: 'P', name: '' });
    wire.sync();
  }

  handleCommandComplete(): void {
    this.wire?.sync();
  }

  handleReadyForQuery(): void {
    this.finish();
  }

  handleError(error: Error): void {
    this.closed = true;
    this.outcome.reject(error);
  }

  /** One row more than wanted tells that there are more. */
  private more(wire: Wire): void {
    wire.execute({ portal: '', rows: Math.min(BATCH, this.limits.maxRows + 1 - this.rows.length) });
    wire.flush();
  }

  /** Comes after the rows of the chunk: what is left over belongs to a row that is not complete yet. */
  private arrived(bytes: number): void {
    this.sinceRow += bytes;
    if (!this.closed && this.sinceRow > this.limits.maxBytes + SLACK) this.cut();
  }

  private cut(): void {
    this.truncated = true;
    if (this.rows.length > 0) this.finish();
    else this.handleError(new RowTooLarge());
    this.wire?.stream.destroy();
  }

  private finish(): void {
    this.closed = true;
    this.outcome.resolve({ rows: this.rows, truncated: this.truncated, bytes: this.bytes });
  }
}
