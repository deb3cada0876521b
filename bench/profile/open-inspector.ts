import { writeFileSync } from 'node:fs';
import inspector from 'node:inspector';
import path from 'node:path';

/** Names the folder where each measured process writes the address of its inspector; unset: no inspector is opened. */
export const INSPECT_FOLDER = 'BENCH_INSPECT_FOLDER';

/** Opens the inspector. Called by the benchmark's own API and workers, so that `--profile` reaches each of their threads. */
export function openInspector(): void {
  const folder = process.env[INSPECT_FOLDER];
  if (folder === undefined) return;
  inspector.open(0, '127.0.0.1');
  writeFileSync(inspectorFile(folder, process.pid), inspector.url() ?? '');
}

export function inspectorFile(folder: string, pid: number): string {
  return path.join(folder, `inspector-${pid}`);
}
