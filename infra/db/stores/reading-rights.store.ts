import type { Database } from '../database';

/** Reader, and what they read: a run, or everything of their own. */
export interface ReadRequest {
  ownerId: string;
  runId: string | null;
}

export class ReadingRightsStore {
  constructor(private readonly database: Database) {}

  /** Tells for each request, in their order, whether its reader still has the right. */
  async mayRead(readings: readonly ReadRequest[]): Promise<boolean[]> {
    const rows = await this.database.hot<{ no: number; may: boolean }>('select * from af_may_read($1, $2)', [
      readings.map(({ ownerId }) => ownerId),
      readings.map(({ runId }) => runId),
    ]);
    const may = readings.map(() => false);
    rows.forEach((row) => {
      may[row.no - 1] = row.may;
    });
    return may;
  }
}
