import { expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const TESTS = path.resolve(__dirname, '..');
/** The run's folder itself, and places for volumes, which must not lie below each other. */
const MAKERS = ['support/run-folder.ts', 'support/small-volume.ts'];
const ASKS = /\b(tmpdir|mkdtemp(Sync)?)\b/;

it("folders of tests lie in the run's own (newFolder), which goes with it: nothing stays behind", () => {
  const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(ts|cjs)$/.test(file));
  const asking = files.filter((file) => ASKS.test(readFileSync(path.join(TESTS, file), 'utf8')));
  expect(asking.filter((file) => file !== 'house/test-folders.test.ts').sort()).toEqual(MAKERS);
});
