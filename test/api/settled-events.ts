import { waitUntil } from '../support/wait-until';
import type { TestApi } from './api-fixture';

/**
 * A transaction of anybody in the cluster holds the horizon back: until it ends, who follows everything from now on is
 * given what was written last as well.
 */
export async function settledEvents({ admin }: TestApi): Promise<void> {
  const passed = async (): Promise<boolean> => {
    const [row] = await admin.query<{ passed: boolean }>(
      `select coalesce(max(xid), '0') < pg_snapshot_xmin(pg_current_snapshot()) as passed from run_events`,
    );
    return row?.passed === true;
  };
  await waitUntil('the end of the transactions before', passed);
}
