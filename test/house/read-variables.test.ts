import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { configVariables } from '../../infra/config/config';

const ROOT = path.resolve(__dirname, '../..');
/** The product; tests and tools have variables of their own. */
const FOLDERS = ['activities', 'cli', 'connectors', 'core', 'infra', 'src', 'worker', 'workflows'];

function variablesIn(text: string): string[] {
  return [...text.matchAll(/\benv(?:\.|\??\.?\[')([A-Z][A-Z0-9_]*)/g)].map((match) => match[1] ?? '');
}

describe('environment variables', () => {
  it('that the product reads are all in the list of the configuration', () => {
    const files = FOLDERS.flatMap((folder) =>
      readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        path.join(folder, file),
      ),
    ).filter((file) => file.endsWith('.ts'));
    const read = files.flatMap((file) => variablesIn(readFileSync(path.join(ROOT, file), 'utf8')));
    // Variables of the system, of the terminal and of Node itself.
    const known = [...configVariables.map((variable) => variable.name), 'PATH', 'COLUMNS', 'NODE_COMPILE_CACHE'];
    expect(read).toEqual(expect.arrayContaining(['AF_HOME', 'AF_CACHE_DIR', 'TEMPORAL_CLI_PATH']));
    expect([...new Set(read)].filter((name) => !known.includes(name))).toEqual([]);
  });
});
