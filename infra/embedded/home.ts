import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { explainDiskError } from './errors';
import { canReach, unprivilegedUser } from './unprivileged';

/** Where the embedded profile keeps what it has. All of it lies below `root`, except `database` in one case. */
export interface Home {
  root: string;
  /** Programs that we fetched. */
  bin: string;
  logs: string;
  /** Pid files of what runs. */
  run: string;
  reports: string;
  endpointsFile: string;
  databasePasswordFile: string;
  temporalDb: string;
  /**
   * Parent of the database cluster: `root`, or a folder below /var/lib/agent-factory where we are root and the user
   * that PostgreSQL runs as cannot walk to `root`.
   */
  database: string;
}

const UNPRIVILEGED_PLACE = '/var/lib/agent-factory';

/** The folder of the project: the nearest one above with our package.json. */
export function projectFolder(): string {
  for (let at = __dirname; ; at = path.dirname(at)) {
    if (
      existsSync(path.join(at, 'package.json')) &&
      existsSync(path.join(at, 'migrations')) &&
      path.basename(at) !== 'dist'
    )
      return at;
    if (at === path.dirname(at)) return process.cwd();
  }
}

export function resolveHome(env: NodeJS.ProcessEnv = process.env): Home {
  const root = path.resolve(env.AF_HOME || path.join(projectFolder(), '.af'));
  return {
    root,
    bin: env.AF_CACHE_DIR ? path.resolve(env.AF_CACHE_DIR) : path.join(root, 'bin'),
    logs: path.join(root, 'logs'),
    run: path.join(root, 'run'),
    reports: path.join(root, 'reports'),
    endpointsFile: path.join(root, 'endpoints.json'),
    databasePasswordFile: path.join(root, 'database.password'),
    temporalDb: path.join(root, 'temporal/temporal.db'),
    database: databaseFolder(root),
  };
}

function databaseFolder(root: string): string {
  if (canReach(unprivilegedUser(), root)) return path.join(root, 'postgres');
  return path.join(UNPRIVILEGED_PLACE, createHash('sha256').update(root).digest('hex').slice(0, 16));
}

/** Creates the folders. Throws `disk_full` or `not_writable`. */
export function createHome(home: Home): void {
  for (const folder of [home.root, home.bin, home.logs, home.run, home.reports, home.database]) {
    try {
      // Whatever the umask says: the database's own user walks through these.
      if (mkdirSync(folder, { recursive: true }) !== undefined) chmodSync(folder, 0o755);
    } catch (error) {
      throw explainDiskError(error, folder);
    }
  }
}

/** Written as a whole or not at all: a reader never sees half a file. */
export function writeJsonFile(file: string, value: unknown, mode = 0o644): void {
  const partial = `${file}.${process.pid}.partial`;
  try {
    writeFileSync(partial, `${JSON.stringify(value, null, 2)}\n`, { mode });
    renameSync(partial, file);
  } catch (error) {
    throw explainDiskError(error, file);
  }
}

export function readJsonFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
