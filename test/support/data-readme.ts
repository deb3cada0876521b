import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DATA_DIR } from './data';

export interface DataFile {
  /** Path of the file, `kind/name`. */
  path: string;
  /** Description of its content. */
  about: string;
  /** Records that a correct reader finds, in words. */
  finds: string;
}

/** Files of one kind, as the sample data describes them; empty where there is no sample data. */
export function dataFiles(kind: string): DataFile[] {
  const readme = resolve(DATA_DIR, 'README.md');
  if (!existsSync(readme)) {
    return [];
  }
  return readFileSync(readme, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith(`| ${kind}/`))
    .map((line) => {
      const cells = line.replace(/^\| | \|$/g, '').split(' | ');
      return { path: cells[0] ?? '', about: cells[2] ?? '', finds: (cells.at(-1) ?? '').replaceAll('\\|', '|') };
    });
}

export function dataBytes(path: string): Buffer {
  return readFileSync(resolve(DATA_DIR, path));
}
