import { Injectable } from '@nestjs/common';
import { ReadingRightsStore, type ReadRequest } from '../../infra/db/stores/reading-rights.store';
import { Authenticator } from '../access/authenticator';
import type { CallerInfo } from '../http/caller';
import { WatchedCallers } from './watched-callers';

/** Time within which a lost right ends a stream. */
const KEPT_MS = 5_000;
const MOST_KEPT = 10_000;

/** Check of rights before each batch of a stream, and with each heartbeat. */
export interface StreamRights {
  /**
   * True if this caller may still read the run, or (null) their own events. Rejects when the database does not answer.
   */
  mayStillRead(caller: CallerInfo, runId: string | null): Promise<boolean>;
  /** Calls `ended` when the caller's session, key or account has ended, until the returned function is called. */
  watch(caller: CallerInfo, ended: () => void): () => void;
}

export const STREAM_RIGHTS = Symbol('StreamRights');

interface RightsQuery {
  reading: ReadRequest;
  resolve: (may: boolean) => void;
  reject: (error: unknown) => void;
}

/** Rights by the database, at most 5 s old. Questions of one moment are one statement for all streams. */
@Injectable()
export class DatabaseStreamRights implements StreamRights {
  private readonly known = new Map<string, { may: Promise<boolean>; until: number }>();
  private queries: RightsQuery[] = [];

  constructor(
    private readonly store: ReadingRightsStore,
    private readonly authenticator: Authenticator,
    private readonly callers: WatchedCallers,
  ) {}

  watch(caller: CallerInfo, ended: () => void): () => void {
    return this.callers.add(caller, ended);
  }

  async mayStillRead(caller: CallerInfo, runId: string | null): Promise<boolean> {
    return (await this.authenticator.stillCounts(caller)) && (await this.sees(caller, runId));
  }

  private sees(caller: CallerInfo, runId: string | null): Promise<boolean> {
    const key = `${caller.ownerId} ${runId ?? ''}`;
    const now = performance.now();
    const known = this.known.get(key);
    if (known !== undefined && known.until > now) {
      return known.may;
    }
    const may = this.ask({ ownerId: caller.ownerId, runId });
    if (this.known.size >= MOST_KEPT) {
      this.known.clear();
    }
    this.known.set(key, { may, until: now + KEPT_MS });
    may.catch(() => this.known.delete(key));
    return may;
  }

  private ask(reading: ReadRequest): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.queries.push({ reading, resolve, reject });
      if (this.queries.length === 1) {
        setImmediate(() => void this.answer());
      }
    });
  }

  private async answer(): Promise<void> {
    const queries = this.queries;
    this.queries = [];
    try {
      const may = await this.store.mayRead(queries.map(({ reading }) => reading));
      queries.forEach(({ resolve }, index) => resolve(may[index] === true));
    } catch (error) {
      queries.forEach(({ reject }) => reject(error));
    }
  }
}
