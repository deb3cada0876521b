import type { Database } from './database';

/** Announced change of one run's log. */
export interface RunAnnouncement {
  runId: string;
  /** True if its last event was written. */
  isEnd: boolean;
}

/**
 * Listens to the announcements of all runs: `<run id>`, or `<run id> end` after the last event. `renewed` is called
 * when the connection is back: announcements in between are lost. Returns a function that stops.
 */
export function listenToRuns(
  database: Database,
  announced: (announcement: RunAnnouncement) => void,
  renewed: () => void,
): () => void {
  const read = (payload: string): void => {
    const [runId = '', end] = payload.split(' ');
    announced({ runId, isEnd: end !== undefined });
  };
  return database.listen('af_run', read, renewed);
}
