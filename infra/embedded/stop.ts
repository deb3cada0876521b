import path from 'node:path';
import type { Home } from './home';
import { livingProcess, removePidNote } from './pid-file';
import { runningPostmaster, stopPostgres } from './postgres';
import { removeEndpoints } from './endpoints';
import { stopProcess } from './process';

const GRACE_MS = 60_000;
/** The supervisor stops its parts in order; what a killed one left is stopped here. */
const NOTED = ['supervisor', 'worker', 'api', 'temporal'] as const;

/** Stops whatever runs on this home, and gives the names of what was stopped. */
export async function stopHome(home: Home): Promise<string[]> {
  const stopped: string[] = [];
  for (const name of NOTED) {
    const running = livingProcess(home, name);
    if (!running) continue;
    await stopProcess(running.pid, 'SIGTERM', graceOf(running.details));
    removePidNote(home, name);
    stopped.push(name);
  }
  const postmaster = runningPostmaster(path.join(home.database, 'data'));
  if (postmaster) {
    await stopPostgres(postmaster.pid);
    removePidNote(home, 'database');
    stopped.push('database');
  }
  if (stopped.length > 0) removeEndpoints(home);
  return stopped;
}

/** A supervisor gives its parts as long as it was told to; killed before that, it would leave them. */
function graceOf({ graceMs }: Record<string, string>): number {
  const own = Number(graceMs);
  return Number.isFinite(own) ? Math.max(GRACE_MS, own) : GRACE_MS;
}
