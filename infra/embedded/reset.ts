import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { explainDiskError } from './errors';
import { HOME_ENTRIES, type Home, refuseForeignHome } from './home';
import { stopHome } from './stop';

/**
 * Stops what runs on this home, removes its data, and the folder when nothing else is in it. What else lies there stays:
 * AF_HOME may name any folder. Throws `home_not_ours` where none of ours was ever started.
 */
export async function resetHome(home: Home): Promise<{ removed: string[]; left: string[] }> {
  refuseForeignHome(home.root);
  await stopHome(home);
  const removed: string[] = [];
  for (const place of [home.database, ...HOME_ENTRIES.map((name) => path.join(home.root, name))]) {
    if (!existsSync(place)) continue;
    remove(place);
    removed.push(place);
  }
  const left = existsSync(home.root) ? readdirSync(home.root) : [];
  if (left.length === 0 && existsSync(home.root)) rmdirSync(home.root);
  return { removed, left };
}

function remove(place: string): void {
  try {
    rmSync(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  } catch (error) {
    throw explainDiskError(error, place);
  }
}
