import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { builtProduct } from '../support/product-process';

const ROOT = path.resolve(__dirname, '../..');
const dist = (name: string): string => path.join(ROOT, 'dist', name);
/** Entry points of the product's processes and threads. */
const ENTRIES = [
  'src/main.ts',
  'worker/main.ts',
  'activities/runner/compute-thread.ts',
  'connectors/openapi/import-thread.ts',
  'connectors/formats/host/parse-thread.ts',
];

const PROGRAM = `
  require(${JSON.stringify(dist('infra/log/source-maps.js'))});
  const { parseConfig } = require(${JSON.stringify(dist('infra/config/config.js'))});
  try { parseConfig({ AF_PORT: 'none' }); } catch (error) { console.log(error.stack); }
`;

describe('stacks of the built product', () => {
  beforeAll(() => builtProduct());

  it('name the line of the source', () => {
    const said = spawnSync(process.execPath, ['-e', PROGRAM], { encoding: 'utf8' }).stdout;
    const source = path.join(ROOT, 'infra/config/config.ts');
    const line = Number(new RegExp(`parseConfig \\(${source}:(\\d+):`).exec(said)?.[1]);
    const lines = readFileSync(source, 'utf8').split('\n');
    expect(lines[line - 1]).toContain('throw invalid(');
  });

  it.each(ENTRIES)('%s asks for it before it loads anything else', (entry) => {
    expect(readFileSync(path.join(ROOT, entry), 'utf8')).toMatch(/^import '[a-z./]+\/log\/source-maps';\n/);
  });
});
