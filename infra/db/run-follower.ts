import type { EventRow, LogPosition } from './stores/events.store';

/** `soon`: with the next collected changes. `now`: there is nothing to wait for. */
export type Urgency = 'none' | 'soon' | 'now';

/** State that the followers of one run share. */
export interface FollowedRun {
  readonly id: string;
  readonly followers: Set<RunFollower>;
  /** Time of the last mark (`performance.now()`): the run announces its changes for about two minutes after it. */
  watchedAt: number | undefined;
  /** True when no event comes any more: a reader at the end of the log has finished. */
  closed: boolean;
}

/** Reads for a follower that waits. */
interface Reader {
  want(follower: RunFollower, change: Urgency): void;
}

interface Waiting {
  resolve: (rows: readonly EventRow[] | null) => void;
  reject: (error: unknown) => void;
}

/**
 * One reader of one run's log. Nothing is read for it while it is busy with what it has, so a slow reader costs nothing and
 * keeps no rows in memory; it asks for more when it is ready.
 */
export class RunFollower {
  private waiting: Waiting | undefined;
  private change: Urgency = 'none';
  private first: readonly EventRow[] | undefined;
  private over = false;
  /** The run was known to be closed before the log was read. */
  private wasClosed = false;

  constructor(
    readonly run: FollowedRun,
    private at: LogPosition,
    private readonly reader: Reader,
    private readonly leave: (follower: RunFollower) => void,
  ) {}

  get position(): LogPosition {
    return this.at;
  }

  /**
   * The next events in order, without gap or repeat; null after `complete` or `close`. Rejects with errors of the
   * database: the reader comes back with the last seq that it saw.
   */
  next(): Promise<readonly EventRow[] | null> {
    const { first } = this;
    this.first = undefined;
    if (this.over || first !== undefined) {
      return Promise.resolve(first ?? null);
    }
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.ask();
    });
  }

  /** Ends it at once. */
  close(): void {
    this.first = undefined;
    this.finish();
    this.settle()?.resolve(null);
  }

  /** Notes that the log may have more than was read. */
  changed(change: Urgency): void {
    if (this.change !== 'now') {
      this.change = change;
    }
    this.ask();
  }

  /** The reader reads for it now. False: it is busy, and asks by itself later. */
  take(): boolean {
    if (this.waiting === undefined) {
      return false;
    }
    this.change = 'none';
    this.wasClosed = this.run.closed;
    return true;
  }

  /** The page that came with opening, given by the first `next`. */
  begin(page: readonly EventRow[]): void {
    if (!this.over && page.length > 0) {
      this.first = page;
      this.advance(page);
    }
  }

  /** Takes the events after its position; `more`: the log may hold further ones. */
  deliver(page: readonly EventRow[], more: boolean): void {
    if (page.length > 0) {
      this.change = more ? 'now' : this.change;
      this.advance(page);
      this.settle()?.resolve(page);
    } else if (this.wasClosed) {
      this.close();
    }
  }

  fail(error: unknown): void {
    this.finish();
    this.settle()?.reject(error);
  }

  private advance(page: readonly EventRow[]): void {
    const last = page.at(-1);
    this.at = { ...this.at, after: last?.seq ?? this.at.after };
    if (last?.type === 'complete') {
      this.finish();
    }
  }

  private ask(): void {
    if (this.waiting !== undefined && this.change !== 'none') {
      this.reader.want(this, this.change);
    }
  }

  private settle(): Waiting | undefined {
    const { waiting } = this;
    this.waiting = undefined;
    return waiting;
  }

  private finish(): void {
    if (!this.over) {
      this.over = true;
      this.leave(this);
    }
  }
}
