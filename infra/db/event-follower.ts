import type { EventPlace, OwnerPage, OwnerPosition, PlacedEvent } from './stores/owner-events.store';

export interface EventBatch {
  /** Shared with other followers. */
  rows: readonly PlacedEvent[];
  /** Position from which a reader misses no event. */
  upTo: EventPlace;
}

interface Reader {
  /** Called when a follower that was behind asks for more. */
  wants(): void;
  leave(follower: EventFollower): void;
}

interface Waiting {
  resolve: (batch: EventBatch | null) => void;
  reject: (error: unknown) => void;
}

/** One reader of all events of an owner. Nothing is read for it while it is busy with what it has. */
export class EventFollower {
  private waiting: Waiting | undefined;
  private behind = true;
  private over = false;

  constructor(
    private at: OwnerPosition,
    private readonly reader: Reader,
  ) {}

  get position(): OwnerPosition {
    return this.at;
  }

  get waits(): boolean {
    return this.waiting !== undefined;
  }

  /** The next events in order, without gap or repeat; null after `close`. Rejects with errors of the database. */
  next(): Promise<EventBatch | null> {
    if (this.over) {
      return Promise.resolve(null);
    }
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      if (this.behind) {
        this.reader.wants();
      }
    });
  }

  close(): void {
    this.finish();
    this.settle()?.resolve(null);
  }

  deliver({ rows, upTo }: OwnerPage): void {
    const last = rows.at(-1);
    this.behind = upTo === undefined;
    const at = upTo ?? (last === undefined ? this.at.at : { xid: last.xid, runId: last.run_id, seq: last.seq });
    this.at = { ...this.at, at };
    if (rows.length > 0) {
      this.settle()?.resolve({ rows, upTo: at });
    }
  }

  fail(error: unknown): void {
    this.finish();
    this.settle()?.reject(error);
  }

  private settle(): Waiting | undefined {
    const { waiting } = this;
    this.waiting = undefined;
    return waiting;
  }

  private finish(): void {
    if (!this.over) {
      this.over = true;
      this.reader.leave(this);
    }
  }
}
