import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe } from '@jest/globals';

/** Folder of the sample data of public sources. */
export const DATA_DIR = resolve(process.env['AF_TEST_DATA'] ?? resolve(__dirname, '../../../shared/data'));

/** A suite that reads the sample data; without it the suite is skipped by name, unless AF_REQUIRE says that the data must exist. */
export function describeWithData(folder: string, name: string, suite: () => void): void {
  const present = existsSync(resolve(DATA_DIR, folder));
  const required = (process.env['AF_REQUIRE'] ?? '').split(',').includes('data');
  const run = present || required ? describe : describe.skip;
  run(`${name}${present ? '' : ' (needs AF_TEST_DATA)'}`, suite);
}
