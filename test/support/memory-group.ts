import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isRoot } from './machine';

const ROOT = '/sys/fs/cgroup';

/** A control group: the system kills its processes when they take more memory together. */
export interface MemoryGroup {
  add(pid: number): void;
  /** Number of kills by the system. */
  kills(): number;
  /** Removes the group; only when no process is in it any more. */
  remove(): void;
}

/** Makes a control group of version 1 or 2, where this process may. */
export function memoryGroup(limitBytes: number): MemoryGroup | undefined {
  const version = isRoot() ? groupVersion() : undefined;
  if (version === undefined) return undefined;
  const folder = path.join(ROOT, version === 1 ? 'memory' : '', `af-test-${process.pid}`);
  try {
    mkdirSync(folder);
    writeFileSync(path.join(folder, version === 1 ? 'memory.limit_in_bytes' : 'memory.max'), String(limitBytes));
  } catch {
    return undefined;
  }
  return {
    add: (pid) => writeFileSync(path.join(folder, 'cgroup.procs'), String(pid)),
    kills: () => {
      const file = path.join(folder, version === 1 ? 'memory.oom_control' : 'memory.events');
      return Number(/^oom_kill (\d+)/m.exec(readFileSync(file, 'utf8'))?.[1] ?? 0);
    },
    remove: () => rmdirSync(folder),
  };
}

function groupVersion(): 1 | 2 | undefined {
  if (existsSync(path.join(ROOT, 'memory/memory.limit_in_bytes'))) return 1;
  const controllers = path.join(ROOT, 'cgroup.subtree_control');
  return existsSync(controllers) && readFileSync(controllers, 'utf8').includes('memory') ? 2 : undefined;
}
