import { existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes a folder like `mkdir -p`; true = it was not there. Node's own recursion never comes back where a system denies
 * a folder that cannot be made as if its parent were missing (/proc). Throws what the system says.
 */
export function makeFolders(folder: string, mode = 0o777): boolean {
  const missing: string[] = [];
  for (let at = path.resolve(folder); !existsSync(at); at = path.dirname(at)) missing.unshift(at);
  if (missing.length === 0 && !statSync(folder).isDirectory()) mkdirSync(folder, mode);
  for (const each of missing) makeOne(each, mode);
  return missing.length > 0;
}

/** Accepts a folder that another process has just made. */
function makeOne(folder: string, mode: number): void {
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    if (!(statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false)) throw error;
  }
}
