import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { systemCode } from './errors';
import { isAlive, waitUntil } from './process';

const TIMEOUT_MS = 20_000;

/**
 * PostgreSQL does not start while the pid in its lock file exists: as a zombie of a killed one, or, after a reboot, as
 * any other program of this user. This waits until no process works in the data directory any more (the helpers of a
 * killed postmaster end a moment later) and then removes the lock.
 */
export async function clearDeadPostmaster(dataDir: string): Promise<void> {
  const lock = path.join(dataDir, 'postmaster.pid');
  const pid = lockedBy(lock);
  if (pid === undefined) return;
  await waitUntil(() => !isLivingPostgres(pid) && !isInUse(dataDir), {
    what: `The PostgreSQL that was killed (pid ${pid}) has not ended. It`,
    timeoutMs: TIMEOUT_MS,
  });
  if (exists(pid)) rmSync(lock, { force: true });
}

function lockedBy(lock: string): number | undefined {
  try {
    const pid = Number(readFileSync(lock, 'utf8').split('\n')[0]);
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Checks the program too: after a reboot the pid in the file may belong to any other one. */
export function isLivingPostgres(pid: number): boolean {
  if (!isAlive(pid)) return false;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres');
  } catch {
    return process.platform !== 'linux';
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}

/** Every process of PostgreSQL works in the data directory. */
function isInUse(dataDir: string): boolean {
  if (process.platform !== 'linux') return false;
  const folder = realpathSync(dataDir);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === folder;
      } catch {
        return false;
      }
    });
}
