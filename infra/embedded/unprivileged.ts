import { readFileSync, statSync, type Stats } from 'node:fs';
import path from 'node:path';
import { embeddedError } from './errors';

/** The user that PostgreSQL runs as, where we are root: it refuses to run as root. */
export interface RunAs {
  uid: number;
  gid: number;
  name: string;
}

const CANDIDATES = ['postgres', 'nobody'];

/** `undefined` where we are not root: then PostgreSQL runs as we do. */
export function unprivilegedUser(passwdFile = '/etc/passwd'): RunAs | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync(passwdFile, 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of CANDIDATES) {
    const fields = users.find((each) => each[0] === name);
    if (fields) return { name, uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  throw embeddedError(
    'no_unprivileged_user',
    'PostgreSQL does not run as root, and this machine has neither a user "postgres" nor "nobody". Run as another user, or set DATABASE_URL.',
  );
}

/** True if this user may walk down to the path. The last part is checked too when it exists. */
export function canReach(user: RunAs | undefined, target: string): boolean {
  if (user === undefined) return true;
  const full = path.resolve(target);
  for (let at = full; ; at = path.dirname(at)) {
    if (!isOpen(user, at)) return false;
    if (at === path.dirname(at)) return true;
  }
}

/** Undefined for a missing or unreadable folder: the attempt to make it reports why. */
function statOf(folder: string): Stats | undefined {
  try {
    return statSync(folder);
  } catch {
    return undefined;
  }
}

function isOpen(user: RunAs, folder: string): boolean {
  const found = statOf(folder);
  if (found === undefined) return true;
  if (found.uid === user.uid) return (found.mode & 0o100) !== 0;
  if (found.gid === user.gid) return (found.mode & 0o010) !== 0;
  return (found.mode & 0o001) !== 0;
}
