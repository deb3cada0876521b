import type { Database } from './database';
import { EventFollower } from './event-follower';
import type { EventPlace, Horizon, OwnerEventsStore, OwnerPage, OwnerPosition } from './stores/owner-events.store';

/** Rows of one follower, and of all, in one statement. */
const EACH = 500;
const ALL = 2_000;

export interface EventFeedTimes {
  /** Time during which announcements are collected. */
  gatherMs: number;
  /** Interval of readings while there are followers: most changes are not announced. */
  lookMs: number;
}

/** Followers of one owner that have seen the same events share what is read. */
interface Group {
  position: OwnerPosition;
  followers: EventFollower[];
}

/**
 * Reads an owner's events live, for all followers in this process: one statement at a time for all of them. A follower
 * holds no connection, and nothing is read for one that is still busy.
 */
export class EventFeed {
  private readonly followers = new Set<EventFollower>();
  private readonly stopListening: () => void;
  private timer: NodeJS.Timeout | undefined;
  private due = Number.POSITIVE_INFINITY;
  private reading = false;

  constructor(
    database: Database,
    private readonly events: OwnerEventsStore,
    private readonly times: EventFeedTimes = { gatherMs: 100, lookMs: 500 },
  ) {
    const changed = (): void => this.plan(this.times.gatherMs);
    this.stopListening = database.listen('af_run', changed, changed);
  }

  get size(): number {
    return this.followers.size;
  }

  /** Position from which a new follower may begin. */
  horizon(): Promise<Horizon> {
    return this.events.horizon();
  }

  /** Follows from a place on. The caller closes the follower. */
  open(ownerId: string, at: EventPlace): EventFollower {
    const reader = { wants: () => this.plan(0), leave: (one: EventFollower) => this.leave(one) };
    const follower = new EventFollower({ ownerId, at }, reader);
    this.followers.add(follower);
    return follower;
  }

  close(): void {
    this.stopListening();
    this.followers.forEach((follower) => follower.close());
  }

  private leave(follower: EventFollower): void {
    this.followers.delete(follower);
    if (this.followers.size === 0) {
      this.cancel();
    }
  }

  private cancel(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.due = Number.POSITIVE_INFINITY;
  }

  /** Plans the next look in so many milliseconds, or earlier. */
  private plan(inMs: number): void {
    const due = performance.now() + inMs;
    if (this.followers.size === 0 || due >= this.due) {
      return;
    }
    this.cancel();
    this.due = due;
    // Notes the next look if one is under way.
    if (!this.reading) {
      this.timer = setTimeout(() => void this.look(), inMs);
    }
  }

  private async look(): Promise<void> {
    this.cancel();
    this.reading = true;
    const groups = groupFollowers([...this.followers].filter((follower) => follower.waits));
    try {
      await this.read(groups);
    } catch (error) {
      groups.flatMap((group) => group.followers).forEach((follower) => follower.fail(error));
    } finally {
      this.reading = false;
      const noted = this.due - performance.now();
      this.cancel();
      this.plan(Math.max(0, Math.min(noted, this.times.lookMs)));
    }
  }

  private async read(groups: readonly Group[]): Promise<void> {
    if (groups.length === 0) {
      return;
    }
    const positions = groups.map((group) => group.position);
    // An owner without news takes a row as well.
    const pages = await this.events.pages(positions, { each: EACH, all: ALL + groups.length });
    groups.forEach((group, index) => this.deliver(group, pages[index]));
  }

  private deliver({ followers }: Group, page: OwnerPage | undefined): void {
    if (page === undefined) {
      this.plan(0);
      return;
    }
    for (const follower of followers) {
      follower.deliver(page);
      if (page.rows.length > 0 && this.followers.delete(follower)) {
        // A follower that was served is last in the next round.
        this.followers.add(follower);
      }
    }
  }
}

function groupFollowers(followers: readonly EventFollower[]): Group[] {
  const groups = new Map<string, Group>();
  for (const follower of followers) {
    const { position } = follower;
    const key = `${position.ownerId} ${position.at.xid} ${position.at.runId} ${position.at.seq}`;
    const group = groups.get(key) ?? { position, followers: [] };
    group.followers.push(follower);
    groups.set(key, group);
  }
  return [...groups.values()];
}
