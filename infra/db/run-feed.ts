import { isTerminal } from '../../core/base/run-status';
import type { Database } from './database';
import { FeedReader, PAGE } from './feed-reader';
import { listenToRuns, type RunAnnouncement } from './run-announcement';
import { RunFollower, type Urgency, type FollowedRun } from './run-follower';
import type { EventsStore, LogPosition } from './stores/events.store';
import { notFound } from './stores/not-found';

const WATCH_SECONDS = 120;
const REWATCH_MS = (WATCH_SECONDS * 1000) / 2;

export interface FeedTimes {
  /** Interval of readings while changes keep coming; the end of a run is read at once. */
  gatherMs: number;
  /** The log is looked at this often even when nothing was announced. */
  idleMs: number;
}

/**
 * Live event logs of one process: one LISTEN connection, one reader, one timer, however many follow. A follower holds no
 * connection.
 */
export class RunFeed {
  private readonly runs = new Map<string, FollowedRun>();
  private readonly reader: FeedReader;
  private readonly stopListening: () => void;
  private sweep: NodeJS.Timeout | undefined;
  private followers = 0;

  constructor(
    database: Database,
    private readonly events: EventsStore,
    private readonly times: FeedTimes = { gatherMs: 200, idleMs: 5_000 },
  ) {
    this.reader = new FeedReader(events, times.gatherMs);
    this.stopListening = listenToRuns(
      database,
      (announcement) => this.announced(announcement),
      () => this.changed(this.runs.values(), 'now'),
    );
  }

  /** Open followers. */
  get size(): number {
    return this.followers;
  }

  /**
   * Follows a run from `after` on. Null: it has ended, and the reader has seen everything. Throws `run_not_found`, and
   * errors of the database as they are. The caller closes the follower.
   */
  async open(position: LogPosition): Promise<RunFollower | null> {
    // Registered before the log is read, so that nothing falls between reading and waiting.
    const follower = this.join(position);
    try {
      return (await this.begin(follower, position)) ? follower : this.leave(follower);
    } catch (error) {
      this.leave(follower);
      throw error;
    }
  }

  close(): void {
    this.stopListening();
    for (const run of this.runs.values()) {
      run.followers.forEach((follower) => follower.close());
    }
  }

  private async begin(follower: RunFollower, position: LogPosition): Promise<boolean> {
    const { run } = follower;
    const at = performance.now();
    const known = run.watchedAt !== undefined && at - run.watchedAt < REWATCH_MS;
    const opened = await this.events.open(position, known ? 0 : WATCH_SECONDS, PAGE);
    if (opened === null) {
      throw notFound('run', position.runId);
    }
    run.watchedAt = opened.watched ? at : run.watchedAt;
    run.closed ||= isTerminal(opened.status);
    if (run.closed && position.after >= opened.seq) {
      return false;
    }
    follower.begin(opened.page);
    // The watch may have waited for the writer of an event that the page does not show, or found the run closed.
    const unwatched = !known && !opened.watched && !run.closed;
    if (unwatched || (opened.page.at(-1)?.seq ?? position.after) < opened.seq) {
      follower.changed('now');
    }
    return true;
  }

  private join(position: LogPosition): RunFollower {
    const { runId } = position;
    const run = this.runs.get(runId) ?? { id: runId, followers: new Set(), watchedAt: undefined, closed: false };
    const follower = new RunFollower(run, position, this.reader, () => this.leave(follower));
    this.runs.set(runId, run);
    run.followers.add(follower);
    this.followers += 1;
    this.sweep ??= setInterval(() => this.look(), this.times.idleMs);
    return follower;
  }

  private leave(follower: RunFollower): null {
    const { run } = follower;
    if (!run.followers.delete(follower)) {
      return null;
    }
    this.followers -= 1;
    this.reader.forget(follower);
    if (run.followers.size === 0) {
      this.runs.delete(run.id);
    }
    if (this.followers === 0) {
      clearInterval(this.sweep);
      this.sweep = undefined;
    }
    return null;
  }

  private look(): void {
    this.changed(this.runs.values(), 'soon');
    const due = performance.now() - REWATCH_MS;
    const runs = [...this.runs.values()].filter((run) => !run.closed && run.watchedAt !== undefined);
    const old = runs.filter((run) => (run.watchedAt ?? due) < due);
    if (old.length > 0) {
      // A failure costs nothing yet: the next look, long before the watch ends, tries again.
      this.renew(old).catch(() => undefined);
    }
  }

  private async renew(runs: readonly FollowedRun[]): Promise<void> {
    const at = performance.now();
    const byId = new Map(runs.map((run) => [run.id, run]));
    for (const { id, renewed, closed } of await this.events.renew([...byId.keys()], WATCH_SECONDS)) {
      const run = byId.get(id);
      if (run !== undefined && renewed) {
        run.watchedAt = at;
      } else if (run !== undefined && closed) {
        run.closed = true;
        this.changed([run], 'soon');
      }
    }
  }

  private announced({ runId, isEnd }: RunAnnouncement): void {
    const run = this.runs.get(runId);
    this.changed(run === undefined ? [] : [run], isEnd ? 'now' : 'soon');
  }

  private changed(runs: Iterable<FollowedRun>, change: Urgency): void {
    for (const run of runs) {
      run.followers.forEach((follower) => follower.changed(change));
    }
  }
}
