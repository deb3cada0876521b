import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The texts of a folder, by file name. */
export async function textsOf(directory: string): Promise<{ file: string; source: string }[]> {
  const names = (await readdir(directory)).filter((name) => /\.ya?ml$/.test(name)).sort();
  return Promise.all(names.map(async (file) => ({ file, source: await readFile(join(directory, file), 'utf8') })));
}
