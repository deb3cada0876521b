import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describeWhere, isRoot } from './machine';

const MEGABYTE = 1024 * 1024;
const FILLER = '.filler';

/** A suite that fills volumes. They are small file systems in memory, which only root may mount. */
export function describeWithVolumes(name: string, suite: () => void): void {
  describeWhere('root', mayMount(), name, suite);
}

function mayMount(): boolean {
  if (!isRoot()) return false;
  const folder = mkdtempSync(path.join(tmpdir(), 'af-mount-'));
  try {
    const volume = SmallVolume.mount(folder, 1);
    volume.unmount();
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A disk of a few megabytes that can be filled to the last byte. */
export class SmallVolume {
  private constructor(readonly folder: string) {}

  /** Moves the content of the folder onto the volume, with owner and rights. */
  static mount(folder: string, freeMegabytes: number): SmallVolume {
    mkdirSync(folder, { recursive: true });
    const { uid, gid, mode } = statSync(folder);
    const aside = mkdtempSync(path.join(tmpdir(), 'af-aside-'));
    const megabytes = freeMegabytes + Math.ceil(usedBytes(folder) / MEGABYTE);
    try {
      run('cp', ['-a', `${folder}/.`, aside]);
      run('mount', [
        '-t',
        'tmpfs',
        '-o',
        `size=${megabytes}m,uid=${uid},gid=${gid},mode=${(mode & 0o7777).toString(8)}`,
        'tmpfs',
        folder,
      ]);
      run('cp', ['-a', `${aside}/.`, folder]);
    } finally {
      rmSync(aside, { recursive: true, force: true });
    }
    return new SmallVolume(folder);
  }

  fill(): void {
    spawnSync('dd', ['if=/dev/zero', `of=${path.join(this.folder, FILLER)}`, 'bs=4k', 'oflag=append', 'conv=notrunc'], {
      stdio: 'ignore',
    });
  }

  free(): void {
    rmSync(path.join(this.folder, FILLER), { force: true });
  }

  /** Unmounts even while a process has a file open there. */
  unmount(): void {
    run('umount', ['--lazy', this.folder]);
  }
}

function usedBytes(folder: string): number {
  const { stdout } = spawnSync('du', ['-sk', folder], { encoding: 'utf8' });
  return Number(stdout.split(/\s/)[0]) * 1024;
}

function run(program: string, args: string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
}
