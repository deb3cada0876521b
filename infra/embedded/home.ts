import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolders } from '../make-folders';
import { embeddedError, explainDiskError, explainRefusal } from './errors';
import { canReach, unprivilegedUser } from './unprivileged';

/** Folders and files of the embedded profile. All of it lies below `root`, except `database` in one case. */
export interface Home {
  root: string;
  /** Programs that we fetched. */
  bin: string;
  logs: string;
  /** Pid files of what runs. */
  run: string;
  reports: string;
  /** Compiled code of the API and the worker, which Node keeps for the next start. */
  compiled: string;
  endpointsFile: string;
  databasePasswordFile: string;
  temporalDb: string;
  /**
   * Parent of the database cluster: `root`, or a folder below /var/lib/agent-factory where we are root and the user
   * that PostgreSQL runs as cannot walk to `root`.
   */
  database: string;
}

/** Says that a folder is a home of ours; written at its first start. */
const MARK = 'agent-factory.home';
/** Marks of a home that an earlier version made. */
const EARLIER_MARKS = ['master.keys', 'database.password', 'endpoints.json'];
/**
 * Files that a folder may hold before its first start, and no others: a person's secrets, programs that others fetched
 * into it (AF_CACHE_DIR), files of processes that were started alone.
 */
const BEFOREHAND = ['secrets.json', 'local.key', 'bin', 'blobs', 'exports'];

/** Files that the product puts below AF_HOME, in the order in which a reset removes them: the mark goes last. */
export const HOME_ENTRIES: readonly string[] = [
  ...EARLIER_MARKS,
  ...BEFOREHAND,
  'compiled',
  'logs',
  'postgres',
  'reports',
  'run',
  'temporal',
  MARK,
];

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

export function endpointsFileOf(root: string): string {
  return path.join(root, 'endpoints.json');
}

export function resolveHome(env: NodeJS.ProcessEnv = process.env): Home {
  const root = path.resolve(env.AF_HOME || path.join(projectFolder(), '.af'));
  return {
    root,
    bin: env.AF_CACHE_DIR ? path.resolve(env.AF_CACHE_DIR) : path.join(root, 'bin'),
    logs: path.join(root, 'logs'),
    run: path.join(root, 'run'),
    reports: path.join(root, 'reports'),
    compiled: path.join(root, 'compiled'),
    endpointsFile: endpointsFileOf(root),
    databasePasswordFile: path.join(root, 'database.password'),
    temporalDb: path.join(root, 'temporal/temporal.db'),
    database: databaseFolder(root),
  };
}

function databaseFolder(root: string): string {
  if (canReach(unprivilegedUser(), root)) return path.join(root, 'postgres');
  return path.join(UNPRIVILEGED_PLACE, createHash('sha256').update(root).digest('hex').slice(0, 16));
}

/** Creates the folders. Throws `disk_full`, `not_writable`, `not_a_directory` or `home_not_ours`. */
export function createHome(home: Home): void {
  makeFolder(home.root);
  claim(home.root);
  [home.bin, home.logs, home.run, home.reports, home.compiled, home.database].forEach(makeFolder);
}

function makeFolder(folder: string): void {
  try {
    // Set against the umask: the database's own user walks through these.
    if (makeFolders(folder)) chmodSync(folder, 0o755);
  } catch (error) {
    throw explainRefusal(error, folder);
  }
}

/** Refuses a foreign folder with a `bin` or a `logs`: a reset would remove them. */
function claim(root: string): void {
  try {
    const there = readdirSync(root);
    if (there.includes(MARK)) return;
    const known = isMarked(there) || there.every((name) => BEFOREHAND.includes(name));
    const clashes = there.filter((name) => HOME_ENTRIES.includes(name) && name !== 'secrets.json');
    if (clashes.length > 0 && !known)
      throw notOurs(root, clashes, 'which "af reset" would remove. Set AF_HOME to a new or an empty directory.');
    writeFileSync(path.join(root, MARK), 'Agent Factory keeps its data here. "af reset" removes it.\n');
  } catch (error) {
    throw explainRefusal(error, root);
  }
}

/**
 * Checks a folder before a reset: if this product was never started there, files with our names are foreign. Throws
 * `home_not_ours`.
 */
export function refuseForeignHome(root: string): void {
  const there = existsSync(root) ? readdirSync(root) : [];
  const clashes = there.filter((name) => HOME_ENTRIES.includes(name));
  if (clashes.length > 0 && !isMarked(there))
    throw notOurs(
      root,
      clashes,
      'and nothing was ever started in it, so nothing is removed. Set AF_HOME to the directory that you started with.',
    );
}

function isMarked(there: readonly string[]): boolean {
  return [MARK, ...EARLIER_MARKS].some((name) => there.includes(name));
}

function notOurs(root: string, clashes: readonly string[], wayOut: string): Error {
  return embeddedError('home_not_ours', `${root} has ${clashes.join(', ')} from somebody else, ${wayOut}`);
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
