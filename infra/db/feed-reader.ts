import type { Urgency, RunFollower } from './run-follower';
import type { EventRow, EventsStore, LogPosition } from './stores/events.store';

/** Rows of one follower, and of all, in one statement. */
export const PAGE = 500;
const ALL = 2_000;

/** Followers of one run that have seen the same events share what is read. */
interface Group {
  position: LogPosition;
  followers: RunFollower[];
}

/**
 * The one reader of a process: what many followers wait for is read in one statement, one at a time. Changes gather for
 * `gatherMs` while anything is busy; the first after a quiet time, and those that are urgent, are read at once.
 */
export class FeedReader {
  private readonly soon = new Set<RunFollower>();
  private readonly now = new Set<RunFollower>();
  private timer: NodeJS.Timeout | undefined;
  private immediate: NodeJS.Immediate | undefined;
  private gatheredAt = Number.NEGATIVE_INFINITY;
  private reading = false;

  constructor(
    private readonly events: EventsStore,
    private readonly gatherMs: number,
  ) {}

  want(follower: RunFollower, change: Urgency): void {
    (change === 'now' ? this.now : this.soon).add(follower);
    this.plan();
  }

  forget(follower: RunFollower): void {
    this.soon.delete(follower);
    this.now.delete(follower);
    if (this.soon.size + this.now.size === 0) {
      this.cancel();
    }
  }

  private cancel(): void {
    clearTimeout(this.timer);
    clearImmediate(this.immediate);
    this.timer = undefined;
    this.immediate = undefined;
  }

  private plan(): void {
    if (this.reading || this.immediate !== undefined || this.soon.size + this.now.size === 0) {
      return;
    }
    const rest = this.now.size > 0 ? 0 : this.gatheredAt + this.gatherMs - performance.now();
    if (rest <= 0) {
      this.cancel();
      // Announcements of the same packet are handled before this.
      this.immediate = setImmediate(() => void this.read());
    } else {
      this.timer ??= setTimeout(() => void this.read(), rest);
    }
  }

  private async read(): Promise<void> {
    this.cancel();
    this.reading = true;
    const gather = this.soon.size > 0 && performance.now() - this.gatheredAt >= this.gatherMs;
    const groups = groupFollowers(this.taken(gather));
    try {
      if (groups.length > 0) {
        const { pages, cut } = await this.events.listMany(
          groups.map((group) => group.position),
          { each: PAGE, all: ALL },
        );
        groups.forEach((group, index) => this.deliver(group, pages[index] ?? [], cut));
      }
    } catch (error) {
      groups.flatMap((group) => group.followers).forEach((follower) => follower.fail(error));
    } finally {
      this.reading = false;
      if (gather) {
        this.gatheredAt = performance.now();
      }
      this.plan();
    }
  }

  private taken(gather: boolean): RunFollower[] {
    const wanting = new Set(gather ? [...this.now, ...this.soon] : this.now);
    const taken = [...wanting].filter((follower) => follower.take());
    wanting.forEach((follower) => {
      this.now.delete(follower);
      this.soon.delete(follower);
    });
    return taken;
  }

  /** `cut`: rows of this group may be missing, even all of them. Such groups are read first the next time. */
  private deliver({ followers }: Group, page: EventRow[], cut: boolean): void {
    for (const follower of followers) {
      if (cut && page.length === 0) {
        follower.changed('now');
      } else {
        follower.deliver(page, cut || page.length === PAGE);
      }
    }
  }
}

function groupFollowers(followers: readonly RunFollower[]): Group[] {
  const groups = new Map<string, Group>();
  for (const follower of followers) {
    const { position } = follower;
    const key = `${position.runId} ${position.ownerId} ${position.after}`;
    const group = groups.get(key) ?? { position, followers: [] };
    group.followers.push(follower);
    groups.set(key, group);
  }
  return [...groups.values()];
}
