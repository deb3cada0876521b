import { describe, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';

/** Features that a machine may lack. AF_REQUIRE names, comma-separated, those that it must have. */
export type Need = 'data' | 'java' | 'netns' | 'pg_dump' | 'root';

function isRequired(need: Need): boolean {
  return (process.env.AF_REQUIRE ?? '').split(',').includes(need);
}

/** A suite that needs a feature of the machine: skipped by name where the feature is missing, failing where it is required. */
export function describeWhere(need: Need, isThere: boolean, name: string, suite: () => void): void {
  if (isThere) describe(name, suite);
  else if (isRequired(need)) describe(name, () => it(`needs ${need}`, () => failMissing(need)));
  else describe.skip(`${name} (needs ${need})`, suite);
}

function failMissing(need: Need): never {
  throw new Error(`AF_REQUIRE names ${need}, but this machine does not have it`);
}

export function hasProgram(name: string): boolean {
  return spawnSync('sh', ['-c', `command -v "${name}"`], { stdio: 'ignore' }).status === 0;
}

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** True if this process may make network namespaces. */
export function hasNetworkNamespaces(): boolean {
  return isRoot() && spawnSync('unshare', ['--net', 'true'], { stdio: 'ignore' }).status === 0;
}
