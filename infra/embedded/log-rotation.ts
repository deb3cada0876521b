import { copyFileSync, readdirSync, renameSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';

const MAX_BYTES = 10 * 1024 * 1024;
const KEPT = 3;

/**
 * Copies logs that have grown large to `name.log.1` (and that to `.2`, …) and empties them. The programs hold their
 * logs open for appending, so they continue at the new start; a line written in between may be lost.
 */
export function rotateLogs(folder: string, maxBytes = MAX_BYTES): void {
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.log'))) {
    const file = path.join(folder, name);
    try {
      if (statSync(file).size > maxBytes) rotate(file);
    } catch {
      // A full disk or a vanished file: the next round tries again, the profile continues.
    }
  }
}

function rotate(file: string): void {
  for (let at = KEPT - 1; at >= 1; at--) {
    try {
      renameSync(`${file}.${at}`, `${file}.${at + 1}`);
    } catch {
      // File of this number does not exist yet.
    }
  }
  copyFileSync(file, `${file}.1`);
  truncateSync(file, 0);
}
